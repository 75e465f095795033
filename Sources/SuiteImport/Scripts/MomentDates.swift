/// The library moment in scripts. Its local zone is UTC.
enum MomentDates {
    static let functions: [String: ScriptDialect.Function] = ["moment": .moment, "moment.utc": .moment]

    /// Returns the time that the arguments of `moment(…)` name; nil if it is unknown.
    static func time(_ arguments: [ScriptValue]) -> String? {
        guard let value = arguments.first else { return ScriptDates.now }
        switch value {
        case .date(let time): return time
        case .host("Date()"): return ScriptDates.now
        default: break
        }
        guard let source = value.expression else { return nil }
        if arguments.count > 1 { return arguments[1].literalText.flatMap(pattern).map { parsed(source, $0) } }
        if value.kind == .number { return ScriptDates.time(ofMilliseconds: source) }
        if let literal = value.literalText {
            guard let time = literal.split(separator: "T", maxSplits: 1).dropFirst().first else {
                return parsed(source, "yyyy-MM-dd")
            }
            let hasZone = time.contains { "Z+-".contains($0) }
            return "timestamp(\(ImportedNames.literal(hasZone ? literal : literal + "Z")))"
        }
        // A text that the script has formatted.
        guard source.hasPrefix("date.format("), source.hasSuffix("\")"),
            let start = source.dropLast(2).lastIndex(of: "\"")
        else { return nil }
        return parsed(source, String(source[source.index(after: start)...].dropLast(2)))
    }

    private static func parsed(_ source: String, _ pattern: String) -> String {
        "date.parse(\(source), \(ImportedNames.literal(pattern)))"
    }

    /// Returns the time after a method that changes it, such as `add(7, "days")`; nil for another method.
    static func time(_ time: String, _ method: String, _ arguments: [ScriptValue]) -> String? {
        switch method {
        case "add", "subtract":
            guard arguments.count == 2, let count = arguments[0].literalText.flatMap({ Int($0) }), count >= 0,
                let (factor, unit) = arguments[1].literalText.flatMap({ units[$0] ?? units["\($0)s"] })
            else { return nil }
            let (amount, overflow) = count.multipliedReportingOverflow(by: factor)
            return overflow ? nil : "\(time) \(method == "add" ? "+" : "-") duration(\"\(amount)\(unit)\")"
        case "startOf":
            guard arguments.first?.literalText == "day" else { return nil }
            return #"timestamp(date.format(\#(time), "yyyy-MM-dd'T00:00:00Z'"))"#
        case "utc", "local", "clone", "toDate": return time
        default: return nil
        }
    }

    private static let units: [String: (factor: Int, unit: String)] = [
        "weeks": (168, "h"), "w": (168, "h"), "days": (24, "h"), "d": (24, "h"), "hours": (1, "h"), "h": (1, "h"),
        "minutes": (1, "m"), "m": (1, "m"), "seconds": (1, "s"), "s": (1, "s"), "milliseconds": (1, "ms"),
        "ms": (1, "ms"),
    ]

    /// Returns the result of a method that does not change the time; nil for another method.
    static func value(of time: String, _ method: String, _ arguments: [ScriptValue]) -> ScriptValue? {
        let operand = ScriptValue.operand(time)
        switch method {
        case "format":
            guard let text = arguments.isEmpty ? "YYYY-MM-DDTHH:mm:ssZ" : arguments[0].literalText,
                let pattern = pattern(text)
            else { return nil }
            return .computed("date.format(\(time), \(ImportedNames.literal(pattern)))", .string)
        case "unix": return .computed("int(\(time))", .number)
        case "isBefore", "isAfter", "isSame":
            guard arguments.count == 1, let other = self.time(arguments) else { return nil }
            let comparison = ["isBefore": "<", "isAfter": ">"][method] ?? "=="
            return .condition(.expression("\(operand) \(comparison) \(ScriptValue.operand(other))"))
        default: return parts[method].map { .computed("\(operand).\($0)()", .number) }
        }
    }

    private static let parts = [
        "year": "getFullYear", "month": "getMonth", "date": "getDate", "day": "getDayOfWeek", "hour": "getHours",
        "hours": "getHours", "minute": "getMinutes", "minutes": "getMinutes", "second": "getSeconds",
        "seconds": "getSeconds",
    ]

    /// The fields of `date.format` for those of moment.
    private static let fields = [
        "YYYY": "yyyy", "YY": "yy", "MMMM": "MMMM", "MMM": "MMM", "MM": "MM", "M": "M", "DD": "dd", "D": "d",
        "HH": "HH", "H": "H", "hh": "hh", "h": "h", "mm": "mm", "m": "m", "ss": "ss", "s": "s", "SSS": "SSS", "A": "a",
        "dddd": "EEEE", "ddd": "EEE", "Z": "xxx", "ZZ": "Z", "T": "'T'",
    ]

    /// Returns the pattern of `date.format` for one of moment; nil if it has another field.
    private static func pattern(_ text: String) -> String? {
        var pattern = ""
        var rest = text[...]
        while let character = rest.first {
            if character == "[", let end = rest.firstIndex(of: "]") {
                pattern += "'\(rest[rest.index(after: rest.startIndex)..<end].replacing("'", with: "''"))'"
                rest = rest[end...].dropFirst()
                continue
            }
            let field = rest.prefix { $0 == character }
            rest = rest[field.endIndex...]
            if character.isASCII, character.isLetter {
                guard let own = fields[String(field)] else { return nil }
                pattern += own
            } else {
                pattern += field
            }
        }
        return pattern
    }
}
