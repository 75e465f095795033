import Basics
import Diagnostics
import JSON

extension StructureCheck {
    /// Checks the rules for an object beyond the types of its members.
    mutating func checkMeaning(_ node: DescriptionNode, _ kind: ObjectKind) {
        switch kind {
        case .root, .swaggerRoot: checkRoot(node, kind)
        case .server: checkServer(node)
        case .serverVariable: checkVariable(node)
        case .paths, .swaggerPaths: checkPaths(node)
        case .pathItem: checkAdditionalOperations(node)
        case .operation: checkOperation(node)
        case .parameter, .header: checkParameter(node, kind)
        case .swaggerParameter: checkSwaggerParameter(node)
        case .mediaType: checkMediaType(node)
        case .example: break
        case .link: checkLink(node)
        case .callback: checkCallback(node)
        case .responses, .swaggerResponses: checkResponses(node)
        case .schema: checkSchema(node)
        case .discriminator: checkDiscriminator(node)
        case .securityScheme: checkSecurityScheme(node)
        case .swaggerSecurityScheme: checkSwaggerSecurityScheme(node)
        case .flow: checkFlow(node)
        case .securityRequirement: checkSecurityRequirement(node)
        default: break
        }
    }

    private mutating func checkRoot(_ node: DescriptionNode, _ kind: ObjectKind) {
        if kind == .root, version >= .openAPI31, node["paths"] == nil, node["webhooks"] == nil,
            node["components"] == nil
        {
            report(
                "missing-member", "the description has no \"paths\"", at: node, suggestion: "add \"paths\"")
        }
        var names: [String: DescriptionNode] = [:]
        for tag in node["tags"]?.elements ?? [] {
            guard let name = tag.value["name"]?.stringValue else { continue }
            if let first = names.updateValue(tag, forKey: name) {
                report(
                    "duplicate-tag", "duplicate tag \"\(name)\"", at: tag["name"] ?? tag,
                    related: ("first defined here", first))
            }
        }
        for tag in names.values.sorted(by: { $0.pointer.description < $1.pointer.description }) {
            guard version >= .openAPI32, let parent = tag["parent"], let text = parent.value.stringValue else {
                continue
            }
            if names[text] == nil {
                report(
                    "unknown-tag", "unknown tag \"\(text)\"", at: parent,
                    suggestion: Spelling.nearest(to: text, among: names.keys.sorted()).map { "did you mean \"\($0)\"?" }
                )
            }
        }
    }

    // MARK: Servers

    private mutating func checkServer(_ node: DescriptionNode) {
        guard let url = node["url"], let text = url.value.stringValue else { return }
        let variables = node["variables"]
        var used: Set<String> = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                report("invalid-openapi", "the server URL has an unclosed brace", at: url, suggestion: "add \"}\"")
                break
            }
            let name = String(rest[rest.index(after: open)..<close])
            used.insert(name)
            if variables?.value[name] == nil {
                let names = variables?.value.objectValue?.keys.map { $0 } ?? []
                report(
                    "unknown-server-variable", "the server has no variable \"\(name)\"", at: url,
                    suggestion: Spelling.nearest(to: name, among: names).map { "did you mean \"\($0)\"?" }
                        ?? "add variables: { \(name): { default: … } }")
            }
            rest = rest[rest.index(after: close)...]
        }
        for variable in variables?.members ?? [] where !used.contains(variable.name) {
            report(
                "unused-server-variable", "the server URL does not contain \"{\(variable.name)}\"", at: variable,
                atKey: true,
                severity: .warning)
        }
    }

    private mutating func checkVariable(_ node: DescriptionNode) {
        guard let values = node["enum"]?.value.arrayValue else { return }
        let severity: Severity = version >= .openAPI31 ? .error : .warning
        if values.isEmpty, let list = node["enum"] {
            report("invalid-openapi", "\"enum\" is empty", at: list, severity: severity)
        } else if let value = node["default"], !values.contains(value.value) {
            report(
                "invalid-openapi", "the default is not one of the variable's values", at: value,
                suggestion: "valid values: \(values.compactMap(\.stringValue).prefix(8).joined(separator: ", "))",
                severity: severity)
        }
    }

    // MARK: Paths

    private mutating func checkPaths(_ node: DescriptionNode) {
        for path in node.members where !path.name.hasPrefix("x-") {
            guard let mark = path.name.firstIndex(where: { $0 == "?" || $0 == "#" }) else { continue }
            let isQuery = path.name[mark] == "?"
            report(
                "invalid-path",
                "the path \"\(path.name)\" has a \(isQuery ? "query" : "fragment"), so no request matches it",
                at: path, atKey: true,
                suggestion: isQuery
                    ? "end the path before \"?\", and describe the rest as query parameters"
                    : "end the path before \"#\"", severity: .warning)
        }
        for path in node.members where !path.name.hasPrefix("/") && !path.name.hasPrefix("x-") {
            report(
                "invalid-openapi", "the path \"\(path.name)\" must start with a slash", at: path, atKey: true,
                suggestion: "write \"/\(path.name)\"")
        }
    }

    private mutating func checkAdditionalOperations(_ node: DescriptionNode) {
        guard version >= .openAPI32 else { return }
        for operation in node["additionalOperations"]?.members ?? []
        where DescriptionReader.methods.contains(operation.name.lowercased()) {
            report(
                "invalid-openapi", "\"\(operation.name)\" does not belong in \"additionalOperations\"", at: operation,
                atKey: true,
                suggestion: "move it to the key \"\(operation.name.lowercased())\" of the path")
        }
    }

    private mutating func checkOperation(_ node: DescriptionNode) {
        if let body = node["requestBody"], ["get", "head"].contains(node.name), version == .openAPI30 {
            report(
                "ignored-request-body", "a request body has no meaning for \(node.name.uppercased())", at: body,
                atKey: true, severity: .warning)
        }
    }

    private mutating func checkResponses(_ node: DescriptionNode) {
        let statuses = node.members.filter { !$0.name.hasPrefix("x-") }
        if statuses.isEmpty {
            report(
                "no-responses", "the operation has no responses", at: node, atKey: true,
                suggestion: "add the statuses that it returns", severity: .warning)
        }
        for status in statuses where Response.Status(status.name) == nil {
            report(
                "invalid-openapi", "\"\(status.name)\" is not a status", at: status, atKey: true,
                suggestion: "write a status such as 200, a class such as 2XX, or default")
        }
    }

    // MARK: Components

    /// Reports the components that nothing refers to.
    mutating func reportUnusedComponents() {
        let sections =
            version == .swagger2
            ? ["definitions", "parameters", "responses"].compactMap { root[$0] } : root["components"]?.members ?? []
        for section in sections where section.name != "securitySchemes" && !section.name.hasPrefix("x-") {
            for component in section.members where !usedComponents.contains("\(section.name)/\(component.name)") {
                if inherits(component) { continue }
                report(
                    "unused-component", "nothing refers to \"\(component.name)\"", at: component, atKey: true,
                    severity: .note)
            }
        }
    }

    /// Returns whether a schema extends one whose discriminator refers to it by name.
    private func inherits(_ schema: DescriptionNode) -> Bool {
        (schema["allOf"]?.elements ?? []).contains { part in
            part.reference != nil && (try? files.resolve(part))?.value["discriminator"] != nil
        }
    }
}
