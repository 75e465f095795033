/// A date and time of day of the proleptic Gregorian calendar.
struct CivilDate: Hashable {
    var year: Int64
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
    /// 0 is Sunday.
    var weekday: Int
    /// 0 is the first of January.
    var dayOfYear: Int

    /// The date at a number of seconds since 1970-01-01T00:00:00, in whatever zone these seconds are meant.
    init(secondsSinceEpoch seconds: Int64) {
        let secondOfDay = Self.modulo(seconds, 86_400)
        let days = (seconds - secondOfDay) / 86_400
        hour = Int(secondOfDay / 3600)
        minute = Int(secondOfDay % 3600 / 60)
        second = Int(secondOfDay % 60)
        weekday = Int(Self.modulo(days + 4, 7))
        // Years are counted from March in eras of 400 years, so that the leap day is the last of a year.
        let shifted = days + 719_468
        let dayOfEra = Self.modulo(shifted, 146_097)
        let era = (shifted - dayOfEra) / 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYearFromMarch = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYearFromMarch + 2) / 153
        day = Int(dayOfYearFromMarch - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        dayOfYear = Int(days - Self.daysSinceEpoch(year: year, month: 1, day: 1))
    }

    /// The number of days from 1970-01-01 to a date.
    static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let yearOfEra = modulo(shiftedYear, 400)
        let era = (shiftedYear - yearOfEra) / 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func isLeap(_ year: Int64) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    static func days(inMonth month: Int, year: Int64) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number with leading zeros.
    static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// The remainder that is never negative.
    static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
