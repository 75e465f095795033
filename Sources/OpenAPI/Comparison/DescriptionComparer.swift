import JSON

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
