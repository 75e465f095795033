/// The accessors of timestamps and durations, and `date.format`.
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
    private static func offset(_ zone: CELValue, at timestamp: CELTimestamp) throws(CELFailure) -> Int64 {
        guard case .string(let name) = zone else { throw .noOverload }
        if let fixed = fixedOffset(name) { return fixed }
        guard let zone = ZoneDirectory.zone(named: name) else {
            // The ellipsis also marks the string as truncated for the redaction of secrets.
            let shown = String(name.prefix(100)) + (name.dropFirst(100).isEmpty ? "" : "…")
            throw .message(
                "unknown time zone \(Quoting.quoted(String(shown)));"
                    + " write a name such as Europe/Vienna or an offset such as +02:00")
        }
        return zone.offset(at: timestamp.seconds)
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
