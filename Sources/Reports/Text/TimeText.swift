/// Points in time in UTC as `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339), of which most are in the same second as the one before.
struct TimeText {
    private var second = Int64.min
    /// The text of the second.
    private var text: [UInt8] = []

    /// Appends a point in time.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z, not before that.
    mutating func append(_ milliseconds: Int64, to output: inout (some ByteSink & ~Copyable)) {
        output.append(upTo: Self.count) { write(milliseconds, into: &$0) }
    }

    /// The bytes of a point in time.
    static let count = 24

    /// Writes a point in time.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z, not before that.
    mutating func write(_ milliseconds: Int64, into output: inout ByteWriter) {
        let second = milliseconds / 1_000
        if second != self.second {
            self.second = second
            text = Array(Timestamp.text(Double(second)).utf8)
        }
        output.write(text)
        output.write(".")
        output.write((milliseconds % 1_000).magnitude, digits: 3)
        output.write("Z")
    }
}
