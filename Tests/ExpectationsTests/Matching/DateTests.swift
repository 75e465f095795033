import CEL
import JSON
import SuiteModel
import Testing

@testable import Expectations

@Suite("before, after, within, and closeTo on dates") struct DateTests {
    private static func within(_ text: JSONValue, _ nanoseconds: Int64) -> Matcher.Operator {
        .within(of: .constant(text), amount: .constant(nanoseconds))
    }

    private static func close(_ text: JSONValue, _ duration: JSONValue) -> Matcher.Operator {
        .closeTo(value: .constant(text), within: .constant(duration))
    }

    static let table: [MatcherCase] = [
        MatcherCase(.before(.constant("2026-01-02")), "2026-01-01T23:59:59Z"),
        MatcherCase(
            .before(.constant("2026-01-02")), "2026-01-02",
            #"expected before "2026-01-02", got "2026-01-02" (string), which is the same moment"#),
        MatcherCase(
            .before(.constant("2026-01-02T00:00:00Z")), "2026-01-02T02:00:00+02:00",
            #"expected before "2026-01-02T00:00:00Z", got "2026-01-02T02:00:00+02:00" (string), which is the same moment"#
        ),
        MatcherCase(
            .before(.constant("2026-01-02")), "2026-01-04T06:00:00Z",
            #"expected before "2026-01-02", got "2026-01-04T06:00:00Z" (string), which is 2 d 6 h later"#),
        MatcherCase(
            .before(.constant("2026-01-02")), "soon",
            #"expected before "2026-01-02", got "soon" (string), which is not a date or date-time"#),
        MatcherCase(
            .before(.constant("2026-01-02")), 1_767_225_600,
            #"expected before "2026-01-02", got 1767225600 (integer), which is not a date or date-time"#),
        MatcherCase(
            .before(.constant("2026-01-02")), "2026-01-01T12:00:00",
            #"expected before "2026-01-02", got "2026-01-01T12:00:00" (string), which has no UTC offset, such as Z"#
        ),
        MatcherCase(
            .before(.constant("2026-01-02")), "2026-02-30",
            #"expected before "2026-01-02", got "2026-02-30" (string), which has a day that does not exist"#),
        MatcherCase(
            .before(.constant("2026-01-02")), "2026-01-01T12:00+01:00",
            #"expected before "2026-01-02", got "2026-01-01T12:00+01:00" (string), which has no seconds"#),
        MatcherCase(
            .before(.constant("2026-01-02")), "2026-01-01T25:00:00Z",
            #"expected before "2026-01-02", got "2026-01-01T25:00:00Z" (string), which has a time that does not exist"#),
        MatcherCase(.before(.constant("2026-01-02")), nil, #"expected before "2026-01-02", got no value"#),
        MatcherCase(.after(.constant("2026-01-01T00:00:00+02:00")), "2025-12-31T22:00:00.000000001Z"),
        MatcherCase(.after(.constant("1994-11-06")), "Sun, 06 Nov 1994 08:49:37 GMT"),
        MatcherCase(.after(.constant("1994-11-06")), "Sunday, 06-Nov-94 08:49:37 GMT"),
        MatcherCase(.after(.constant("1994-11-06")), "Sun Nov  6 08:49:37 1994"),
        MatcherCase(.after(.constant("1994-11-06")), "Sun, 06-Nov-1994 08:49:37 GMT"),
        MatcherCase(
            .after(.constant("2026-01-01")), "2025-12-31",
            #"expected after "2026-01-01", got "2025-12-31" (string), which is 24 h earlier"#),
        MatcherCase(
            .after(.constant("2026-01-01")), true,
            #"expected after "2026-01-01", got true (boolean), which is not a date or date-time"#),
        MatcherCase(within("2026-01-01T00:00:00Z", 90_000_000_000), "2025-12-31T23:58:30Z"),
        MatcherCase(within("2026-01-01T00:00:00Z", 0), "2026-01-01T01:00:00+01:00"),
        MatcherCase(
            within("2026-01-01T00:00:00Z", 90_000_000_000), "2026-01-01T00:02:00Z",
            "expected within 1 min 30 s of \"2026-01-01T00:00:00Z\", got \"2026-01-01T00:02:00Z\" (string), "
                + "which is 2 min away"),
        MatcherCase(
            within("2026-01-01T00:00:00Z", 1), .null,
            #"expected within 1 ns of "2026-01-01T00:00:00Z", got null, which is not a date or date-time"#),
        MatcherCase(close("2026-01-01T00:00:00Z", "5s"), "2026-01-01T01:00:04+01:00"),
        MatcherCase(close("2026-01-01T00:00:00Z", "5s"), "Wed, 31 Dec 2025 23:59:55 GMT"),
        MatcherCase(
            close("2026-01-01T00:00:00Z", "5s"), "2026-01-01T00:00:07.2Z",
            #"expected "2026-01-01T00:00:00Z" ± 5 s, got "2026-01-01T00:00:07.2Z" (string), which is 7.2 s away"#),
        MatcherCase(
            close("2026-01-01T00:00:00Z", "5s"), 7,
            #"expected "2026-01-01T00:00:00Z" ± 5 s, got 7 (integer), which is not a date or date-time"#),
    ]

    @Test(arguments: table) func runDates(_ example: MatcherCase) { example.run() }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Noo 1994 08:49:37 GMT",
        "Sun Nov +6 08:49:37 1994", "06 Nov 1994 08:49:37 GMT x", "Sun, 006 Nov 1994 08:49:37 GMT",
    ])
    func noDatesOfHTTP(_ text: String) { #expect(Instant(text) == nil) }

    @Test(
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Sun, 06-Nov-1994 08:49:37 GMT", 784_111_777), ("Fri, 01-Jan-38 00:00:00 GMT", 2_145_916_800),
        ] as [(String, Int64)])
    func olderDatesOfHTTP(_ text: String, _ seconds: Int64) { #expect(Instant(text)?.seconds == seconds) }
}
