import HTTPTypes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The Date header (RFC 9110, section 6.6.1).
enum DateHeader {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Adds the header unless it is there.
    static func add(to fields: inout HTTPFields) {
        guard fields[.date] == nil else { return }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        fields[.date] = text(secondsSince1970: Int(now.tv_sec))
    }

    /// The instant as an IMF-fixdate (RFC 9110, section 5.6.7), for instants from 1970 on.
    static func text(secondsSince1970 seconds: Int) -> String {
        let day = max(0, seconds) / 86_400
        let second = max(0, seconds) % 86_400
        // The calendar repeats every 400 years; years are counted from March so that leap days come last.
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 2 : shiftedMonth - 10
        let year = yearOfEra + era * 400 + (month < 2 ? 1 : 0)
        return "\(days[day % 7]), \(two(dayOfMonth)) \(months[month]) \(year) "
            + "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
