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
