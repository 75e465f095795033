/// The value of an XPath expression (XPath 1.0 section 1).
public enum XPathValue: Sendable {
    /// Nodes, each once, in document order.
    case nodes([XPathNode])
    /// A string.
    case string(String)
    /// A number, which may be infinite or not a number.
    case number(Double)
    /// A boolean.
    case boolean(Bool)
}
