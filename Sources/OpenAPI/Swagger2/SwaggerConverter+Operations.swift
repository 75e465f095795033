import JSON

extension SwaggerConverter {
    /// An array entry for a parameter, with the target of its `$ref`.
    struct Entry {
        /// The entry as written.
        var written: JSONValue
        /// The parameter.
        var value: JSONObject
        /// The location of the parameter in this file, or `nil` if it is in a different file.
        var tokens: [String]?
        /// The `$ref` of the entry.
        var reference: String?

        var name: String { value["name"]?.stringValue ?? "" }
    }

    /// The parameters of an array, grouped by their conversion.
    struct Entries {
        var others: [(written: JSONValue, tokens: [String])] = []
        var body: Entry?
        var form: [Entry] = []
    }

    // MARK: Paths

    /// Converts a path.
    mutating func pathItem(_ value: JSONValue, from original: [String], to converted: [String]) -> JSONValue {
        guard let item = value.objectValue else { return value }
        let shared = entries(item["parameters"], at: original + ["parameters"])
        var object = JSONObject()
        object.reserveCapacity(item.count)
        for (name, member) in item {
            switch name {
            case "$ref": object.append(name, member.stringValue.map { .string(reference($0, .pathItem)) } ?? member)
            case "parameters":
                object.append(name, parameters(member, shared, to: converted + ["parameters"]))
            // Swagger 2.0 has no `trace`, but the intention is clear.
            case "get", "put", "post", "delete", "options", "head", "patch", "trace":
                object.append(
                    name, operation(member, from: original + [name], to: converted + [name], shared: shared))
            default: object.append(name, member)
            }
        }
        return .object(object)
    }

    private mutating func operation(
        _ value: JSONValue, from original: [String], to converted: [String], shared: Entries
    ) -> JSONValue {
        guard let operation = value.objectValue else { return value }
        var own = entries(operation["parameters"], at: original + ["parameters"])
        if own.body == nil, own.form.isEmpty { own.body = shared.body }
        if own.body == nil {
            let names = Set(own.form.map(\.name))
            own.form = shared.form.filter { !names.contains($0.name) } + own.form
        }
        let consumes = mediaTypes(operation["consumes"])
        let produces = mediaTypes(operation["produces"])
        var object = JSONObject()
        object.reserveCapacity(operation.count)
        for (name, member) in operation {
            switch name {
            case "consumes", "produces": break
            case "schemes":
                if settings["host"] != nil {
                    object.append("servers", .array(servers(schemes: member)))
                    locations.noteOrigin(of: converted + ["servers"], original + [name])
                }
            case "parameters": object.append(name, parameters(member, own, to: converted + [name]))
            case "responses":
                object.append(
                    name, responses(member, from: original + [name], to: converted + [name], produces))
            default: object.append(name, member)
            }
        }
        let path = converted + ["requestBody"]
        if let body = own.body {
            object.append("requestBody", requestBody(body, to: path, consumes, at: original))
        } else if !own.form.isEmpty {
            object.append("requestBody", form(own.form, to: path, consumes ?? self.consumes, at: original))
        }
        return .object(object)
    }

    // MARK: Parameters

    private mutating func entries(_ value: JSONValue?, at original: [String]) -> Entries {
        var entries = Entries()
        for (index, element) in (value?.arrayValue ?? []).enumerated() {
            let path = original + [String(index)]
            var entry = Entry(written: element, value: element.objectValue ?? JSONObject(), tokens: path)
            if let text = element["$ref"]?.stringValue, let target = library.target(of: text, in: location) {
                entry.reference = text
                entry.value = target.value.objectValue ?? JSONObject()
                entry.tokens = target.part.location == location ? target.part.tokens : nil
            }
            switch entry.value["in"]?.stringValue {
            case "body" where entries.body == nil: entries.body = entry
            case "formData": entries.form.append(entry)
            default: entries.others.append((element, path))
            }
        }
        return entries
    }

    /// Converts the parameters outside the body.
    private mutating func parameters(_ value: JSONValue, _ entries: Entries, to converted: [String]) -> JSONValue {
        guard value.arrayValue != nil else { return value }
        var elements: [JSONValue] = []
        for entry in entries.others {
            elements.append(parameter(entry.written, from: entry.tokens, to: converted + [String(elements.count)]))
        }
        return .array(elements)
    }

    /// Converts a parameter outside the body.
    mutating func parameter(_ value: JSONValue, from original: [String], to converted: [String]) -> JSONValue {
        guard let parameter = value.objectValue else { return value }
        if original != converted { locations.note(converted, from: original) }
        if let text = parameter["$ref"]?.stringValue { return ["$ref": .string(reference(text, .parameter))] }
        var object = JSONObject()
        for (name, member) in parameter {
            switch name {
            case "name", "in", "description", "required", "allowEmptyValue", "example", "examples":
                object.append(name, member)
            case "x-example": object.append("example", member)
            case _ where name.hasPrefix("x-") && name != "x-nullable": object.append(name, member)
            default: break
            }
        }
        let (schema, style, isExploded) = parameterSchema(parameter)
        object.append("schema", .object(schema))
        locations.noteOrigin(of: converted + ["schema"], original)
        if let style { object.append("style", .string(style)) }
        if let isExploded { object.append("explode", .bool(isExploded)) }
        return .object(object)
    }

    // MARK: Bodies

    private mutating func requestBody(
        _ entry: Entry, to converted: [String], _ consumes: [String]?, at operation: [String]
    ) -> JSONValue {
        if let text = entry.reference, consumes == nil || entry.tokens == nil {
            locations.noteOrigin(of: converted, operation + ["parameters"])
            return ["$ref": .string(reference(text, .body))]
        }
        let value = JSONValue.object(entry.value)
        return body(value, from: entry.tokens ?? operation, to: converted, consumes ?? self.consumes)
    }

    /// Converts the body parameter.
    mutating func body(
        _ value: JSONValue, from original: [String], to converted: [String], _ consumes: [String]
    ) -> JSONValue {
        guard let parameter = value.objectValue else { return value }
        if original != converted { locations.note(converted, from: original) }
        if let text = parameter["$ref"]?.stringValue { return ["$ref": .string(reference(text, .body))] }
        var object = JSONObject()
        for name in ["description", "required"] {
            if let member = parameter[name] { object.append(name, member) }
        }
        for (name, member) in parameter where name.hasPrefix("x-") { object.append(name, member) }
        let others = consumes.filter { !Self.isForm($0) }
        var content = JSONObject()
        let schema = parameter["schema"].map { self.schema($0) }
        locations.noteOrigin(of: converted + ["content"], original)
        for type in others.isEmpty ? consumes : others where content[type] == nil {
            var media = JSONObject()
            if let schema {
                media.append("schema", schema)
                locations.note(converted + ["content", type, "schema"], from: original + ["schema"])
            }
            content.append(type, .object(media))
        }
        object.append("content", .object(content))
        return .object(object)
    }

    private static func isForm(_ type: String) -> Bool {
        ["application/x-www-form-urlencoded", "multipart/form-data"].contains(MediaRange(type).essence)
    }

    private mutating func form(
        _ entries: [Entry], to converted: [String], _ consumes: [String], at operation: [String]
    ) -> JSONValue {
        var types = consumes.filter(Self.isForm)
        let hasFile = entries.contains { $0.value["type"]?.stringValue == "file" }
        if hasFile { types.removeAll { !$0.hasPrefix("multipart/") } }
        if types.isEmpty { types = [hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"] }
        var properties = JSONObject()
        var required: [JSONValue] = []
        var encodings = JSONObject()
        locations.noteOrigin(of: converted, operation + ["parameters"])
        for entry in entries where properties[entry.name] == nil {
            if entry.value["required"]?.boolValue == true { required.append(.string(entry.name)) }
            var (schema, style, isExploded) = parameterSchema(entry.value)
            if let tokens = entry.tokens {
                for type in types {
                    locations.note(converted + ["content", type, "schema", "properties", entry.name], from: tokens)
                }
                if let description = entry.value["description"] { schema.append("description", description) }
            } else if let text = entry.reference {
                schema = ["$ref": .string(reference(text, .formProperty))]
            }
            properties.append(entry.name, .object(schema))
            if let style, let isExploded {
                encodings.append(entry.name, ["style": .string(style), "explode": .bool(isExploded)])
            }
        }
        var schema: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { schema.append("required", .array(required)) }
        var media: JSONObject = ["schema": .object(schema)]
        if !encodings.isEmpty { media.append("encoding", .object(encodings)) }
        var content = JSONObject()
        for type in types where content[type] == nil { content.append(type, .object(media)) }
        return ["content": .object(content), "required": .bool(!required.isEmpty)]
    }

    // MARK: Responses

    private mutating func responses(
        _ value: JSONValue, from original: [String], to converted: [String], _ produces: [String]?
    ) -> JSONValue {
        guard let responses = value.objectValue else { return value }
        var object = JSONObject()
        object.reserveCapacity(responses.count)
        for (status, response) in responses {
            if status.hasPrefix("x-") {
                object.append(status, response)
                continue
            }
            var path = original + [status]
            var written = response
            // A response that operations share gets the media types of each operation.
            if let produces, produces != self.produces, let text = response["$ref"]?.stringValue,
                let target = library.target(of: text, in: location), target.part.location == location
            {
                path = target.part.tokens
                written = target.value
            }
            object.append(
                status, self.response(written, from: path, to: converted + [status], produces ?? self.produces))
            if path.count != original.count + 1, let type = (produces ?? self.produces).first {
                locations.noteCopy(converted + [status], of: original + [status])
                locations.noteCopy(
                    converted + [status, "content", type, "schema"], of: original + [status, "schema"])
            }
        }
        return .object(object)
    }

    /// Converts a response.
    mutating func response(
        _ value: JSONValue, from original: [String], to converted: [String], _ produces: [String]
    ) -> JSONValue {
        guard let response = value.objectValue else { return value }
        if original != converted { locations.note(converted, from: original) }
        if let text = response["$ref"]?.stringValue { return ["$ref": .string(reference(text, .response))] }
        var object = JSONObject()
        if let description = response["description"] { object.append("description", description) }
        if let headers = response["headers"] {
            object.append("headers", self.headers(headers, from: original + ["headers"], to: converted + ["headers"]))
        }
        for (name, member) in response where name.hasPrefix("x-") { object.append(name, member) }
        let examples = response["examples"]?.objectValue ?? JSONObject()
        if response["schema"] == nil, examples.isEmpty { return .object(object) }
        let schema = response["schema"].map { self.schema($0) }
        locations.noteOrigin(of: converted + ["content"], original)
        var content = JSONObject()
        for type in produces + examples.keys where content[type] == nil {
            var media = JSONObject()
            if let schema {
                media.append("schema", schema)
                locations.note(converted + ["content", type, "schema"], from: original + ["schema"])
            }
            if let example = examples[type] {
                media.append("example", example)
                locations.note(converted + ["content", type, "example"], from: original + ["examples", type])
            }
            content.append(type, .object(media))
        }
        object.append("content", .object(content))
        return .object(object)
    }

    private mutating func headers(_ value: JSONValue, from original: [String], to converted: [String]) -> JSONValue {
        guard let headers = value.objectValue else { return value }
        var object = JSONObject()
        for (name, member) in headers {
            guard let header = member.objectValue else {
                object.append(name, member)
                continue
            }
            var result = JSONObject()
            if let description = header["description"] { result.append("description", description) }
            for (key, value) in header where key.hasPrefix("x-") && key != "x-nullable" { result.append(key, value) }
            let (schema, style, isExploded) = parameterSchema(header)
            result.append("schema", .object(schema))
            locations.noteOrigin(of: converted + [name, "schema"], original + [name])
            if let style { result.append("style", .string(style)) }
            if let isExploded { result.append("explode", .bool(isExploded)) }
            object.append(name, .object(result))
        }
        return .object(object)
    }
}
