import Basics
import Diagnostics
import JSON

/// A reader that converts a description into the model, resolves references, and reports problems with locations.
///
/// The reader omits an invalid part and reads the rest. It reads the target of references once, regardless of their
/// number.
struct DescriptionReader {
    /// The maximum number of objects to read, which limits descriptions that refer to a large path many times.
    private static let maximumObjects = 4_000_000

    /// The files of the description.
    let files: DescriptionFiles
    /// The version that the description declares.
    let version: OpenAPIVersion
    /// The problems found so far.
    private(set) var problems = ProblemList()
    /// The targets of references that have been read.
    var known = KnownParts()
    /// The locations of unresolved references.
    private var brokenReferences: Set<DescriptionNode> = []
    /// The unresolved references, grouped to report one problem for each reason.
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
        _ id: String, _ message: MessageText, at node: DescriptionNode, atKey: Bool = false,
        suggestion: MessageText? = nil,
        severity: Severity = .error, related: (MessageText, DescriptionNode)? = nil
    ) {
        problems.add(
            id, message, at: node, atKey: atKey, suggestion: suggestion, severity: severity, related: related)
    }

    // MARK: References

    /// Reports the unresolved references after everything was read.
    mutating func reportBrokenReferences() { broken.tell(&problems) }

    /// Returns a node or the target of its `$ref`. Reports an unresolved reference and returns `nil`.
    mutating func resolve(_ node: DescriptionNode) -> DescriptionNode? {
        guard let reference = node["$ref"] else { return node }
        guard node.reference != nil else {
            report("invalid-reference", "\"$ref\" must be a string", at: reference)
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

    /// Returns the string of a member that, since OpenAPI 3.1, can also be a sibling of the `$ref` to a node.
    mutating func string(
        _ name: String, of node: DescriptionNode, referredToFrom site: DescriptionNode
    ) -> String? {
        if version >= .openAPI31, site.reference != nil, site[name] != nil { return string(site, name) }
        return string(node, name)
    }

    // MARK: Values

    /// Returns whether a node is an object, and reports any other value.
    mutating func isObject(_ node: DescriptionNode, _ what: String) -> Bool {
        guard node.value.objectValue != nil else {
            report("invalid-openapi", "\(what) must be an object, got \(node.value.kindName)", at: node)
            return false
        }
        objectCount += 1
        if objectCount == Self.maximumObjects {
            report(
                "too-large",
                "the description is too large: with its references resolved, it has more than "
                    + "\(Self.maximumObjects) parts", at: node)
        }
        return objectCount < Self.maximumObjects
    }

    /// Returns an object member, or `nil` if it is absent.
    mutating func object(_ node: DescriptionNode, _ name: String) -> DescriptionNode? {
        guard let member = present(node, name) else { return nil }
        return isObject(member, "\"\(name)\"") ? member : nil
    }

    /// Returns a member, or `nil` if it is absent or `null`, which many tools treat as absent.
    private mutating func present(_ node: DescriptionNode, _ name: String) -> DescriptionNode? {
        guard let member = node[name] else { return nil }
        guard member.value.isNull else { return member }
        report(
            "null-member", "\"\(name)\" is null and is treated as absent", at: member, atKey: true,
            suggestion: "remove it", severity: .warning)
        return nil
    }

    /// Returns the elements of an array member, or `nil` if it is absent.
    mutating func list(_ node: DescriptionNode, _ name: String) -> [DescriptionNode]? {
        guard let member = present(node, name) else { return nil }
        guard member.value.arrayValue != nil else {
            report("invalid-openapi", "\"\(name)\" must be an array, got \(member.value.kindName)", at: member)
            return nil
        }
        return member.elements
    }

    /// Returns the string of a member, or `nil` if it is absent.
    mutating func string(_ node: DescriptionNode, _ name: String) -> String? {
        guard let member = present(node, name) else { return nil }
        if let text = member.value.stringValue { return text }
        // `version: 1.0` without quotes is common and harmless.
        if case .number(let number) = member.value { return "\(number)" }
        report("invalid-openapi", "\"\(name)\" must be a string, got \(member.value.kindName)", at: member)
        return nil
    }

    /// Returns the string of a required member.
    mutating func requiredString(_ node: DescriptionNode, _ name: String, of what: String) -> String? {
        if node[name] == nil {
            report("missing-member", "\(what) has no \"\(name)\"", at: node, atKey: true, suggestion: "add \"\(name)\"")
        }
        return string(node, name)
    }

    /// Returns the Boolean of a member, or `nil` if it is absent.
    mutating func bool(_ node: DescriptionNode, _ name: String) -> Bool? {
        guard let member = present(node, name) else { return nil }
        if let value = member.value.boolValue { return value }
        report("invalid-openapi", "\"\(name)\" must be true or false, got \(member.value.kindName)", at: member)
        return nil
    }

    /// Returns the members of an object, except extensions (`x-…`).
    mutating func entries(_ node: DescriptionNode, _ name: String) -> [DescriptionNode] {
        object(node, name)?.members.filter { !$0.name.hasPrefix("x-") } ?? []
    }

    /// Returns the members of an object with arbitrary names.
    mutating func named(_ node: DescriptionNode, _ name: String) -> [DescriptionNode] {
        object(node, name)?.members ?? []
    }

    /// Returns the schema of a member. Reports an invalid schema and returns `nil`.
    mutating func schema(_ node: DescriptionNode, _ name: String = "schema") -> DescriptionNode? {
        guard let member = present(node, name) else { return nil }
        switch member.value {
        case .object:
            // The reference is resolved here so that an unresolved one is reported once, with the description.
            return resolve(member) == nil ? nil : member
        case .bool where !version.usesSchemaDialect30: return member
        case .null, .bool, .number, .string, .array:
            report("invalid-openapi", "a schema must be an object, got \(member.value.kindName)", at: member)
            return nil
        }
    }

    /// Returns the strings of an array member.
    mutating func strings(_ node: DescriptionNode, _ name: String) -> [String] {
        (list(node, name) ?? []).compactMap { element in
            if let text = element.value.stringValue { return text }
            report(
                "invalid-openapi", "an element of \"\(name)\" must be a string, got \(element.value.kindName)",
                at: element)
            return nil
        }
    }
}

/// The parts that references share, so that each is read and reported once. An invalid part is `nil`.
struct KnownParts {
    var parameters: [DescriptionNode: Parameter?] = [:]
    var headers: [DescriptionNode: Parameter?] = [:]
    var requestBodies: [DescriptionNode: RequestBody?] = [:]
    var responses: [DescriptionNode: Response?] = [:]
    var links: [DescriptionNode: Link?] = [:]
    var mediaTypes: [DescriptionNode: MediaType?] = [:]
    /// The callbacks. A callback that is being read has no operations, because it refers to itself.
    var callbacks: [DescriptionNode: [PathItem]] = [:]
}

/// The properties that operations inherit from the description, and the state for reading them.
struct OperationContext {
    /// The servers of operations and paths without their own.
    var servers: [Server]
    /// The security requirements of operations without their own.
    var security: [SecurityRequirement]
    /// The operations by `operationId`, to report duplicates.
    var operationIDs: [String: DescriptionNode] = [:]
    /// The nesting depth of the callbacks that contain the operations.
    var depth = 0
}
