/// Points in time in UTC as `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339), of which most are in the same second as the one before.
struct TimeText {
    private var second = Int64.min
    /// The text of the second.
    private var text: [UInt8] = []

    /// Appends a point in time.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z, not before that.
    mutating func append(_ milliseconds: Int64, to output: inout (some ByteSink & ~Copyable)) {
        let second = milliseconds / 1_000
        if second != self.second {
            self.second = second
            text = Array(Timestamp.text(Double(second)).utf8)
        }
        let fraction = (milliseconds % 1_000).magnitude
        text.withUnsafeBufferPointer { text in
            output.append(most: text.count + 5) { start in
                if let first = text.baseAddress { start.initialize(from: first, count: text.count) }
                let next = start + text.count
                next[0] = UInt8(ascii: ".")
                DecimalText.write(fraction, digits: 3, at: next + 1)
                next[4] = UInt8(ascii: "Z")
                return text.count + 5
            }
        }
    }
}
