/// Reads durations such as `1m30s` and sizes such as `64KB`.
enum QuantityReader {
    /// Why a text is no quantity.
    struct Problem: Error {
        /// One sentence without a final full stop.
        var message: String
        /// What to write instead.
        var suggestion: String?
    }

    private struct Unit {
        let name: String
        let factor: Int64
    }

    private static let durationUnits = [
        Unit(name: "ns", factor: 1), Unit(name: "us", factor: 1000), Unit(name: "ms", factor: 1_000_000),
        Unit(name: "s", factor: 1_000_000_000), Unit(name: "m", factor: 60_000_000_000),
        Unit(name: "h", factor: 3_600_000_000_000), Unit(name: "d", factor: 86_400_000_000_000),
    ]

    private static let sizeUnits = [
        Unit(name: "B", factor: 1), Unit(name: "KB", factor: 1000), Unit(name: "MB", factor: 1_000_000),
        Unit(name: "GB", factor: 1_000_000_000), Unit(name: "TB", factor: 1_000_000_000_000),
        Unit(name: "KiB", factor: 1 << 10), Unit(name: "MiB", factor: 1 << 20), Unit(name: "GiB", factor: 1 << 30),
        Unit(name: "TiB", factor: 1 << 40),
    ]

    /// The regular expression of durations, for the JSON Schema.
    static let durationPattern = #"^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h|d))+$"#
    /// The regular expression of sizes, for the JSON Schema.
    static let sizePattern = #"^[0-9]+(\.[0-9]+)?(B|KB|MB|GB|TB|KiB|MiB|GiB|TiB)$"#

    /// The nanoseconds of a duration.
    ///
    /// - Throws: ``Problem`` when the text is no duration.
    static func duration(_ text: String) throws(Problem) -> Int64 {
        try read(text, units: durationUnits, allowsSeveral: true, noun: "duration", example: "250ms, 2s or 1m30s")
    }

    /// The bytes of a size.
    ///
    /// - Throws: ``Problem`` when the text is no size.
    static func size(_ text: String) throws(Problem) -> Int64 {
        try read(text, units: sizeUnits, allowsSeveral: false, noun: "size", example: "500B, 64KB or 5MiB")
    }

    private static func read(
        _ text: String, units: [Unit], allowsSeveral: Bool, noun: String, example: String
    ) throws(Problem) -> Int64 {
        let bytes = Array(text.utf8)
        var index = 0
        var total: Int64 = 0
        var parts = 0
        while index < bytes.count {
            let amount = allowsSeveral || parts == 0 ? number(bytes, &index) : nil
            let start = index
            while index < bytes.count, isLetter(bytes[index]) { index += 1 }
            let name = String(decoding: bytes[start..<index], as: UTF8.self)
            guard let amount, let unit = units.first(where: { $0.name == name }) else {
                throw QuantitySpelling(text, units: units.map(\.name), isSize: noun == "size", example: example).problem
            }
            guard let value = amount.times(unit.factor), !total.addingReportingOverflow(value).overflow else {
                throw Problem(message: "\"\(text)\" is too long a \(noun)")
            }
            total += value
            parts += 1
        }
        if parts == 0 {
            throw Problem(message: "\"\(text)\" is no \(noun)", suggestion: "write for example \(example)")
        }
        return total
    }

    /// Whether a byte is a letter of ASCII.
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }

    /// A decimal number: `digits` over ten to the power of `scale`.
    private struct Amount {
        var digits: UInt64
        var scale: UInt64

        /// The product with a factor, rounded down, or nil when it is too large.
        func times(_ factor: Int64) -> Int64? {
            let product = digits.multipliedFullWidth(by: factor.magnitude)
            guard product.high < scale else { return nil }
            return Int64(exactly: scale.dividingFullWidth(product).quotient)
        }
    }

    private static func number(_ bytes: [UInt8], _ index: inout Int) -> Amount? {
        var amount = Amount(digits: 0, scale: 1)
        var isFraction = false
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "."), !isFraction, index > start {
                isFraction = true
            } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                let (tens, overflow) = amount.digits.multipliedReportingOverflow(by: 10)
                let (digits, second) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
                if overflow || second { return nil }
                if isFraction {
                    guard amount.scale < 1_000_000_000_000_000 else { return nil }
                    amount.scale *= 10
                }
                amount.digits = digits
            } else {
                break
            }
            index += 1
        }
        if index == start || bytes[index - 1] == UInt8(ascii: ".") { return nil }
        return amount
    }
}
