/// What the keywords of a schema resource mean: a draft, and what a metaschema of one's own switches off or on.
struct SchemaDialect: Hashable, Sendable {
    let draft: JSONSchemaDialect
    let vocabularies: Vocabularies
    /// Whether the metaschema asks for formats to be checked.
    let assertsFormat: Bool

    init(_ draft: JSONSchemaDialect, vocabularies: Vocabularies = .all, assertsFormat: Bool = false) {
        self.draft = draft
        self.vocabularies = vocabularies.union(.core)
        self.assertsFormat = assertsFormat
    }

    /// The keyword that identifies a resource; nil in OpenAPI 3.0, which has none.
    var identifier: String? {
        switch draft {
        case .draft4: "id"
        case .openAPI30: nil
        default: "$id"
        }
    }

    /// The keyword with a name, unless it is unknown here.
    @inline(__always)
    func keyword(_ name: String) -> Keyword? {
        guard let keyword = Keyword.byName[name], vocabularies.contains(keyword.vocabulary) else { return nil }
        if draft == .openAPI30 { return keyword.isInOpenAPI30 ? keyword : nil }
        return keyword.drafts.contains(draft.order) ? keyword : nil
    }
}
