public import XML

/// An XPath expression with the namespaces that its prefixes stand for.
public struct XPathQuery: Sendable {
    /// The expression.
    public var expression: XPathExpression
    /// The names of namespaces by prefix.
    public var namespaces: [String: String]

    /// Creates a query.
    public init(expression: XPathExpression, namespaces: [String: String] = [:]) {
        self.expression = expression
        self.namespaces = namespaces
    }
}
