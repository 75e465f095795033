import Testing

@testable import CEL

@Suite struct DateFormatTests {
    @Test(arguments: [
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "UTC", "2026-03-01T09:05:07.012Z"),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "Europe/Vienna", "2026-03-01T10:05:07+01:00"),
        ("EEE, dd MMM yyyy HH:mm:ss Z", "UTC", "Sun, 01 Mar 2026 09:05:07 +0000"),
        ("EEEE d MMMM yy, h:mm a", "-05:30", "Sunday 1 March 26, 3:35 AM"),
        ("D e S SS SSSSSSSSS", "UTC", "60 7 0 01 012000000"),
        ("X XX XXX x xxx", "+05:30", "+0530 +0530 +05:30 +0530 +05:30"),
        ("'it''s' hh 'o''clock'", "UTC", "it's 09 o'clock"),
        ("", "UTC", ""),
    ])
    func patterns(_ pattern: String, _ zone: String, _ expected: String) throws {
        let expression = try CELExpression(#"date.format(timestamp("2026-03-01T09:05:07.012Z"), pattern, zone)"#)
        let value = try expression.evaluate(CELVariables(["pattern": .string(pattern), "zone": .string(zone)]))
        #expect(value.text == expected)
    }

    @Test func refusesUnknownFieldsAndOpenQuotes() {
        #expect(shown(#"date.format(now(), "QQ")"#).contains("unknown field QQ"))
        #expect(shown(#"date.format(now(), "yyyyy")"#).contains("unknown field yyyyy"))
        #expect(shown(#"date.format(now(), "'abc")"#).contains("unmatched single quote"))
    }
}
