/// What a function can use while it runs.
struct CallState {
    var meter: Meter
    let context: CELContext

    /// A string result, whose size is counted.
    mutating func made(_ text: String) throws(CELFailure) -> CELValue {
        try meter.allocate(text.utf8.count)
        return .string(text)
    }

    /// A bytes result, whose size is counted.
    mutating func made(_ bytes: [UInt8]) throws(CELFailure) -> CELValue {
        try meter.allocate(bytes.count)
        return .bytes(bytes)
    }

    /// Counts going through a text.
    mutating func scan(_ text: String) throws(CELFailure) {
        try meter.step(text.utf8.count >> 5)
    }
}
