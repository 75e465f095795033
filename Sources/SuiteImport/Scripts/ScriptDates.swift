/// Times in scripts, such as `new Date().toISOString()` and `Date.now()`.
enum ScriptDates {
    /// The time in the format of `toISOString`.
    static let iso = iso("now()")
    /// The number of milliseconds since 1970.
    static let milliseconds = "int(now()) * 1000 + now().getMilliseconds()"

    /// The number of seconds since 1970, before it is rounded.
    static let seconds = "(\(milliseconds)) / 1000.0"

    private static func iso(_ time: String) -> String {
        #"date.format(\#(time), "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")"#
    }

    /// The current time.
    static let now = "now()"

    /// Returns the time of a number of milliseconds since 1970.
    static func time(ofMilliseconds source: String) -> String {
        for start in [milliseconds, "(\(milliseconds))"] {
            for sign in ["+", "-"] where source.hasPrefix("\(start) \(sign) ") {
                if let amount = Int(source.dropFirst(start.count + 3)) { return later(now, "\(sign) ", "\(amount)ms") }
            }
        }
        return "timestamp(0) + duration(string(int(\(source))) + \"ms\")"
    }

    /// Returns a time with a difference, such as `+ ` and `90m`.
    private static func later(_ time: String, _ sign: String, _ amount: String) -> String {
        "\(time) \(sign)duration(\"\(amount)\")"
    }

    /// Returns the result of a method of a date; nil if it has no translation.
    static func value(of time: String, _ method: String) -> ScriptValue? {
        switch method {
        case "toISOString", "toJSON": return .computed(iso(time), .string)
        case "getTime", "valueOf":
            if time == now { return .computed(milliseconds, .number) }
            let operand = ScriptValue.operand(time)
            return .computed("int(\(time)) * 1000 + \(operand).getMilliseconds()", .number)
        default:
            guard let part = parts[method.replacing("getUTC", with: "get")] else { return nil }
            return .computed("\(ScriptValue.operand(time)).\(part)()", .number)
        }
    }

    /// The functions that return parts of a time, by the methods of a date.
    private static let parts = [
        "getFullYear": "getFullYear", "getMonth": "getMonth", "getDate": "getDate", "getDay": "getDayOfWeek",
        "getHours": "getHours", "getMinutes": "getMinutes", "getSeconds": "getSeconds",
    ]

    /// Returns the time after a method with arguments, such as `date.setDate(date.getDate() + 7)` or `date.setHours(0, 0)`;
    /// nil if it has no translation.
    static func time(_ time: String, _ method: String, _ arguments: [String]) -> String? {
        let name = method.replacing("UTC", with: "")
        guard name.hasPrefix("set") else { return nil }
        if let changed = self.time(time, settingFrom: name.dropFirst(3), arguments) { return changed }
        let units = ["Date": "h", "Hours": "h", "Minutes": "m", "Seconds": "s"]
        guard arguments.count == 1, let unit = units[String(name.dropFirst(3))],
            let part = value(of: time, "get" + name.dropFirst(3))?.expression
        else { return nil }
        for sign in ["+", "-"] where arguments[0].hasPrefix("\(part) \(sign) ") {
            guard let amount = Int(arguments[0].dropFirst(part.count + 3)) else { continue }
            let (count, overflow) = amount.multipliedReportingOverflow(by: name == "setDate" ? 24 : 1)
            return overflow ? nil : later(time, "\(sign) ", "\(count)\(unit)")
        }
        return nil
    }

    /// The parts of a time of day with their limits and their letters in a pattern.
    private static let clock: [(name: String, limit: Int, letters: String)] = [
        ("Hours", 24, "HH"), ("Minutes", 60, "mm"), ("Seconds", 60, "ss"), ("Milliseconds", 1000, "SSS"),
    ]

    /// Returns a time with other parts of its time of day, from the one with a name on; nil if they are not constants.
    ///
    /// A part beyond its limit would carry over to others.
    private static func time(_ time: String, settingFrom name: Substring, _ arguments: [String]) -> String? {
        guard let start = clock.firstIndex(where: { $0.name == name }),
            (1...clock.count - start).contains(arguments.count)
        else { return nil }
        var parts = clock.map(\.letters)
        for (index, argument) in zip(start..., arguments) {
            guard let value = Int(argument), (0..<clock[index].limit).contains(value) else { return nil }
            let digits = String(value)
            parts[index] = String(repeating: "0", count: parts[index].count - digits.count) + digits
        }
        let pattern = "yyyy-MM-dd'T'\(parts[0]):\(parts[1]):\(parts[2]).\(parts[3])'Z'"
        return "timestamp(date.format(\(time), \"\(pattern)\"))"
    }
}
