import Basics
import OpenAPI
import Testing

@Suite("Calendar days")
struct CalendarDayTests {
    @Test(
        "Dates and date-times are parsed",
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11016), ("2026-11-22", 20779),
            ("0001-01-01", -719_162),
            ("2026-11-22T23:59:59Z", 20779), ("2026-11-22t01:02:03+02:00", 20779), ("9999-12-31", 2_932_896),
        ])
    func days(_ text: String, _ number: Int) throws {
        let day = try #require(CalendarDate(dateOrDateTime: text))
        #expect(day.daysSince1970 == number)
        #expect(day.description == text.prefix(10))
    }

    @Test(
        "Other strings are rejected",
        arguments: [
            "", "2026", "2026-13-01", "2026-00-10", "2025-02-29", "2026-11-31", "2026-11-2", "2026-11-22x",
            "20a6-11-22",
        ])
    func none(_ text: String) {
        #expect(CalendarDate(dateOrDateTime: text) == nil)
    }
}
