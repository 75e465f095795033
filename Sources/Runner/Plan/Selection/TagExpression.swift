/// A condition on the tags of a test: `smoke and not (slow or broken)`.
///
/// | | |
/// | --- | --- |
/// | `NAME`, `"any text"`, `'any text'` | the test has the tag |
/// | `not x`, `!x` | x does not hold |
/// | `x and y`, `x && y` | both hold; binds closer than `or` |
/// | `x or y`, `x \|\| y` | at least one holds |
/// | `( x )` | what belongs together |
public indirect enum TagExpression: Sendable, Hashable {
    /// The test has this tag.
    case tag(String)
    /// The condition does not hold.
    case not(TagExpression)
    /// All conditions hold.
    case all([TagExpression])
    /// At least one condition holds.
    case any([TagExpression])

    /// Reads an expression; a text without operators, parentheses and quotes is a tag, whatever else is in it.
    ///
    /// - Throws: what is wrong, and where.
    public init(parsing text: String) throws(TagExpressionError) {
        var parser = try TagExpressionParser(text)
        self = try parser.parse()
    }

    /// Whether the condition holds for a test with these tags.
    public func holds(for tags: [String]) -> Bool {
        switch self {
        case .tag(let tag): tags.contains(tag)
        case .not(let part): !part.holds(for: tags)
        case .all(let parts): parts.allSatisfy { $0.holds(for: tags) }
        case .any(let parts): parts.contains { $0.holds(for: tags) }
        }
    }

    /// The tags that the expression names, in order.
    public var names: [String] {
        switch self {
        case .tag(let tag): [tag]
        case .not(let part): part.names
        case .all(let parts), .any(let parts): parts.flatMap(\.names)
        }
    }
}
