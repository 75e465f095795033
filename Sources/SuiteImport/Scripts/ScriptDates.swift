/// Times in scripts, such as `new Date().toISOString()` and `Date.now()`.
enum ScriptDates {
    /// The time in the format of `toISOString`.
    static let iso = iso("now()")
    /// The number of milliseconds since 1970.
    static let milliseconds = "int(now()) * 1000"

    /// The number of seconds since 1970, before it is rounded.
    static let seconds = "(int(now()) * 1000) / 1000.0"

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

    /// Returns the time after a method with an argument, such as `date.setDate(date.getDate() + 7)`; nil if it has no
    /// translation.
    static func time(_ time: String, _ method: String, _ argument: String) -> String? {
        let units = ["Date": "h", "Hours": "h", "Minutes": "m", "Seconds": "s"]
        let name = method.replacing("UTC", with: "")
        guard name.hasPrefix("set"), let unit = units[String(name.dropFirst(3))],
            let part = value(of: time, "get" + name.dropFirst(3))?.expression
        else { return nil }
        for sign in ["+", "-"] where argument.hasPrefix("\(part) \(sign) ") {
            guard let amount = Int(argument.dropFirst(part.count + 3)) else { continue }
            let (count, overflow) = amount.multipliedReportingOverflow(by: name == "setDate" ? 24 : 1)
            return overflow ? nil : later(time, "\(sign) ", "\(count)\(unit)")
        }
        return nil
    }
}
