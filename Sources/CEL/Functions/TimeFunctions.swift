import Basics

/// The accessors of timestamps and durations, `date.format`, and `date.parse`.
enum TimeFunctions {
    static func register(in functions: inout CELFunctions) {
        accessor("getFullYear", in: &functions) { $0.year }
        accessor("getMonth", in: &functions) { $0.month - 1 }
        accessor("getDate", in: &functions) { $0.day }
        accessor("getDayOfMonth", in: &functions) { $0.day - 1 }
        accessor("getDayOfWeek", in: &functions) { $0.weekday }
        accessor("getDayOfYear", in: &functions) { $0.dayOfYear }
        accessor("getHours", ofDuration: { $0 / 3_600_000_000_000 }, in: &functions) { $0.hour }
        accessor("getMinutes", ofDuration: { $0 / 60_000_000_000 }, in: &functions) { $0.minute }
        accessor("getSeconds", ofDuration: { $0 / 1_000_000_000 }, in: &functions) { $0.second }
        functions.method("getMilliseconds", counts: 0...1) { values, _ throws(CELFailure) in
            switch values[0] {
            case .timestamp(let timestamp):
                if values.count > 1 { _ = try offset(values[1], at: timestamp) }
                return .int(Int64(timestamp.nanoseconds / 1_000_000))
            case .duration(let duration) where values.count == 1:
                return .int(duration.nanoseconds % 1_000_000_000 / 1_000_000)
            default: throw .noOverload
            }
        }
        functions.function("date.format", counts: 2...3) { values, state throws(CELFailure) in
            guard case .timestamp(let timestamp) = values[0], case .string(let pattern) = values[1] else {
                throw .noOverload
            }
            let offset = values.count > 2 ? try offset(values[2], at: timestamp) : 0
            return try state.made(try DateFormat.text(timestamp, offset: offset, pattern: pattern))
        }
        functions.function("date.parse", counts: 2...3) { values, state throws(CELFailure) in
            guard case .string(let text) = values[0], case .string(let pattern) = values[1] else {
                throw .noOverload
            }
            try state.scan(text)
            let zone = values.count > 2 ? try zone(values[2]) : .fixed(0)
            return .timestamp(
                try DateParser.timestamp(text, pattern: pattern) { zone.offset(atLocalTime: $0) })
        }
    }

    private static func accessor(
        _ name: String, ofDuration: (@Sendable (Int64) -> Int64)? = nil, in functions: inout CELFunctions,
        _ part: @escaping @Sendable (CivilTime) -> Int
    ) {
        functions.method(name, counts: 0...1) { values, _ throws(CELFailure) in
            switch values[0] {
            case .timestamp(let timestamp):
                let offset = values.count > 1 ? try offset(values[1], at: timestamp) : 0
                return .int(Int64(part(CivilTime(secondsSinceEpoch: timestamp.seconds + offset))))
            case .duration(let duration) where values.count == 1:
                guard let ofDuration else { throw .noOverload }
                return .int(ofDuration(duration.nanoseconds))
            default: throw .noOverload
            }
        }
    }

    /// Returns the UTC offset in seconds at a timestamp, for a time zone name or an offset such as `+02:00`.
    private static func offset(_ value: CELValue, at timestamp: CELTimestamp) throws(CELFailure) -> Int64 {
        try zone(value).offset(at: timestamp.seconds)
    }

    /// A time zone: a fixed offset, or the rules of a named zone.
    private enum Zone {
        case fixed(Int64)
        case rules(ZoneRules)

        /// Returns the UTC offset in seconds at a time.
        func offset(at seconds: Int64) -> Int64 {
            switch self {
            case .fixed(let offset): offset
            case .rules(let rules): rules.offset(at: seconds)
            }
        }

        /// Returns the UTC offset at a local time.
        ///
        /// A time that occurs twice is the first one, and one that a change to summer time skips is read with the
        /// offset before the change.
        func offset(atLocalTime local: Int64) -> Int64 {
            // The offsets a day before and after are those on both sides of a change near the time.
            let before = offset(at: local - 86_400)
            let after = offset(at: local + 86_400)
            if offset(at: local - before) == before { return before }
            return offset(at: local - after) == after ? after : before
        }
    }

    private static func zone(_ value: CELValue) throws(CELFailure) -> Zone {
        guard case .string(let name) = value else { throw .noOverload }
        if let fixed = fixedOffset(name) { return .fixed(fixed) }
        guard let rules = ZoneDirectory.zone(named: name) else {
            // The ellipsis also marks the string as truncated for the redaction of secrets.
            let shown = String(name.prefix(100)) + (name.dropFirst(100).isEmpty ? "" : "…")
            throw .message(
                "unknown time zone \(Quoting.quoted(String(shown)));"
                    + " write a name such as Europe/Vienna or an offset such as +02:00")
        }
        return .rules(rules)
    }

    /// Parses `UTC`, `Z`, `+HH:MM`, `-HH:MM`, and `HH:MM`.
    private static func fixedOffset(_ name: String) -> Int64? {
        if name == "UTC" || name == "GMT" || name == "Z" || name.isEmpty { return 0 }
        var bytes = Array(name.utf8)[...]
        var sign: Int64 = 1
        if let first = bytes.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            sign = first == UInt8(ascii: "-") ? -1 : 1
            bytes = bytes.dropFirst()
        }
        let digits = bytes.map { Int64($0) - 0x30 }
        guard digits.count == 5, digits[2] == 10 else { return nil }
        guard [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) }) else { return nil }
        let hours = digits[0] * 10 + digits[1]
        let minutes = digits[3] * 10 + digits[4]
        guard hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
