import JSON

/// What differs between two descriptions of an API, and what that means for its clients.
///
/// Meaning is compared, not text: operations are matched by the shape of their paths, schemas where they are used, with
/// references followed, `allOf` merged, and the ways in which 3.0 and 3.1 write the same thing taken as one.
/// What a client sends breaks it when it becomes narrower, what it receives when that becomes wider.
public struct DescriptionComparison: Sendable {
    /// The changes: those of the paths in the order of the files, the old one's first, then those of the rest.
    public let changes: [Change]

    /// Compares two descriptions.
    ///
    /// - Parameters:
    ///   - old: What clients know.
    ///   - new: What takes its place.
    ///   - options: The day, and how deprecations are announced.
    public init(old: OpenAPIDescription, new: OpenAPIDescription, options: ComparisonOptions) {
        var comparer = DescriptionComparer(old: old, new: new, options: options)
        changes = comparer.compare()
    }
}

/// Compares two descriptions; schemas are gathered first, compared once each, and told where they are used.
struct DescriptionComparer {
    /// What comes next in the result.
    private enum Entry {
        case change(Change)
        case schema(SchemaSite, Int)
    }

    let old: OpenAPIDescription
    let new: OpenAPIDescription
    let options: ComparisonOptions
    private var pairs: SchemaPairs
    private var entries: [Entry] = []
    /// Operations whose clients were told that they may change at any time.
    private var volatileOperations: Set<String> = []

    /// Creates a comparer of two descriptions.
    init(old: OpenAPIDescription, new: OpenAPIDescription, options: ComparisonOptions) {
        self.old = old
        self.new = new
        self.options = options
        pairs = SchemaPairs(old: old, new: new, options: options)
    }

    /// All changes.
    mutating func compare() -> [Change] {
        comparePaths()
        compareWebhooks()
        compareServers()
        compareSecurity()
        compareComponents()
        pairs.compareAll()
        var changes: [Change] = []
        // The same change of several media types, or on several ways to a schema, is told once.
        var told: Set<[String]> = []
        for entry in entries {
            switch entry {
            case .change(let change): append(change, to: &changes, &told)
            case .schema(let site, let position):
                guard pairs.pairs[position].differs else { continue }
                var reporter = SchemaReporter(pairs.pairs, site: site)
                reporter.report(position)
                for change in reporter.changes { append(change, to: &changes, &told) }
            }
        }
        return changes + versionChanges(changes)
    }

    private func append(_ change: Change, to changes: inout [Change], _ told: inout Set<[String]>) {
        guard told.insert([change.operation ?? "", change.id, change.message]).inserted else { return }
        var change = change
        if let operation = change.operation, volatileOperations.contains(operation),
            change.id != "api-stability-decreased", change.id != "api-invalid-stability-level"
        {
            change.level = .info
        }
        changes.append(change)
    }

    /// Lets changes of an operation be no more than information.
    mutating func makeVolatile(_ operation: String) { volatileOperations.insert(operation) }

    /// Adds a change.
    ///
    /// - Parameters:
    ///   - detail: What was found, as it stands in the sentence.
    ///   - level: The level in place of the catalog's.
    mutating func add(
        _ id: String, subject: String = "", detail: String? = nil, level: ChangeLevel? = nil, in operation: String?,
        _ section: ChangeSection, _ oldPlace: DescriptionNode?, _ newPlace: DescriptionNode?
    ) {
        guard let template = ChangeCatalog.template(id) else { return }
        entries.append(
            .change(
                Change(
                    id: id, level: level ?? template.level,
                    message: ChangePhrase.text(template.phrase, subject: subject, detail: detail),
                    operation: operation, oldPlace: oldPlace, newPlace: newPlace, section: section)))
    }

    /// Adds what will be found about schemas that are used at one place.
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

    /// Tells schemas of the components that are gone; one that has another name now is not.
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

    /// What schemas have in common that may be the same.
    private static func outline(_ schema: DescriptionNode) -> String {
        let names = schema["properties"]?.value.objectValue?.keys.sorted() ?? []
        let type = schema["type"]?.value.serialized() ?? ""
        return "\(type):\(names.joined(separator: ","))"
    }

    // MARK: Version

    /// What `info.version` says of breaking changes; nothing where it is no semantic version.
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
                oldPlace: old.root["info"]?["version"], newPlace: new.root["info"]?["version"], section: .info)
        ]
    }

    /// The three numbers of a semantic version; nil for any other text.
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
