import JSON

/// A comparison of two descriptions of an API and its effect on clients.
///
/// The comparison is semantic, not textual. It matches operations by the shape of their paths. It compares schemas
/// where they are used, with resolved references, merged `allOf`, and equal treatment of equivalent notations in 3.0
/// and 3.1. A schema for requests is breaking when it becomes narrower, and a schema for responses when it becomes
/// wider.
public struct DescriptionComparison: Sendable {
    /// The changes. Those of the paths come first, in file order with the old description leading.
    public let changes: [Change]

    /// Compares two descriptions.
    ///
    /// - Parameters:
    ///   - old: The description that clients know.
    ///   - new: The description that replaces it.
    ///   - options: The date of the comparison and the rules for deprecations.
    public init(old: OpenAPIDescription, new: OpenAPIDescription, options: ComparisonOptions) {
        var comparer = DescriptionComparer(old: old, new: new, options: options)
        changes = comparer.compare()
    }
}

/// A comparer of two descriptions. It collects schemas first, compares each pair once, and reports each use.
struct DescriptionComparer {
    /// An entry of the result, in order.
    private enum Entry {
        case change(Change)
        case schema(SchemaSite, Int)
    }

    let old: OpenAPIDescription
    let new: OpenAPIDescription
    let options: ComparisonOptions
    private var pairs: SchemaPairs
    private var entries: [Entry] = []
    /// The operations whose stability level permits changes at any time.
    private var volatileOperations: Set<String> = []

    /// Creates a comparer for two descriptions.
    init(old: OpenAPIDescription, new: OpenAPIDescription, options: ComparisonOptions) {
        self.old = old
        self.new = new
        self.options = options
        pairs = SchemaPairs(old: old, new: new, options: options)
    }

    /// Returns all changes.
    mutating func compare() -> [Change] {
        comparePaths()
        compareWebhooks()
        compareServers()
        compareSecurity()
        compareComponents()
        pairs.compareAll()
        var changes: [Change] = []
        // The same change in several media types, or on several paths to a schema, is reported once.
        var reported: Set<[String]> = []
        for entry in entries {
            switch entry {
            case .change(let change): append(change, to: &changes, &reported)
            case .schema(let site, let position):
                guard pairs.pairs[position].differs else { continue }
                var reporter = SchemaReporter(pairs.pairs, site: site)
                reporter.report(position)
                for change in reporter.changes { append(change, to: &changes, &reported) }
            }
        }
        return changes + versionChanges(changes)
    }

    private func append(_ change: Change, to changes: inout [Change], _ reported: inout Set<[String]>) {
        guard reported.insert([change.operation ?? "", change.id, change.message]).inserted else { return }
        var change = change
        if let operation = change.operation, volatileOperations.contains(operation),
            change.id != "api-stability-decreased", change.id != "api-invalid-stability-level"
        {
            change.level = .info
        }
        changes.append(change)
    }

    /// Downgrades the changes of an operation to informational.
    mutating func makeVolatile(_ operation: String) { volatileOperations.insert(operation) }

    /// Adds a change.
    ///
    /// - Parameters:
    ///   - detail: The details for the sentence.
    ///   - level: The level that replaces the one of the catalog.
    mutating func add(
        _ id: String, subject: String = "", detail: String? = nil, level: ChangeLevel? = nil, in operation: String?,
        _ section: ChangeSection, _ oldLocation: DescriptionNode?, _ newLocation: DescriptionNode?
    ) {
        guard let template = ChangeCatalog.template(id) else { return }
        entries.append(
            .change(
                Change(
                    id: id, level: level ?? template.level,
                    message: ChangePhrase.text(template.phrase, subject: subject, detail: detail),
                    operation: operation, oldLocation: oldLocation, newLocation: newLocation, section: section)))
    }

    /// Adds an entry for the changes of a schema pair at one location.
    mutating func addSchemas(_ oldSchema: DescriptionNode, _ newSchema: DescriptionNode, _ site: SchemaSite) {
        entries.append(.schema(site, pairs.position([oldSchema], [newSchema])))
    }
}

extension DescriptionComparer {
    // MARK: Servers

    /// Compares the servers of the descriptions.
    mutating func compareServers() {
        let oldURLs = Set(old.servers.map(\.url))
        let newURLs = Set(new.servers.map(\.url))
        for server in old.servers where !newURLs.contains(server.url) && server.node != nil {
            add(
                "api-server-removed", detail: server.url, in: nil, .servers, server.node,
                new.root["servers"])
        }
        for server in new.servers where !oldURLs.contains(server.url) && server.node != nil {
            add("api-server-added", detail: server.url, in: nil, .servers, old.root["servers"], server.node)
        }
    }

    // MARK: Components

    /// Reports removed schema components. Renamed components are not reported.
    mutating func compareComponents() {
        guard let oldSchemas = old.root["components"]?["schemas"] else { return }
        let newSchemas = new.root["components"]?["schemas"]
        let removed = oldSchemas.members.filter { newSchemas?[$0.name] == nil }
        guard !removed.isEmpty else { return }
        var candidates: [String: [DescriptionNode]] = [:]
        for schema in newSchemas?.members ?? [] where oldSchemas[schema.name] == nil {
            candidates[Self.outline(schema), default: []].append(schema)
        }
        let equivalence = StructuralEquivalence(old: old, new: new)
        for schema in removed {
            let others = candidates[Self.outline(schema)] ?? []
            if others.prefix(8).contains(where: { equivalence.areEquivalent(schema, $0) }) { continue }
            add(
                "api-schema-removed", detail: "\"\(schema.name)\"", in: nil, .components, schema,
                newSchemas ?? new.root["components"])
        }
    }

    /// Returns a key that equal schemas share.
    private static func outline(_ schema: DescriptionNode) -> String {
        let names = schema["properties"]?.value.objectValue?.keys.sorted() ?? []
        let type = schema["type"]?.value.serialized() ?? ""
        return "\(type):\(names.joined(separator: ","))"
    }

    // MARK: Version

    /// Returns the changes about `info.version` that breaking changes imply.
    ///
    /// The result is empty if either version is not a semantic version.
    func versionChanges(_ changes: [Change]) -> [Change] {
        guard let before = Self.version(old.apiVersion), let after = Self.version(new.apiVersion),
            changes.contains(where: { $0.level == .breaking })
        else { return [] }
        let id: String
        let detail: String
        let fromTo = "from \(old.apiVersion) to \(new.apiVersion)"
        if before == after {
            id = "api-version-not-bumped"
            detail = new.apiVersion
        } else if after.lexicographicallyPrecedes(before) {
            id = "api-version-decreased"
            detail = fromTo
        } else if before[0] == after[0] {
            id = "api-major-version-not-bumped"
            detail = ", \(fromTo)"
        } else {
            return []
        }
        guard let template = ChangeCatalog.template(id) else { return [] }
        return [
            Change(
                id: id, level: template.level,
                message: ChangePhrase.text(template.phrase, subject: "", detail: detail), operation: nil,
                oldLocation: old.root["info"]?["version"], newLocation: new.root["info"]?["version"], section: .info)
        ]
    }

    /// Returns the three numbers of a semantic version, or `nil` for any other string.
    private static func version(_ text: String) -> [Int]? {
        let text = text.hasPrefix("v") ? text.dropFirst() : text[...]
        let core = text.prefix { $0 != "-" && $0 != "+" }
        let parts = core.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard !part.isEmpty, part.allSatisfy({ ("0"..."9").contains($0) }), part == "0" || !part.hasPrefix("0"),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
