import JSON

/// A search for the members of a value that a schema does not describe, although it could have additional members.
///
/// A client that reads such a member depends on something that the description does not promise.
struct UndocumentedMembers {
    /// A member without a description.
    struct Member {
        /// The location of the member in the value.
        let path: NormalizedPath
        let name: String
        /// The names of the members that the object's schemas describe.
        let documented: [String]
    }

    /// The schemas that can apply to one value.
    private struct Schemas {
        var nodes: [DescriptionNode] = []
        /// Whether one of the schemas accepts members of any name on purpose.
        var isOpen = false
    }

    private let description: OpenAPIDescription
    /// The number of schemas that can still be visited, because schemas can refer to themselves and branch at each step.
    private var budget = 200_000
    private var found: [Member] = []

    init(_ description: OpenAPIDescription) {
        self.description = description
    }

    /// Returns the undocumented members of a value, which include those of nested objects.
    mutating func members(of value: JSONValue, at schema: DescriptionNode) -> [Member] {
        search(value, [schema], NormalizedPath())
        return budget > 0 ? found : []
    }

    private mutating func search(_ value: JSONValue, _ sites: [DescriptionNode], _ path: NormalizedPath) {
        guard !sites.isEmpty, budget > 0 else { return }
        switch value {
        case .object(let object): search(object, schemas(at: sites), path)
        case .array(let elements):
            let schemas = schemas(at: sites).nodes
            for (index, element) in elements.enumerated() {
                let own = schemas.flatMap { node in
                    let first = node["prefixItems"]?.elements ?? []
                    return index < first.count ? [first[index]] : node["items"].map { [$0] } ?? []
                }
                search(element, own, path.appending(.index(index)))
            }
        case .null, .bool, .number, .string: break
        }
    }

    private mutating func search(_ object: JSONObject, _ schemas: Schemas, _ path: NormalizedPath) {
        let documented = schemas.nodes.flatMap { $0["properties"]?.members.map(\.name) ?? [] }
        for (name, member) in object {
            let own = schemas.nodes.compactMap { $0["properties"]?[name] }
            let others = schemas.nodes.compactMap { $0["additionalProperties"] }.filter { $0.value.objectValue != nil }
            let path = path.appending(.name(name))
            if own.isEmpty, others.isEmpty, !documented.isEmpty, !schemas.isOpen {
                found.append(Member(path: path, name: name, documented: documented))
            } else {
                search(member, own.isEmpty ? others : own, path)
            }
        }
    }

    /// Returns the schemas at some locations with all schemas that they apply to the same value.
    private mutating func schemas(at sites: [DescriptionNode]) -> Schemas {
        var schemas = Schemas()
        var seen: Set<DescriptionNode> = []
        var pending: [(site: DescriptionNode, isAlternative: Bool)] = []
        func add(_ sites: [DescriptionNode]?, isAlternative: Bool = false) {
            for site in sites ?? [] { pending.append((site, isAlternative)) }
        }
        add(sites)
        while let (site, isAlternative) = pending.popLast(), budget > 0 {
            budget -= 1
            guard seen.insert(site).inserted else { continue }
            guard let node = description.resolved(site) else {
                schemas.isOpen = true
                continue
            }
            if node != site {
                pending.append((node, isAlternative))
                if description.version.usesSchemaDialect30 { continue }
            }
            schemas.nodes.append(site)
            if Self.isOpen(site.value) || isAlternative && Self.isAnyObject(site.value) { schemas.isOpen = true }
            add(site["allOf"]?.elements, isAlternative: isAlternative)
            for keyword in ["anyOf", "oneOf"] { add(site[keyword]?.elements, isAlternative: true) }
            for keyword in ["then", "else"] { add(site[keyword].map { [$0] }) }
            add(site["dependentSchemas"]?.members)
        }
        return schemas
    }

    /// Returns whether a schema accepts members of any name on purpose.
    private static func isOpen(_ schema: JSONValue) -> Bool {
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if schema[keyword] == true || schema[keyword]?.objectValue?.isEmpty == true { return true }
        }
        return schema["patternProperties"] != nil || schema["$dynamicRef"] != nil
    }

    /// Returns whether a schema accepts every object.
    private static func isAnyObject(_ schema: JSONValue) -> Bool {
        guard let keywords = schema.objectValue else { return schema == true }
        let isObject = schema["type"] == "object" || schema["type"]?.arrayValue?.contains("object") == true
        return keywords.isEmpty || isObject && !objectKeywords.contains { schema[$0] != nil }
    }

    /// The keywords that describe members, or refer to schemas that do.
    private static let objectKeywords = [
        "properties", "additionalProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf", "then", "else",
        "$ref",
    ]
}
