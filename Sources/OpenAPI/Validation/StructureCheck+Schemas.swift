import Basics
import Diagnostics
import JSON
import RegularExpressions

extension StructureCheck {
    /// The maximum number of branches to compare with each other.
    private static let comparedBranches = 500
    private static let types = ["string", "number", "integer", "boolean", "array", "object", "null"]

    /// Checks the rules for a schema beyond the types of its keywords.
    mutating func checkSchema(_ node: DescriptionNode) {
        checkRequired(node)
        checkBounds(node)
        checkNull(node)
        checkNames(ofBranches: node)
        if let values = node["enum"], values.value.arrayValue?.isEmpty == true {
            report(
                "invalid-schema", "\"enum\" is empty, so no value matches the schema", at: values, atKey: true,
                severity: .warning)
        }
        for keyword in ["allOf", "anyOf", "oneOf"] where version != .swagger2 || keyword == "allOf" {
            if let list = node[keyword], list.value.arrayValue?.isEmpty == true {
                report("invalid-schema", "\"\(keyword)\" is empty", at: list, atKey: true, suggestion: "remove it")
            }
        }
        checkBranches(node)
        if node["readOnly"]?.value == true, node["writeOnly"]?.value == true, let member = node["writeOnly"] {
            report(
                "exclusive-members", "a schema is both \"readOnly\" and \"writeOnly\", which are mutually exclusive",
                at: member,
                atKey: true, suggestion: "remove one of them")
        }
        if version <= .openAPI30, node["type"]?.value == "array", node["items"] == nil, let type = node["type"] {
            report(
                "missing-member", "a schema with type: array has no \"items\"", at: type, suggestion: "add items: {}")
        }
        if let value = node["default"] {
            samples.append(SchemaSample(value: value, schema: node, noun: "the default", isRequest: nil))
        }
        if let value = node["example"] {
            samples.append(SchemaSample(value: value, schema: node, noun: "the example", isRequest: nil))
        }
        if version >= .openAPI31 {
            for value in node["examples"]?.elements ?? [] {
                samples.append(SchemaSample(value: value, schema: node, noun: "the example", isRequest: nil))
            }
        }
    }

    /// Reports equal branches of `oneOf`. A value that matches one also matches the other, and therefore not the
    /// `oneOf`.
    private mutating func checkBranches(_ node: DescriptionNode) {
        let branches = (node["oneOf"]?.elements ?? []).prefix(Self.comparedBranches)
        guard branches.count > 1 else { return }
        var known: [JSONValue: Int] = [:]
        for (position, branch) in branches.enumerated() {
            guard let value = (try? files.resolve(branch))?.value.withoutAnnotations else { continue }
            guard let first = known[value] else {
                known[value] = position
                continue
            }
            report(
                "equal-branches",
                "branch \(position) of \"oneOf\" equals branch \(first), so a value that matches both does not "
                    + "match \"oneOf\"", at: branch, suggestion: "remove one of them, or use \"anyOf\"",
                severity: .warning)
        }
    }

    private mutating func checkRequired(_ node: DescriptionNode) {
        guard let required = node["required"] else { return }
        let names = required.elements
        if names.isEmpty, required.value.arrayValue != nil, version <= .openAPI30 {
            report(
                "invalid-schema", "\"required\" is empty", at: required, atKey: true, suggestion: "remove it",
                severity: .warning)
        }
        let properties = node["properties"]?.value.objectValue
        var seen: Set<String> = []
        for name in names {
            guard let text = name.value.stringValue else { continue }
            if !seen.insert(text).inserted {
                report("invalid-schema", "\"required\" names \"\(text)\" twice", at: name, severity: .warning)
            }
            // Properties can be defined elsewhere, so only a name similar to a known one is reported.
            guard let properties, properties[text] == nil,
                let nearest = Spelling.nearest(to: text, among: properties.keys.prefix(1_000))
            else { continue }
            report(
                "unknown-property", "\"required\" names \"\(text)\", which is not a property", at: name,
                suggestion: "did you mean \"\(nearest)\"?", severity: .warning)
        }
    }

    private mutating func checkBounds(_ node: DescriptionNode) {
        let pairs = [
            ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"),
            ("minProperties", "maxProperties"), ("minContains", "maxContains"),
            ("exclusiveMinimum", "exclusiveMaximum"),
        ]
        for (lower, upper) in pairs {
            guard let minimum = node[lower]?.value.numberValue, let member = node[upper],
                let maximum = member.value.numberValue, maximum < minimum
            else { continue }
            report(
                "invalid-schema", "\"\(upper)\" is less than \"\(lower)\", so no value matches the schema", at: member,
                severity: .warning)
        }
        if let factor = node["multipleOf"], let number = factor.value.numberValue, number <= 0 {
            report("invalid-schema", "\"multipleOf\" must be greater than 0, got \(number)", at: factor)
        }
    }

    private mutating func checkNull(_ node: DescriptionNode) {
        guard version == .openAPI30, let nullable = node["nullable"], nullable.value == true, node["type"] == nil else {
            return
        }
        report(
            "invalid-schema", "\"nullable\" has no effect without \"type\"", at: nullable, atKey: true,
            suggestion: "add \"type\"", severity: .warning)
    }

    // MARK: Keywords

    /// Checks `type`: a name, or since OpenAPI 3.1 an array of names.
    mutating func checkTypes(_ node: DescriptionNode) {
        if let names = node.value.arrayValue {
            if version.usesSchemaDialect30 {
                report(
                    "invalid-schema", "\"type\" must be a single type in OpenAPI \(version.rawValue), got an array",
                    at: node,
                    suggestion: names.contains("null")
                        ? (version == .swagger2
                            ? "write the type and x-nullable: true" : "write the type and nullable: true")
                        : "use oneOf for several types")
                return
            }
            for element in node.elements { checkType(element) }
        } else {
            checkType(node)
        }
    }

    private mutating func checkType(_ node: DescriptionNode) {
        guard let name = node.value.stringValue else {
            return report("invalid-schema", "\"type\" must be a string, got \(node.value.kindName)", at: node)
        }
        if name == "file", version == .swagger2 { return }
        if name == "null", version.usesSchemaDialect30 {
            return report(
                "invalid-schema", "\"null\" is not a type in OpenAPI \(version.rawValue)", at: node,
                suggestion: "use nullable: true with another type")
        }
        guard !Self.types.contains(name) else { return }
        let others = [
            "int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "float": "number",
            "double": "number", "bool": "boolean", "date": "string", "datetime": "string", "date-time": "string",
            "uuid": "string", "file": "string", "text": "string", "map": "object", "list": "array", "any": "",
        ]
        let suggestion: MessageText?
        switch others[name.lowercased()] {
        case ""?: suggestion = "omit \"type\" to allow any type"
        case "string"? where name != "text": suggestion = "write type: string, format: \(Self.format(of: name))"
        case let other?: suggestion = "did you mean \"\(other)\"?"
        case nil:
            suggestion =
                Spelling.nearest(to: name, among: Self.types).map { "did you mean \"\($0)\"?" }
                ?? "known types: \(Self.types.joined(separator: ", "))"
        }
        report("invalid-schema", "unknown type \"\(name)\"", at: node, suggestion: suggestion)
    }

    private static func format(of type: String) -> String {
        switch type.lowercased() {
        case "file": "binary"
        case "datetime": "date-time"
        default: type.lowercased()
        }
    }

    /// Checks `exclusiveMinimum` and `exclusiveMaximum`: Booleans in OpenAPI 3.0, numbers since 3.1.
    mutating func checkExclusiveBound(_ node: DescriptionNode) {
        let other = node.name == "exclusiveMinimum" ? "minimum" : "maximum"
        if version.usesSchemaDialect30 {
            if node.value.boolValue == nil {
                report(
                    "invalid-schema",
                    "\"\(node.name)\" must be true or false in OpenAPI \(version.rawValue), "
                        + "got \(node.value.kindName)", at: node,
                    suggestion: "write the bound as \"\(other)\" and \(node.name): true")
            }
        } else if node.value.numberValue == nil {
            report(
                "invalid-schema", "\"\(node.name)\" must be a number since OpenAPI 3.1, got \(node.value.kindName)",
                at: node,
                suggestion: node.value.boolValue == nil ? nil : "write the bound here instead of in \"\(other)\"")
        }
    }

    /// Checks a regular expression.
    mutating func checkPatternText(_ node: DescriptionNode) {
        guard let pattern = node.value.stringValue else {
            return report("invalid-schema", "\"pattern\" must be a string, got \(node.value.kindName)", at: node)
        }
        do {
            _ = try RegularExpression(pattern, dialect: .ecmaScript)
        } catch {
            report("invalid-schema", "\"pattern\" is not a valid regular expression: \(error.wording)", at: node)
        }
    }
}

extension JSONValue {
    /// The schema without the keywords that do not affect validity.
    fileprivate var withoutAnnotations: JSONValue {
        guard case .object(let members) = self else { return self }
        var object = JSONObject()
        for (name, member) in members
        where !["title", "description", "default", "example", "examples", "deprecated", "externalDocs", "xml"].contains(
            name)
            && !name.hasPrefix("x-")
        {
            // The annotations of properties do not matter either.
            if name == "properties", case .object(let properties) = member {
                var plain = JSONObject()
                for (key, value) in properties { plain.append(key, value.withoutAnnotations) }
                object.append(name, .object(plain))
            } else if name == "allOf", case .array(let parts) = member {
                object.append(name, .array(parts.map(\.withoutAnnotations)))
            } else {
                object.append(name, member)
            }
        }
        return .object(object)
    }
}
