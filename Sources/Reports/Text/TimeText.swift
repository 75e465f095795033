/// Points in time in UTC as `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339), of which most are in the same second as the one before.
struct TimeText {
    private var second = Int64.min
    /// The text of the second.
    private var text: [UInt8] = []

    /// Appends a point in time.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z, not before that.
    mutating func append(_ milliseconds: Int64, to output: inout [UInt8]) {
        let second = milliseconds / 1_000
        if second != self.second {
            self.second = second
            text = Array(Timestamp.text(Double(second)).utf8)
        }
        output.append(contentsOf: text)
        output.append(UInt8(ascii: "."))
        DecimalText.append(Int(milliseconds % 1_000), digits: 3, to: &output)
        output.append(UInt8(ascii: "Z"))
    }
}
