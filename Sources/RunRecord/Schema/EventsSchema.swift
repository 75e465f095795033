package import JSON
import Output

/// The JSON Schema of the lines of a record.
public enum EventsSchema {
    /// The text of the schema (JSON Schema 2020-12) with a trailing line break.
    public static var json: String { schema.serialized(.pretty) + "\n" }

    /// The schema as a JSON value.
    ///
    /// A line with an unknown event is valid because readers ignore it.
    package static var schema: JSONValue {
        var definitions = JSONObject()
        for object in lines + parts { definitions[object.name] = object.schema }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A line of an apitest record",
            "description": .string(
                "An event of a run. Times and durations are in nanoseconds. Readers ignore unknown events and members."),
            "type": "object", "required": ["event"],
            "properties": [
                "event": ["type": "string", "description": .string("The type of the event.")]
            ],
            "allOf": .array(
                lines.map { line in
                    [
                        "if": ["properties": ["event": ["const": .string(line.name)]]],
                        "then": ["$ref": .string("#/$defs/\(line.name)")],
                    ]
                }), "$defs": .object(definitions),
        ]
    }

    /// The sections of the documentation that describe the lines and their parts.
    package static var markdown: String {
        "## Lines\n\n" + lines.map(\.markdown).joined(separator: "\n") + "\n## Parts\n\n"
            + parts.map(\.markdown).joined(separator: "\n")
    }
}

/// An object in a record: a line or a part of one.
struct EventsSchemaObject {
    /// The name.
    ///
    /// For a line, it is the value of `event`.
    let name: String
    let description: String
    let members: [EventsSchemaMember]

    /// The schema of the object, which allows additional members.
    var schema: JSONValue {
        var properties = JSONObject()
        for member in members {
            var schema = member.kind.schema
            schema["description"] = .string(member.description)
            properties[member.name] = .object(schema)
        }
        return [
            "type": "object", "description": .string(description),
            "required": .array(members.filter(\.isRequired).map { .string($0.name) }),
            "properties": .object(properties),
        ]
    }

    /// The object as a section of the documentation.
    var markdown: String {
        var text = "### \(name)\n\n\(description)\n\n" + MarkdownText.head("member", "type", "")
        for member in members {
            let name = member.isRequired ? "`\(member.name)`" : "`\(member.name)`?"
            text += MarkdownText.row(name, member.kind.title, member.description)
        }
        return text
    }
}

/// A member of an object in a record.
struct EventsSchemaMember {
    /// The type of a member.
    enum Kind {
        case text
        /// One of several fixed strings.
        case words([String])
        /// A nonnegative integer.
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

        /// The schema of the member without its description.
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

        /// The name of the type in the documentation.
        var title: String {
            switch self {
            case .text: "string"
            case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
            case .count, .integer: "integer"
            case .number: "number"
            case .flag: "boolean"
            case .value: "any value"
            case .texts: "array of strings"
            case .values: "array of any values"
            case .object(let name): "[\(name)](#\(name))"
            case .objects(let name): "array of [\(name)](#\(name))"
            }
        }
    }

    let name: String
    let kind: Kind
    let isRequired: Bool
    let description: String

    /// Creates a required member.
    static func always(_ name: String, _ kind: Kind, _ description: String) -> EventsSchemaMember {
        EventsSchemaMember(name: name, kind: kind, isRequired: true, description: description)
    }

    /// Creates an optional member.
    static func maybe(_ name: String, _ kind: Kind, _ description: String) -> EventsSchemaMember {
        EventsSchemaMember(name: name, kind: kind, isRequired: false, description: description)
    }
}
