public import Diagnostics

/// The elements for each of which a step is done.
public struct ForEachRule: Sendable {
    /// The list, or what gives it.
    public var source: ValueTemplate
    /// The variable that holds the element.
    public var elementName: String
    /// The variable that holds the element's index, from 0.
    public var indexName: String
    /// The place of ``source``.
    public var range: SourceRange

    /// Creates a rule.
    public init(
        source: ValueTemplate, elementName: String = "item", indexName: String = "index", range: SourceRange
    ) {
        self.source = source
        self.elementName = elementName
        self.indexName = indexName
        self.range = range
    }
}
