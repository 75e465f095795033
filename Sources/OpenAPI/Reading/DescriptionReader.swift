import Diagnostics
import JSON

/// Reads a description: values become the model, references are followed, and what is wrong is told with its place.
///
/// One bad part is left out and the rest is read. What references lead to is read once, whatever refers to it.
struct DescriptionReader {
    /// How many objects are read: many references to one path with many operations could ask for any number.
    private static let mostObjects = 4_000_000

    /// The files.
    let files: DescriptionFiles
    /// The version that the description says it follows.
    let version: OpenAPIVersion
    /// What is wrong.
    private(set) var problems = ProblemList()
    /// What was read where references lead to.
    var known = KnownParts()
    /// The places of references that lead nowhere.
    private var brokenReferences: Set<DescriptionNode> = []
    /// The references that lead nowhere, for one problem each.
    private var broken = BrokenReferences()
    private var objectCount = 0

    /// Creates a reader.
    init(files: DescriptionFiles, version: OpenAPIVersion) {
        self.files = files
        self.version = version
    }

    // MARK: Problems

    /// Adds a problem at a node.
    mutating func report(
        _ id: String, _ message: String, at node: DescriptionNode, atKey: Bool = false, suggestion: String? = nil,
        severity: Severity = .error, related: (String, DescriptionNode)? = nil
    ) {
        problems.add(
            id, message, at: node, atKey: atKey, suggestion: suggestion, severity: severity, related: related)
    }

    // MARK: References

    /// Tells which references lead nowhere, once everything is read.
    mutating func tellBrokenReferences() { broken.tell(&problems) }

    /// What a node stands for; nil, and told, when its `$ref` leads nowhere.
    mutating func resolve(_ node: DescriptionNode) -> DescriptionNode? {
        guard let reference = node["$ref"] else { return node }
        guard node.reference != nil else {
            report("invalid-reference", "a $ref is a text", at: reference)
            return nil
        }
        do {
            return try files.resolve(node)
        } catch {
            guard brokenReferences.insert(node).inserted else { return nil }
            for cause in error.causes { problems.add(cause) }
            broken.add(reference, error)
            return nil
        }
    }

    /// The text of a member that, since 3.1, may also stand beside the `$ref` that led to a node.
    mutating func string(
        _ name: String, of node: DescriptionNode, referredToFrom site: DescriptionNode
    ) -> String? {
        if version >= .openAPI31, site.reference != nil, site[name] != nil { return string(site, name) }
        return string(node, name)
    }

    // MARK: Values

    /// Whether a node is an object; told when it is not.
    mutating func isObject(_ node: DescriptionNode, _ what: String) -> Bool {
        guard node.value.objectValue != nil else {
            report("invalid-openapi", "\(what) is an object, not \(node.value.kindName)", at: node)
            return false
        }
        objectCount += 1
        if objectCount == Self.mostObjects {
            report(
                "too-large",
                "the description is too large: what its references lead to has more than "
                    + "\(Self.mostObjects) parts", at: node)
        }
        return objectCount < Self.mostObjects
    }

    /// The member of an object, unless it is absent.
    mutating func object(_ node: DescriptionNode, _ name: String) -> DescriptionNode? {
        guard let member = present(node, name) else { return nil }
        return isObject(member, "\"\(name)\"") ? member : nil
    }

    /// The member of an object, unless it is absent or null, which many tools write and read for absent.
    private mutating func present(_ node: DescriptionNode, _ name: String) -> DescriptionNode? {
        guard let member = node[name] else { return nil }
        guard member.value.isNull else { return member }
        report(
            "null-member", "\"\(name)\" is null, which is read as if it were not there", at: member, atKey: true,
            suggestion: "remove it", severity: .warning)
        return nil
    }

    /// The elements of a list, unless it is absent.
    mutating func list(_ node: DescriptionNode, _ name: String) -> [DescriptionNode]? {
        guard let member = present(node, name) else { return nil }
        guard member.value.arrayValue != nil else {
            report("invalid-openapi", "\"\(name)\" is a list, not \(member.value.kindName)", at: member)
            return nil
        }
        return member.elements
    }

    /// The text of a member, unless it is absent.
    mutating func string(_ node: DescriptionNode, _ name: String) -> String? {
        guard let member = present(node, name) else { return nil }
        if let text = member.value.stringValue { return text }
        // `version: 1.0` without quotes is common and harmless.
        if case .number(let number) = member.value { return "\(number)" }
        report("invalid-openapi", "\"\(name)\" is a text, not \(member.value.kindName)", at: member)
        return nil
    }

    /// The text of a member that must be there.
    mutating func requiredString(_ node: DescriptionNode, _ name: String, of what: String) -> String? {
        if node[name] == nil {
            report("missing-member", "\(what) has no \"\(name)\"", at: node, atKey: true, suggestion: "add \"\(name)\"")
        }
        return string(node, name)
    }

    /// The boolean of a member, unless it is absent.
    mutating func bool(_ node: DescriptionNode, _ name: String) -> Bool? {
        guard let member = present(node, name) else { return nil }
        if let value = member.value.boolValue { return value }
        report("invalid-openapi", "\"\(name)\" is true or false, not \(member.value.kindName)", at: member)
        return nil
    }

    /// The members of an object that are no extensions (`x-…`).
    mutating func entries(_ node: DescriptionNode, _ name: String) -> [DescriptionNode] {
        object(node, name)?.members.filter { !$0.name.hasPrefix("x-") } ?? []
    }

    /// The members of an object whose names may be any.
    mutating func named(_ node: DescriptionNode, _ name: String) -> [DescriptionNode] {
        object(node, name)?.members ?? []
    }

    /// The schema of a member; nil, and told, when it can be none.
    mutating func schema(_ node: DescriptionNode, _ name: String = "schema") -> DescriptionNode? {
        guard let member = present(node, name) else { return nil }
        switch member.value {
        case .object:
            // Where it leads is looked at here, so that a wrong reference is told once, with the description.
            return resolve(member) == nil ? nil : member
        case .bool where !version.usesSchemaDialect30: return member
        case .null, .bool, .number, .string, .array:
            report("invalid-openapi", "a schema is an object, not \(member.value.kindName)", at: member)
            return nil
        }
    }

    /// The texts of a list.
    mutating func strings(_ node: DescriptionNode, _ name: String) -> [String] {
        (list(node, name) ?? []).compactMap { element in
            if let text = element.value.stringValue { return text }
            report("invalid-openapi", "\"\(name)\" holds texts, not \(element.value.kindName)", at: element)
            return nil
        }
    }
}

/// What was read where references lead to, so that each part is read once and told wrong once; nil for one with a mistake.
struct KnownParts {
    var parameters: [DescriptionNode: Parameter?] = [:]
    var headers: [DescriptionNode: Parameter?] = [:]
    var requestBodies: [DescriptionNode: RequestBody?] = [:]
    var responses: [DescriptionNode: Response?] = [:]
    var links: [DescriptionNode: Link?] = [:]
    var mediaTypes: [DescriptionNode: MediaType?] = [:]
    /// A callback that is being read has no operations: it is referred to by itself.
    var callbacks: [DescriptionNode: [PathItem]] = [:]
}

/// What operations have from the description that they are in.
struct OperationContext {
    /// The servers of operations and paths that name none.
    var servers: [Server]
    /// What operations require that say nothing.
    var security: [SecurityRequirement]
    /// Operations by `operationId`, so that a second one with the same is told.
    var operationIDs: [String: DescriptionNode] = [:]
    /// How deep the callbacks are in which operations are read.
    var depth = 0
}
