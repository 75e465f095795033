import Testing

@testable import Basics

@Suite
struct CalendarDateTests {
    @Test(
        "Known dates have the right day number and weekday",
        arguments: [
            (1970, 1, 1, 0, 4), (1969, 12, 31, -1, 3), (2000, 2, 29, 11_016, 2), (1900, 3, 1, -25_508, 4),
            (2026, 11, 23, 20_780, 1), (1, 1, 1, -719_162, 1), (9999, 12, 31, 2_932_896, 5), (-1, 12, 31, -719_529, 5),
        ])
    func known(_ year: Int, _ month: Int, _ day: Int, _ number: Int, _ weekday: Int) throws {
        let date = try #require(CalendarDate(year: year, month: month, day: day))
        #expect(date.daysSince1970 == number)
        #expect(date.weekday == weekday)
        #expect(CalendarDate(daysSince1970: number) == date)
    }

    @Test("Consecutive day numbers are consecutive dates over 900 years")
    func everyDay() {
        var date = CalendarDate(daysSince1970: -200_000)
        for number in -199_999...130_000 {
            let next = CalendarDate(daysSince1970: number)
            let follows =
                next.year == date.year && next.month == date.month && next.day == date.day + 1
                || next.day == 1 && date.day == CalendarDate.days(inMonth: date.month, year: date.year)
            if !follows || next.daysSince1970 != number || !(date < next) { Issue.record("\(next) follows \(date)") }
            date = next
        }
    }

    @Test(
        "An RFC 3339 full-date is parsed and printed",
        arguments: ["1970-01-01", "0001-01-01", "2000-02-29", "9999-12-31"])
    func fullDate(_ text: String) throws {
        #expect(try #require(CalendarDate(fullDate: text)).description == text)
    }

    @Test(
        "Other strings are not parsed as dates",
        arguments: ["", "2026", "2026-13-01", "2025-02-29", "2026-11-2", "2026-11-22T", "20a6-11-22", "2026/11/22"])
    func noDate(_ text: String) {
        #expect(CalendarDate(fullDate: text) == nil)
    }

    @Test(
        "Dates that do not exist are rejected",
        arguments: [
            (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2026, 2, 29), (1900, 2, 29),
        ])
    func refused(_ year: Int, _ month: Int, _ day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }
}
