/// Times as HAR has them (ISO 8601, section 4.3.2 extended format).
enum HARTime {
    /// A moment in UTC with milliseconds, as in `2024-02-29T23:59:59.000Z`.
    /// - Parameter date: Seconds since 1970-01-01T00:00:00Z.
    static func text(_ date: Double) -> String {
        let basic = Array(AWSTime(date).text.utf8)
        guard basic.count == 16 else { return "1970-01-01T00:00:00.000Z" }
        func part(_ range: Range<Int>) -> String { String(decoding: basic[range], as: UTF8.self) }
        let bounded = date.isFinite ? min(max(date, -62_135_596_800), 253_402_300_799) : 0
        let thousandths = Int((bounded - bounded.rounded(.down)) * 1000)
        let digits = String(min(999, max(0, thousandths)))
        let fraction = String(repeating: "0", count: 3 - digits.utf8.count) + digits
        return
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15)).\(fraction)Z"
    }

    /// A duration in milliseconds, to a microsecond.
    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        let microseconds = (Double(seconds) * 1e6 + Double(attoseconds) / 1e12).rounded()
        return microseconds / 1000
    }
}
