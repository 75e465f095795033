/// What a map of the suite language may hold, without regard to who reads it.
struct MapDescription: Sendable {
    /// A key that is understood.
    struct Entry: Sendable {
        /// The key.
        var name: String
        /// What its value may be.
        var kind: ValueKind
        /// What it means, in one sentence for people who write suites.
        var documentation: String
        /// Whether the map must have it.
        var isRequired = false
    }

    /// The name of the definition in the JSON Schema.
    var name: String
    /// The map in words: `a test`.
    var title: String
    /// What the map is, in one sentence.
    var documentation: String
    /// The keys that are understood, in the order in which they are best written.
    var entries: [Entry]
    /// Whether keys that begin with `x-` are kept and ignored.
    var allowsExtensions = false
    /// Keys that belong elsewhere, and where.
    var misplaced: [String: String] = [:]
}
