import Basics
import Diagnostics
import JSON

extension StructureCheck {
    /// The headers that other parts of a description represent (section "Parameter Object").
    private static let ignoredHeaders: Set = ["accept", "content-type", "authorization"]

    // MARK: Parameters

    /// Checks the members of a parameter or a header.
    mutating func checkParameter(_ node: DescriptionNode, _ kind: ObjectKind) {
        if node["schema"] == nil, node["content"] == nil {
            report(
                "missing-member", "\(kind.noun) has neither \"schema\" nor \"content\"", at: node, atKey: true,
                suggestion: "add schema: { type: string }")
        }
        if let content = node["content"], let members = content.value.objectValue, members.count != 1 {
            report(
                "invalid-openapi", "\"content\" of \(kind.noun) must have exactly one media type, got \(members.count)",
                at: content,
                atKey: true)
        }
        addSamples(of: node, isRequest: kind == .parameter ? true : nil)
        guard kind == .parameter, let member = node["in"], let text = member.value.stringValue else { return }
        guard let location = Parameter.Location(rawValue: text), location != .querystring || version >= .openAPI32
        else {
            return report(
                "invalid-openapi", "a parameter cannot be in \"\(text)\"", at: member,
                suggestion: text == "body" || text == "formData"
                    ? "that is Swagger 2.0 syntax: use \"requestBody\""
                    : text == "querystring"
                        ? "that requires OpenAPI 3.2; this description uses \(version.rawValue)"
                        : "use path, query, header, or cookie")
        }
        checkLocation(node, location)
    }

    private mutating func checkLocation(_ node: DescriptionNode, _ location: Parameter.Location) {
        let name = node["name"]?.value.stringValue ?? ""
        switch location {
        case .path:
            if node["required"]?.value != true {
                report(
                    "invalid-openapi", "the path parameter \"\(name)\" must be required", at: node,
                    suggestion: "add required: true")
            }
        case .header:
            if Self.ignoredHeaders.contains(name.lowercased()) {
                report(
                    "ignored-parameter", "a parameter for the header \"\(name)\" is ignored", at: node["name"] ?? node,
                    suggestion: name.lowercased() == "authorization"
                        ? "use \"security\"" : "use the media types under \"content\"", severity: .warning)
            }
        case .querystring:
            for keyword in ["schema", "style", "explode"] {
                if let member = node[keyword] {
                    report(
                        "invalid-openapi", "a parameter in \"querystring\" cannot have \"\(keyword)\"", at: member,
                        atKey: true,
                        suggestion: "use \"content\"")
                }
            }
        case .query, .cookie: break
        }
        if location != .query, let member = node["allowEmptyValue"] {
            report(
                "invalid-openapi", "\"allowEmptyValue\" is allowed only for query parameters", at: member, atKey: true,
                severity: .warning)
        }
        if let style = node["style"], let text = style.value.stringValue, !Self.styles(location, version).contains(text)
        {
            report(
                "invalid-openapi", "\"\(text)\" is not a valid style for a parameter in \(location.rawValue)",
                at: style,
                suggestion: "valid styles: \(Self.styles(location, version).joined(separator: ", "))")
        }
    }

    private static func styles(_ location: Parameter.Location, _ version: OpenAPIVersion) -> [String] {
        switch location {
        case .path: ["simple", "label", "matrix"]
        case .query, .querystring: ["form", "spaceDelimited", "pipeDelimited", "deepObject"]
        case .header: ["simple"]
        case .cookie: version >= .openAPI32 ? ["form", "cookie"] : ["form"]
        }
    }

    /// Checks the members of a Swagger 2.0 parameter.
    mutating func checkSwaggerParameter(_ node: DescriptionNode) {
        let location = node["in"]?.value.stringValue
        if location == "body" {
            if node["schema"] == nil {
                report(
                    "missing-member", "a body parameter has no \"schema\"", at: node, atKey: true,
                    suggestion: "add \"schema\"")
            }
            return
        }
        if let schema = node["schema"] {
            report(
                "invalid-openapi", "only a body parameter can have a \"schema\"", at: schema, atKey: true,
                suggestion: "use \"type\" instead")
        } else if location != nil, node["type"] == nil {
            report(
                "missing-member", "a parameter has no \"type\"", at: node, atKey: true, suggestion: "add \"type\"")
        }
        if location == "path", node["required"]?.value != true {
            report(
                "invalid-openapi",
                "the path parameter \"\(node["name"]?.value.stringValue ?? "")\" must be required", at: node,
                suggestion: "add required: true")
        }
        let type = node["type"]?.value.stringValue
        if type == "array", node["items"] == nil {
            report(
                "missing-member", "a parameter with type: array has no \"items\"", at: node, atKey: true,
                suggestion: "add items: { type: string }")
        }
        if type == "file", location != "formData", location != nil {
            report("invalid-openapi", "type \"file\" is allowed only in formData", at: node["type"] ?? node)
        }
    }

    // MARK: Bodies

    /// Checks the encodings of a media type against its schema.
    mutating func checkMediaType(_ node: DescriptionNode) {
        addSamples(of: node, isRequest: node.pointer.tokens.contains("requestBody") ? true : nil)
        guard let encoding = node["encoding"], let schema = node["schema"],
            let properties = (try? files.resolve(schema)).flatMap({ properties(of: $0) })
        else { return }
        for member in encoding.members where properties[member.name] == nil && !member.name.hasPrefix("x-") {
            report(
                "unknown-property", "the schema has no property \"\(member.name)\"", at: member, atKey: true,
                suggestion: Spelling.nearest(to: member.name, among: properties.keys).map { "did you mean \"\($0)\"?" },
                severity: .warning)
        }
    }

    /// Returns the properties of a schema, or `nil` if other keywords can define more of them.
    private func properties(of schema: DescriptionNode) -> JSONObject? {
        for keyword in ["allOf", "anyOf", "oneOf", "$ref", "patternProperties", "additionalProperties", "if"] {
            if schema[keyword] != nil { return nil }
        }
        return schema["properties"]?.value.objectValue
    }

    /// Collects the examples next to a schema.
    private mutating func addSamples(of node: DescriptionNode, isRequest: Bool?) {
        guard let schema = node["schema"] else { return }
        if let example = node["example"] {
            samples.append(SchemaSample(value: example, schema: schema, noun: "the example", isRequest: isRequest))
        }
        for site in node["examples"]?.members ?? [] {
            guard let example = try? files.resolve(site), let value = example["dataValue"] ?? example["value"] else {
                continue
            }
            samples.append(
                SchemaSample(value: value, schema: schema, noun: "the example \"\(site.name)\"", isRequest: isRequest))
        }
    }
}
