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

    /// Returns the result of a method of a date; nil if it has no translation.
    static func value(of time: String, _ method: String) -> ScriptValue? {
        switch method {
        case "toISOString", "toJSON": .computed(iso(time), .string)
        case "getTime", "valueOf": .computed("int(\(time)) * 1000 + \(time).getMilliseconds()", .number)
        default: nil
        }
    }

    /// The functions on a date by their paths.
    static let functions: [String: ScriptValue] = [
        "toISOString": .computed(iso, .string), "toJSON": .computed(iso, .string),
        "getTime": .computed(milliseconds, .number), "valueOf": .computed(milliseconds, .number),
        "getFullYear": .computed("now().getFullYear()", .number), "getMonth": .computed("now().getMonth()", .number),
        "getDate": .computed("now().getDate()", .number), "getDay": .computed("now().getDayOfWeek()", .number),
        "getHours": .computed("now().getHours()", .number), "getMinutes": .computed("now().getMinutes()", .number),
        "getSeconds": .computed("now().getSeconds()", .number),
    ]
}
