import JSON

/// An object in a record: a line, or a part of one.
struct EventsSchemaObject {
    /// The name, of a line the value of `event`.
    let name: String
    let description: String
    let members: [EventsSchemaMember]

    /// The object's schema; members that it does not name may be there too.
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
        var text = "### \(name)\n\n\(description)\n\n| member | type | |\n| --- | --- | --- |\n"
        for member in members {
            let name = member.isRequired ? "`\(member.name)`" : "`\(member.name)`?"
            text += "| \(name) | \(member.kind.title) | \(member.description) |\n"
        }
        return text
    }
}
