import JSON

/// A member of an object in a record.
struct EventsSchemaMember {
    /// What a member holds.
    enum Kind {
        case text
        /// One of some words.
        case words([String])
        /// An integer that is not negative.
        case count
        case integer
        case number
        case flag
        /// Any JSON value.
        case value
        case texts
        case values
        case object(String)
        case objects(String)

        /// The schema of the member, without its description.
        var schema: JSONObject {
            switch self {
            case .text: ["type": "string"]
            case .words(let words): ["enum": .array(words.map { .string($0) })]
            case .count: ["type": "integer", "minimum": 0]
            case .integer: ["type": "integer"]
            case .number: ["type": "number"]
            case .flag: ["type": "boolean"]
            case .value: [:]
            case .texts: ["type": "array", "items": ["type": "string"]]
            case .values: ["type": "array"]
            case .object(let name): ["$ref": .string("#/$defs/\(name)")]
            case .objects(let name): ["type": "array", "items": ["$ref": .string("#/$defs/\(name)")]]
            }
        }

        /// The type as the documentation names it.
        var title: String {
            switch self {
            case .text: "text"
            case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
            case .count, .integer: "integer"
            case .number: "number"
            case .flag: "boolean"
            case .value: "any value"
            case .texts: "texts"
            case .values: "any values"
            case .object(let name): "[\(name)](#\(name))"
            case .objects(let name): "array of [\(name)](#\(name))"
            }
        }
    }

    let name: String
    let kind: Kind
    let isRequired: Bool
    let description: String

    /// A member that is always there.
    static func always(_ name: String, _ kind: Kind, _ description: String) -> EventsSchemaMember {
        EventsSchemaMember(name: name, kind: kind, isRequired: true, description: description)
    }

    /// A member that may be absent.
    static func maybe(_ name: String, _ kind: Kind, _ description: String) -> EventsSchemaMember {
        EventsSchemaMember(name: name, kind: kind, isRequired: false, description: description)
    }
}
