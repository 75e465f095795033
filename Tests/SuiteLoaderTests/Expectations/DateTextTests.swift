import Testing

@testable import SuiteLoader

@Suite("Dates in suites")
struct DateTextTests {
    @Test(arguments: ["2026-01-31", "0001-12-01"])
    func dates(text: String) { #expect(DateText.isDate(text)) }

    @Test(arguments: [
        "2026-13-01", "2026-00-01", "2026-1-1", "yesterday", "2026-01-32", "", "2026/01/01", "１026-01-01",
    ])
    func notDates(text: String) { #expect(!DateText.isDate(text)) }

    @Test(arguments: ["2026-01-31T12:00:00Z", "2026-01-31 12:00:00z", "2026-01-31T12:00:00.25+02:00"])
    func dateTimes(text: String) { #expect(DateText.isDateTime(text)) }

    @Test(arguments: [
        "2026-01-31T12:00:00", "2026-01-31T24:00:00Z", "2026-01-31T12:00Z", "2026-01-31T12:00:00.Z", "2026-01-31",
        "2026-01-31T12:00:00+2", "2026-01-31T12:00:00+02:0x",
    ])
    func notDateTimes(text: String) { #expect(!DateText.isDateTime(text)) }
}
