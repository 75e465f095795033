import Basics

/// A date and time of day in the proleptic Gregorian calendar.
struct CivilTime {
    private let date: CalendarDate
    let hour: Int
    let minute: Int
    let second: Int

    /// Creates a time from seconds since 1970-01-01T00:00:00 in the same time zone.
    init(secondsSinceEpoch seconds: Int64) {
        let (days, secondOfDay) = CalendarDate.quotientAndRemainder(Int(seconds), 86_400)
        date = CalendarDate(daysSince1970: days)
        hour = secondOfDay / 3600
        minute = secondOfDay % 3600 / 60
        second = secondOfDay % 60
    }

    var year: Int { date.year }
    /// The month, from 1 to 12.
    var month: Int { date.month }
    /// The day of the month, from 1 to 31.
    var day: Int { date.day }
    /// The day of the week; 0 is Sunday.
    var weekday: Int { date.weekday }
    /// The day of the year; 0 is January 1.
    var dayOfYear: Int { date.daysSince1970 - CalendarDate.daysSince1970(year: year, month: 1, day: 1) }
}
