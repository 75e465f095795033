import Testing

@testable import CEL

@Suite struct DateParserTests {
    @Test(arguments: [
        ("2026-03-01T09:05:07.012Z", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2026-03-01T09:05:07.012Z"),
        ("Sun, 01 Mar 2026 10:05:07 +0100", "EEE, dd MMM yyyy HH:mm:ss Z", "2026-03-01T09:05:07Z"),
        ("sunday 1 march 26, 3:35 pm", "EEEE d MMMM yy, h:mm a", "2026-03-01T15:35:00Z"),
        ("12:00 AM 1.1.1970", "h:mm a d.M.y", "1970-01-01T00:00:00Z"),
        ("12 PM 01/02/03", "h a MM/dd/yy", "2003-01-02T12:00:00Z"),
        ("69", "yy", "date.parse(): the pattern must have a year, a month and a day, such as yyyy-MM-dd"),
        ("20260301", "yyyyMMdd", "2026-03-01T00:00:00Z"),
        ("2026-060", "yyyy-DDD", "2026-03-01T00:00:00Z"),
        ("70-01-01", "yy-MM-dd", "1970-01-01T00:00:00Z"),
        ("2026-01-31 +02", "yyyy-MM-dd X", "2026-01-30T22:00:00Z"),
        ("2026-01-31 -0530", "yyyy-MM-dd x", "2026-01-31T05:30:00Z"),
        ("2026-01-31 Z", "yyyy-MM-dd XX", "2026-01-31T00:00:00Z"),
        ("at 9 o'clock, 2026-01-31", "'at' H 'o''clock,' yyyy-MM-dd", "2026-01-31T09:00:00Z"),
        ("2026-01-31 6", "yyyy-MM-dd e", "2026-01-31T00:00:00Z"),
        (
            "2026-01-31", "yyyy/MM/dd", "date.parse(): expected \"/\", got \"-01-31\""
        ),
        ("2026-1-31", "yyyy-MM-dd", "date.parse(): expected a month from 1 to 12, got \"1-31\""),
        ("2026-13-31", "yyyy-MM-dd", "date.parse(): expected a month from 1 to 12, got \"13-31\""),
        ("2026-02-29", "yyyy-MM-dd", "date.parse(): February 2026 does not have 29 days"),
        ("2026-366", "yyyy-DDD", "date.parse(): the year 2026 has no day 366"),
        ("2026-01-31x", "yyyy-MM-dd", "date.parse(): expected the end of the text, got \"x\""),
        ("2026-01", "yyyy-MM-dd", "date.parse(): expected \"-\", got the end of the text"),
        ("Mon 2026-01-31", "EEE yyyy-MM-dd", "date.parse(): 2026-01-31 is a Saturday, not a Monday"),
        (
            "3 2026-01-31", "h yyyy-MM-dd",
            #"date.parse(): the pattern has "h" without "a"; add "a" for AM or PM, or write "H""#
        ),
        ("2026-01-31 24", "yyyy-MM-dd HH", "date.parse(): expected an hour from 0 to 23, got \"24\""),
        ("2026-01-31 +2", "yyyy-MM-dd XXX", "date.parse(): expected an offset such as +02:00 or Z, got \"2\""),
        ("2026-01-31", "yyyy-MM-dd'", "date.parse(): unmatched single quote in the pattern"),
        (
            "2026-01-31", "QQ",
            "date.parse(): unknown field QQ in the pattern; enclose literal text in single quotes"
        ),
        ("0001-01-01 +2300", "yyyy-MM-dd Z", "date.parse(): the time is outside of the years 1 to 9999"),
    ])
    func texts(_ text: String, _ pattern: String, _ expected: String) {
        let result = shown("string(date.parse(t, p))", ["t": .string(text), "p": .string(pattern)])
        #expect(
            result == "\"\(expected)\"" || result.hasPrefix("error at") && result.hasSuffix(": \(expected)"),
            "\(result)")
    }

    @Test(arguments: [
        ("2026-01-31 12:00", "Europe/Vienna", "2026-01-31T11:00:00Z"),
        ("2026-07-31 12:00", "Europe/Vienna", "2026-07-31T10:00:00Z"),
        ("2026-07-31 12:00", "-05:30", "2026-07-31T17:30:00Z"),
        // A time that occurs twice is the first one.
        ("2026-10-25 02:30", "Europe/Vienna", "2026-10-25T00:30:00Z"),
        // A time that the change to summer time skips.
        ("2026-03-29 02:30", "Europe/Vienna", "2026-03-29T01:30:00Z"),
        ("2026-03-29 03:00", "Europe/Vienna", "2026-03-29T01:00:00Z"),
        ("2026-10-25 03:00", "Europe/Vienna", "2026-10-25T02:00:00Z"),
    ])
    func zones(_ text: String, _ zone: String, _ expected: String) {
        let variables: CELVariables = ["t": .string(text), "z": .string(zone)]
        #expect(shown(#"string(date.parse(t, "yyyy-MM-dd HH:mm", z))"#, variables) == "\"\(expected)\"")
    }

    /// `date.parse` reads the output of `date.format`.
    @Test(arguments: [
        "yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX", "EEEE, d MMMM yyyy h:m:s.SSSSSSSSS a Z", "yyyyDDD HHmmss.SSSSSSSSS X",
        "e yy M d H m s.SSSSSSSSS xxx",
    ])
    func roundTrips(_ pattern: String) {
        for time in ["2026-03-01T09:05:07.012345678Z", "2000-02-29T23:59:59Z", "1999-12-31T12:00:00.5Z"] {
            let variables: CELVariables = ["t": .string(time), "p": .string(pattern)]
            #expect(
                shown(#"date.parse(date.format(timestamp(t), p, "+05:30"), p) == timestamp(t)"#, variables) == "true",
                "\(time)")
        }
    }
}
