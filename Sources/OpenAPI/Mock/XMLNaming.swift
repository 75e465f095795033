import JSON

/// The names, namespaces and kinds of nodes that schemas give values in XML (XML Object).
struct XMLNaming {
    /// The kinds of nodes that a value becomes (`nodeType`, OpenAPI 3.2; `attribute` and `wrapped` before).
    enum Kind {
        case element, attribute, text, cdata
        /// No node: only those of its members or elements.
        case none
    }

    /// The name in place of the property's.
    var name: String?
    /// The URI of the namespace.
    var namespace: String?
    /// The prefix of the name.
    var prefix: String?
    private var kind: Kind?
    /// The schema and all that it is composed of: what `$ref`, `allOf`, `anyOf` and `oneOf` lead to.
    private var parts: [DescriptionNode] = []
    private static let mostParts = 300

    /// Reads what a schema says of a value.
    init(_ schema: DescriptionNode?, _ value: JSONValue, _ sampler: SchemaSampler) {
        guard let schema else { return }
        if let xml = Self.xml(of: schema, sampler.description) {
            name = xml.value["name"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
            namespace = xml.value["namespace"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
            prefix = xml.value["prefix"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
            switch xml.value["nodeType"]?.stringValue {
            case "element"?: kind = .element
            case "attribute"?: kind = .attribute
            case "text"?: kind = .text
            case "cdata"?: kind = .cdata
            case "none"?: kind = Kind.none
            default:
                if xml.value["attribute"]?.boolValue == true { kind = .attribute }
                if xml.value["wrapped"]?.boolValue == true, value.arrayValue != nil { kind = .element }
            }
        }
        var seen: Set<DescriptionNode> = []
        collect(schema, value, sampler, &seen)
    }

    /// What a value becomes: an array is its elements, anything else an element, unless the schema says otherwise.
    func kind(of value: JSONValue) -> Kind { kind ?? (value.arrayValue == nil ? .element : .none) }

    /// The schema of a member.
    func property(_ name: String) -> DescriptionNode? {
        for part in parts {
            if let schema = part["properties"]?[name] { return schema }
        }
        return parts.lazy.compactMap { $0["additionalProperties"] }.first { $0.value.objectValue != nil }
    }

    /// The schema of an element of an array.
    func item(_ position: Int) -> DescriptionNode? {
        for part in parts {
            for list in [part["prefixItems"], part["items"]] {
                if let elements = list?.elements, elements.indices.contains(position) { return elements[position] }
            }
            if let items = part["items"], items.value.objectValue != nil { return items }
        }
        return nil
    }

    /// The name of the component that a schema refers to, or is.
    static func component(_ schema: DescriptionNode?, _ description: OpenAPIDescription) -> String? {
        guard let schema else { return nil }
        let target = schema.reference.flatMap { try? description.files.target(of: $0, from: schema) } ?? schema
        let tokens = target.pointer.tokens
        guard tokens.count >= 2, ["schemas", "definitions"].contains(tokens[tokens.count - 2]) else { return nil }
        return tokens.last
    }

    /// The XML Object of a schema: its own, or that of what it refers to.
    private static func xml(of schema: DescriptionNode, _ description: OpenAPIDescription) -> DescriptionNode? {
        var current = schema
        for _ in 0..<DescriptionFiles.longestChain {
            if let xml = current["xml"] { return xml }
            if let reference = current.reference {
                guard let target = try? description.files.target(of: reference, from: current) else { return nil }
                current = target
            } else if let parts = current["allOf"]?.elements, parts.count == 1, let only = parts.first {
                // The way of 3.0 to write members beside a $ref.
                current = only
            } else {
                return nil
            }
        }
        return nil
    }

    private mutating func collect(
        _ schema: DescriptionNode, _ value: JSONValue, _ sampler: SchemaSampler, _ seen: inout Set<DescriptionNode>
    ) {
        guard parts.count < Self.mostParts, seen.insert(schema).inserted else { return }
        parts.append(schema)
        if schema.reference != nil, let target = sampler.description.resolved(schema) {
            collect(target, value, sampler, &seen)
        }
        for part in schema["allOf"]?.elements ?? [] { collect(part, value, sampler, &seen) }
        for keyword in ["oneOf", "anyOf"] {
            guard let branches = schema[keyword]?.elements, !branches.isEmpty else { continue }
            // The branch that the value follows says most of it.
            let own = branches.count == 1 ? branches.first : branches.first { sampler.accepts(value, $0) }
            if let own { collect(own, value, sampler, &seen) }
            for branch in branches { collect(branch, value, sampler, &seen) }
        }
    }
}
