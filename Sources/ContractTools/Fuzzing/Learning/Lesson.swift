import JSON
import OpenAPI

/// A rule that a server enforces, as a response that refused a request stated it.
struct Lesson: Hashable {
    /// The part of the request that a rule applies to.
    enum Place: Hashable {
        /// The member of the body at a path of names. Elements of arrays have the path of their array.
        case member([String])
        /// A parameter of the query, the header, or the cookies.
        case parameter(Parameter.Location, String)
        /// The body as a whole.
        case body
    }

    /// A constraint on a part of a request.
    enum Rule: Hashable {
        case required
        case forbidden
        case minimumLength(Int)
        case maximumLength(Int)
        case minimumItems(Int)
        case maximumItems(Int)
        case minimum(JSONNumber, isExclusive: Bool)
        case maximum(JSONNumber, isExclusive: Bool)
        /// A format of JSON Schema.
        case format(String)
        /// A regular expression that the whole string must match.
        case pattern(String)
        case allowed([JSONValue])
        /// A type of JSON Schema.
        case type(String)
    }

    var place: Place
    var rule: Rule

    /// The lesson as one sentence without a period.
    var sentence: String { "\(place.words) \(rule.words)" }
}

extension Lesson.Place {
    /// The part in words.
    var words: String {
        switch self {
        case .member(let path): path.isEmpty ? "the body" : "the member \"\(path.joined(separator: "."))\""
        case .parameter(let location, let name): "the \(location.rawValue) parameter \"\(name)\""
        case .body: "the body"
        }
    }
}

extension Lesson.Rule {
    /// The constraint in words, after its subject.
    var words: String {
        switch self {
        case .required: "is required"
        case .forbidden: "is not allowed"
        case .minimumLength(let count): "must have at least \(count) characters"
        case .maximumLength(let count): "must have at most \(count) characters"
        case .minimumItems(let count): "must have at least \(count) elements"
        case .maximumItems(let count): "must have at most \(count) elements"
        case .minimum(let number, let isExclusive):
            "must be \(isExclusive ? "greater than" : "at least") \(number.literal)"
        case .maximum(let number, let isExclusive): "must be \(isExclusive ? "less than" : "at most") \(number.literal)"
        case .format(let name): "must have the format \(name)"
        case .pattern(let pattern): "must match \(pattern)"
        case .allowed(let values): "must be one of \(values.map { $0.serialized() }.joined(separator: ", "))"
        case .type(let name): "must have the type \(name)"
        }
    }

    /// The keywords of JSON Schema for the constraint on a value.
    var keywords: [(name: String, value: JSONValue)] {
        switch self {
        case .required, .forbidden: []
        case .minimumLength(let count): [("minLength", .number(JSONNumber(count)))]
        case .maximumLength(let count): [("maxLength", .number(JSONNumber(count)))]
        case .minimumItems(let count): [("minItems", .number(JSONNumber(count)))]
        case .maximumItems(let count): [("maxItems", .number(JSONNumber(count)))]
        case .minimum(let number, let isExclusive): [(isExclusive ? "exclusiveMinimum" : "minimum", .number(number))]
        case .maximum(let number, let isExclusive): [(isExclusive ? "exclusiveMaximum" : "maximum", .number(number))]
        case .format(let name): [("format", .string(name))]
        case .pattern(let pattern): [("pattern", .string("^(?:\(pattern))$"))]
        case .allowed(let values): [("enum", .array(values))]
        case .type(let name): [("type", .string(name))]
        }
    }

    // MARK: Values from responses

    /// Returns the constraint for a number format of a programming language, or `nil` if it is unknown.
    static func integers(of type: String) -> [Lesson.Rule] {
        func range(_ bits: Int) -> [Lesson.Rule] {
            let maximum = Int64(1) << (bits - 1)
            return [
                .minimum(JSONNumber(-maximum), isExclusive: false),
                .maximum(JSONNumber(maximum - 1), isExclusive: false),
            ]
        }
        switch type.lowercased() {
        case "byte", "int8": return range(8)
        case "short", "int16": return range(16)
        case "int", "integer", "int32": return range(32)
        case "long", "int64":
            return [
                .minimum(JSONNumber(Int64.min), isExclusive: false),
                .maximum(JSONNumber(Int64.max), isExclusive: false),
            ]
        default: return []
        }
    }

    /// Returns the constraints of a type of a programming language, such as `java.time.LocalDate`.
    static func type(named name: String) -> [Lesson.Rule] {
        let last = name.split { $0 == "." || $0 == "`" || $0 == ":" }.last.map { $0.lowercased() } ?? ""
        switch last {
        case "localdate", "dateonly": return [.format("date")]
        case "localdatetime", "offsetdatetime", "zoneddatetime", "instant", "datetime", "datetimeoffset", "date",
            "timestamp", "time":
            // A `java.util.Date` has a time.
            return last == "time" ? [.format("time")] : [.format("date-time")]
        case "localtime", "timeonly", "offsettime": return [.format("time")]
        case "uuid", "guid": return [.format("uuid")]
        case "uri", "url": return [.format("uri")]
        case "duration", "period": return [.format("duration")]
        case "boolean", "bool": return [.type("boolean")]
        case "int", "integer", "int32", "short", "int16", "byte", "long", "int64":
            return [.type("integer")] + integers(of: last)
        case "biginteger": return [.type("integer")]
        case "double", "float", "decimal", "bigdecimal", "number", "single": return [.type("number")]
        case "string", "str": return [.type("string")]
        case "arraylist", "list", "array", "set", "hashset", "collection": return [.type("array")]
        case "map", "hashmap", "linkedhashmap", "object", "dict": return [.type("object")]
        default: return []
        }
    }

    /// Returns the format of JSON Schema for its usual names, or `nil` if the name is unknown.
    static func format(named name: String) -> String? {
        switch name.lowercased().filter({ $0.isLetter || $0.isNumber }) {
        case "email", "emailaddress", "mailaddress", "isemail": "email"
        case "url", "uri", "httpurl", "absoluteurl", "isurl", "link": "uri"
        case "uuid", "guid", "uuid4", "uuidv4", "isuuid", "uuid3", "uuid5": "uuid"
        case "datetime", "timestamp", "isodate", "iso8601", "iso8601datetime", "iso8601datestring", "isdatestring":
            "date-time"
        case "date", "iso8601date", "calendardate", "isdate": "date"
        case "time": "time"
        case "duration": "duration"
        case "ipv4", "ip", "ipaddress", "ipv4address": "ipv4"
        case "ipv6", "ipv6address": "ipv6"
        case "hostname", "domain", "fqdn", "domainname": "hostname"
        default: nil
        }
    }
}
