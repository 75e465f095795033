/// Times in certificates: UTCTime and GeneralizedTime, always in UTC and with seconds (RFC 5280 section 4.1.2.5).
enum CertificateTime {
    /// Seconds since 1970-01-01T00:00:00Z; nil if the element is not a time.
    static func seconds(_ element: DERReader.Element) -> Int64? {
        var digits = element.content
        guard digits.popLast() == UInt8(ascii: "Z"), digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
        var year: Int64
        switch (element.tag, digits.count) {
        case (0x17, 12):
            year = number(&digits, 2)
            year += year < 50 ? 2000 : 1900
        case (0x18, 14): year = number(&digits, 4)
        default: return nil
        }
        let month = number(&digits, 2)
        let day = number(&digits, 2)
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let time = number(&digits, 2) * 3600 + number(&digits, 2) * 60 + number(&digits, 2)
        return days(year, month, day) * 86400 + time
    }

    private static func number(_ digits: inout ArraySlice<UInt8>, _ count: Int) -> Int64 {
        defer { digits = digits.dropFirst(count) }
        return digits.prefix(count).reduce(0) { $0 * 10 + Int64($1) - 48 }
    }

    /// Days since 1970-01-01 in the Gregorian calendar; years are counted from March, so that leap days come last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
