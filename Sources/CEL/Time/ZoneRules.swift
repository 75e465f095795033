import Basics
import FoundationEssentials
import Synchronization

/// The UTC offsets of a time zone, as stored in a TZif file (RFC 9636).
struct ZoneRules: Sendable {
    /// The times at which offsets take effect, in ascending order.
    private var transitions: [Int64] = []
    private var offsets: [Int64] = []
    /// The UTC offset before the first transition.
    private var initialOffset: Int64 = 0
    /// The rule that applies after the last transition.
    private var footer: ZoneFooter?

    /// Creates rules from the contents of a TZif file; returns nil if it is invalid.
    init?(file: [UInt8]) {
        var reader = Reader(bytes: file[...])
        guard let first = reader.header() else { return nil }
        if first.version >= 2 {
            reader.skip(first.size(timeSize: 4))
            guard let second = reader.header(), read(second, timeSize: 8, &reader) else { return nil }
            let text = String(decoding: reader.bytes, as: UTF8.self)
            footer = ZoneFooter(
                text.split(separator: "\n", omittingEmptySubsequences: true).first.map(String.init) ?? "")
        } else {
            guard read(first, timeSize: 4, &reader) else { return nil }
        }
    }

    /// Returns the UTC offset at a time, in seconds.
    func offset(at seconds: Int64) -> Int64 {
        guard let last = transitions.last else { return footer?.offset(at: seconds) ?? initialOffset }
        if seconds >= last, let footer { return footer.offset(at: seconds) }
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initialOffset : offsets[low - 1]
    }

    private mutating func read(_ header: Header, timeSize: Int, _ reader: inout Reader) -> Bool {
        guard reader.bytes.count >= header.size(timeSize: timeSize), header.typeCount > 0 else { return false }
        for _ in 0..<header.timeCount {
            guard let time = reader.integer(timeSize) else { return false }
            transitions.append(time)
        }
        var types: [Int] = []
        for _ in 0..<header.timeCount {
            guard let type = reader.byte() else { return false }
            types.append(Int(type))
        }
        var typeOffsets: [Int64] = []
        for _ in 0..<header.typeCount {
            guard let offset = reader.integer(4) else { return false }
            typeOffsets.append(offset)
            reader.skip(2)
        }
        guard types.allSatisfy({ typeOffsets.indices.contains($0) }) else { return false }
        offsets = types.map { typeOffsets[$0] }
        initialOffset = typeOffsets[0]
        reader.skip(header.characterCount + header.leapCount * (timeSize + 4) + header.standardCount + header.utCount)
        return true
    }

    /// The header of a TZif data block (RFC 9636, section 3.1).
    private struct Header {
        var version: UInt8
        var utCount: Int
        var standardCount: Int
        var leapCount: Int
        var timeCount: Int
        var typeCount: Int
        var characterCount: Int

        func size(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4)
                + standardCount + utCount
        }
    }

    /// Reads the bytes of a TZif file in order.
    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func skip(_ count: Int) { bytes = bytes.dropFirst(count) }

        mutating func byte() -> UInt8? { bytes.popFirst() }

        /// Reads a big-endian signed integer.
        mutating func integer(_ size: Int) -> Int64? {
            guard bytes.count >= size else { return nil }
            var value: UInt64 = 0
            for byte in bytes.prefix(size) { value = value << 8 | UInt64(byte) }
            bytes = bytes.dropFirst(size)
            return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }

        mutating func header() -> Header? {
            guard bytes.starts(with: "TZif".utf8) else { return nil }
            skip(4)
            guard let version = byte() else { return nil }
            skip(15)
            var counts: [Int] = []
            for _ in 0..<6 {
                // The counts of valid files are far lower.
                guard let count = integer(4), (0...100_000).contains(count) else { return nil }
                counts.append(Int(count))
            }
            return Header(
                version: version >= 0x32 ? version - 0x30 : 1, utCount: counts[0], standardCount: counts[1],
                leapCount: counts[2], timeCount: counts[3], typeCount: counts[4], characterCount: counts[5])
        }
    }
}

/// The rule for times after a zone's last transition, in POSIX notation such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneFooter: Sendable {
    /// A day of the year and a time of day at which the offset changes.
    private struct Change {
        enum Day {
            /// The day from 1 to 365, without counting February 29.
            case julian(Int64)
            /// The day from 0 to 365.
            case zeroBased(Int64)
            /// A weekday (0 is Sunday) in a week (5 is the last one) of a month.
            case weekday(month: Int64, week: Int64, weekday: Int64)
        }

        var day: Day
        var second: Int64

        /// Returns the time of the change in a year, in seconds of local time since the epoch.
        func time(inYear year: Int64) -> Int64 {
            let year = Int(year)
            let days: Int
            switch day {
            case .julian(let number):
                let leap = CalendarDate.isLeap(year) && number >= 60 ? 1 : 0
                days = CalendarDate.daysSince1970(year: year, month: 1, day: 1) + Int(number) - 1 + leap
            case .zeroBased(let number):
                days = CalendarDate.daysSince1970(year: year, month: 1, day: 1) + Int(number)
            case .weekday(let month, let week, let weekday):
                let first = CalendarDate.daysSince1970(year: year, month: Int(month), day: 1)
                let weekdayOfFirst = CalendarDate(daysSince1970: first).weekday
                var day = 1 + (Int(weekday) + 7 - weekdayOfFirst) % 7 + (Int(week) - 1) * 7
                let length = CalendarDate.days(inMonth: Int(month), year: year)
                while day > length { day -= 7 }
                days = first + day - 1
            }
            return Int64(days) * 86_400 + second
        }
    }

    private var standardOffset: Int64
    private var daylight: (offset: Int64, start: Change, end: Change)?

    /// Creates a rule from its POSIX notation; returns nil if it is malformed.
    init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        guard Self.skipName(&bytes), let standard = Self.time(&bytes) else { return nil }
        standardOffset = -standard
        guard !bytes.isEmpty else { return }
        guard Self.skipName(&bytes) else { return nil }
        var offset = standardOffset + 3600
        if bytes.first != UInt8(ascii: ",") {
            guard let written = Self.time(&bytes) else { return nil }
            offset = -written
        }
        guard let start = Self.change(&bytes), let end = Self.change(&bytes), bytes.isEmpty else { return nil }
        daylight = (offset, start, end)
    }

    /// Returns the UTC offset at a time, in seconds.
    func offset(at seconds: Int64) -> Int64 {
        guard let daylight else { return standardOffset }
        let year = Int64(CivilTime(secondsSinceEpoch: seconds + standardOffset).year)
        let start = daylight.start.time(inYear: year) - standardOffset
        let end = daylight.end.time(inYear: year) - daylight.offset
        let isDaylight = start < end ? (start..<end).contains(seconds) : !(end..<start).contains(seconds)
        return isDaylight ? daylight.offset : standardOffset
    }

    private static func skipName(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        if bytes.first == UInt8(ascii: "<") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return false }
            bytes = bytes[(end + 1)...]
            return true
        }
        let letters = bytes.prefix { Lexer.isIdentifierStart($0) }
        bytes = bytes.dropFirst(letters.count)
        return letters.count >= 3
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        let digits = bytes.prefix { Lexer.isDigit($0) }
        bytes = bytes.dropFirst(digits.count)
        guard (1...3).contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Parses `[+-]hh[:mm[:ss]]` and returns seconds.
    private static func time(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        var sign: Int64 = 1
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            sign = first == UInt8(ascii: "-") ? -1 : 1
            bytes = bytes.dropFirst()
        }
        guard let hours = number(&bytes) else { return nil }
        var seconds = hours * 3600
        for unit: Int64 in [60, 1] where bytes.first == UInt8(ascii: ":") {
            bytes = bytes.dropFirst()
            guard let part = number(&bytes) else { return nil }
            seconds += part * unit
        }
        return sign * seconds
    }

    /// Parses the date and time of a change of the offset.
    private static func change(_ bytes: inout ArraySlice<UInt8>) -> Change? {
        guard bytes.popFirst() == UInt8(ascii: ",") else { return nil }
        let day: Change.Day
        switch bytes.first {
        case UInt8(ascii: "M"):
            bytes = bytes.dropFirst()
            guard let month = number(&bytes), bytes.popFirst() == UInt8(ascii: "."), let week = number(&bytes),
                bytes.popFirst() == UInt8(ascii: "."), let weekday = number(&bytes), (1...12).contains(month),
                (1...5).contains(week), (0...6).contains(weekday)
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        case UInt8(ascii: "J"):
            bytes = bytes.dropFirst()
            guard let number = number(&bytes) else { return nil }
            day = .julian(number)
        default:
            guard let number = number(&bytes) else { return nil }
            day = .zeroBased(number)
        }
        var second: Int64 = 7200
        if bytes.first == UInt8(ascii: "/") {
            bytes = bytes.dropFirst()
            guard let written = time(&bytes) else { return nil }
            second = written
        }
        return Change(day: day, second: second)
    }
}

/// The time zones of the system, loaded on demand from the zone information database.
enum ZoneDirectory {
    private static let directories = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/var/db/timezone/zoneinfo"]
    /// The cache of loaded zones; nil for names that do not exist.
    private static let zones = Mutex<[String: ZoneRules?]>([:])
    /// The maximum size of a file, which no file of the database comes close to.
    private static let maximumSize = 1 << 20
    /// The maximum number of cached names; further zones are loaded each time.
    private static let maximumCount = 1_000

    static func zone(named name: String) -> ZoneRules? {
        guard isName(name) else { return nil }
        if let known = zones.withLock({ $0[name] }) { return known }
        let zone = read(name)
        zones.withLock { zones in
            if zones.count < maximumCount { zones[name] = zone }
        }
        return zone
    }

    /// Returns whether a name consists of letters, digits, and `_+-` between slashes, and thus cannot leave the
    /// directory.
    private static func isName(_ name: String) -> Bool {
        guard name.utf8.count <= 100, !name.isEmpty else { return false }
        return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { Lexer.isIdentifierPart($0) || $0 == 0x2B || $0 == 0x2D }
        }
    }

    private static func read(_ name: String) -> ZoneRules? {
        for directory in directories {
            guard let data = FileManager.default.contents(atPath: directory + "/" + name), data.count <= maximumSize
            else { continue }
            if let rules = ZoneRules(file: Array(data)) { return rules }
        }
        return nil
    }
}
