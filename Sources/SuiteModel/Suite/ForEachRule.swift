public import Diagnostics

/// The elements for each of which a step is done.
public struct ForEachRule: Sendable {
    /// The most elements that a list may have.
    public static let maximumCount = 10_000

    /// The list or map, or what gives it.
    public var source: ValueTemplate
    /// The variable that holds the element; of a map, `{ key, value }`.
    public var elementName: String
    /// The variable that holds the element's index, from 0.
    public var indexName: String
    /// The name of each iteration, when it holds expressions.
    public var name: Template?
    /// The place of ``source``.
    public var range: SourceRange

    /// Creates a rule.
    public init(
        source: ValueTemplate, elementName: String = "item", indexName: String = "index", name: Template? = nil,
        range: SourceRange
    ) {
        self.source = source
        self.elementName = elementName
        self.indexName = indexName
        self.name = name
        self.range = range
    }
}
