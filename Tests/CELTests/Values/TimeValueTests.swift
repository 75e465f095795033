import Basics
import Testing

@testable import CEL

@Suite struct TimeValueTests {
    @Test(arguments: [
        ("1h30m", 5_400_000_000_000), ("-1.5s", -1_500_000_000), ("250ms", 250_000_000), ("1us", 1_000),
        ("1µs", 1_000), ("0", 0), ("+2s", 2_000_000_000), (".5m", 30_000_000_000), ("1.000000001s", 1_000_000_001),
        ("-9223372036854775808ns", Int64.min),
    ])
    func durations(_ text: String, _ nanoseconds: Int64) {
        #expect(CELDuration(text)?.nanoseconds == nanoseconds)
    }

    @Test(arguments: ["", "-", "1", "s", "1x", "1.s.", "9223372036854775808ns", "1d", "1 s", "."])
    func noDurations(_ text: String) {
        #expect(CELDuration(text) == nil)
    }

    @Test(arguments: [
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00.120+02:00", "2026-01-31T10:00:00.12Z"),
        ("2024-02-29t23:30:00-01:00", "2024-03-01T00:30:00Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
        ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"),
    ])
    func timestamps(_ text: String, _ expected: String) {
        #expect(CELTimestamp(text)?.description == expected)
    }

    @Test(arguments: [
        "", "2026-01-31", "2026-1-31T12:00:00Z", "2026-02-29T12:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:00:00",
        "2026-01-31T12:00:00+2:00", "2026-01-31T12:00:00.Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00",
    ])
    func noTimestamps(_ text: String) {
        #expect(CELTimestamp(text) == nil)
    }

    @Test func daysRoundTrip() {
        for day in stride(from: Int64(-719_162), through: 2_932_896, by: 97) {
            let date = CivilTime(secondsSinceEpoch: day * 86_400)
            #expect(CalendarDate.daysSince1970(year: date.year, month: date.month, day: date.day) == day)
        }
    }
}
