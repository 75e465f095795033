import JSON

extension SwaggerConverter {
    /// Converts a schema in place: its members keep their locations.
    mutating func schema(_ value: JSONValue, depth: Int = 0) -> JSONValue {
        guard let schema = value.objectValue, depth < Self.deepest else { return value }
        if let text = schema["$ref"]?.stringValue { return referringSchema(schema, text) }
        var object = JSONObject()
        object.reserveCapacity(schema.count + 1)
        for (name, member) in schema { append(name, member, to: &object, depth: depth) }
        if schema["x-nullable"]?.boolValue == true, schema["nullable"] == nil, object["nullable"] == nil {
            object.append("nullable", true)
        }
        return .object(object)
    }

    private mutating func referringSchema(_ schema: JSONObject, _ text: String) -> JSONValue {
        var object = JSONObject()
        for (name, member) in schema {
            object.append(name, name == "$ref" ? .string(reference(text, .schema)) : member)
        }
        guard schema["x-nullable"]?.boolValue == true else { return .object(object) }
        // Siblings of `$ref` are ignored, so `null` becomes one of two alternatives.
        return ["anyOf": [.object(object), ["type": "object", "nullable": true, "enum": [.null]]]]
    }

    private mutating func append(
        _ name: String, _ member: JSONValue, to object: inout JSONObject, depth: Int
    ) {
        switch name {
        case "type": appendType(member, to: &object)
        case "discriminator":
            object.append(name, member.stringValue.map { ["propertyName": .string($0)] } ?? member)
        case "properties", "patternProperties", "definitions":
            guard let members = member.objectValue else { return object.append(name, member) }
            var converted = JSONObject()
            converted.reserveCapacity(members.count)
            for (key, value) in members {
                converted.append(key, schema(value, depth: depth + 1))
            }
            object.append(name, .object(converted))
        case "items", "additionalProperties", "not":
            if let elements = member.arrayValue {
                object.append(name, .array(elements.map { schema($0, depth: depth + 1) }))
            } else {
                object.append(name, schema(member, depth: depth + 1))
            }
        case "allOf", "anyOf", "oneOf":
            guard let elements = member.arrayValue else { return object.append(name, member) }
            object.append(name, .array(elements.map { schema($0, depth: depth + 1) }))
        default: object.append(name, member)
        }
    }

    /// Appends the type of a schema or parameter. The type `file` becomes a binary string.
    private func appendType(_ type: JSONValue, to object: inout JSONObject) {
        if type.stringValue == "file" {
            object.append("type", "string")
            if object["format"] == nil { object.append("format", "binary") }
            return
        }
        // Swagger 2.0 does not allow this, but the intention is clear.
        if let types = type.arrayValue, types.count == 2, types.contains(.string("null")),
            let other = types.first(where: { $0 != .string("null") })
        {
            object.append("type", other)
            object.append("nullable", true)
            return
        }
        object.append("type", type)
    }

    // MARK: Parameters

    private static let schemaKeywords: Set = [
        "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
        "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf", "x-nullable",
    ]

    /// Returns the schema of a parameter or header, with the serialization of an array.
    mutating func parameterSchema(
        _ parameter: JSONObject
    ) -> (schema: JSONObject, style: String?, isExploded: Bool?) {
        var members = JSONObject()
        for (name, value) in parameter where Self.schemaKeywords.contains(name) { members.append(name, value) }
        if members["type"] == nil, let written = parameter["schema"]?.objectValue { members = written }
        let converted = schema(.object(members)).objectValue ?? members
        guard parameter["type"]?.stringValue == "array" else { return (converted, nil, nil) }
        let location = parameter["in"]?.stringValue ?? "header"
        let isForm = location == "query" || location == "formData"
        switch parameter["collectionFormat"]?.stringValue ?? "csv" {
        case "csv": return (converted, isForm ? "form" : "simple", false)
        case "multi" where isForm: return (converted, "form", true)
        case "ssv" where isForm: return (converted, "spaceDelimited", false)
        case "pipes" where isForm: return (converted, "pipeDelimited", false)
        // OpenAPI 3.0 has no equivalent of the other formats, so the value is an arbitrary string.
        default: return (["type": "string"], nil, nil)
        }
    }
}
