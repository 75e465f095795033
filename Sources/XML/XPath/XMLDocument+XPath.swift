extension XMLDocument {
    /// The maximum number of steps of an evaluation, unless another one is given: a few seconds.
    public static let standardOperations = 100_000_000

    /// Evaluates an XPath 1.0 expression.
    /// - Parameters:
    ///   - expression: The expression's text.
    ///   - namespaces: The names of namespaces by the prefixes that the expression uses for them.
    ///   - node: The context node, of this document; nil for the document itself.
    ///   - operations: The maximum number of steps of the evaluation, of which a processor does some ten million a second or more.
    /// - Throws: ``XMLError`` if the expression is invalid, has an unbound prefix, takes too many steps, or the task is
    ///   cancelled.
    public func xpath(
        _ expression: String, namespaces: [String: String] = [:], from node: XPathNode? = nil,
        operations: Int = XMLDocument.standardOperations
    ) throws(XMLError) -> XPathValue {
        try evaluate(XPathExpression(expression), namespaces: namespaces, from: node, operations: operations)
    }

    /// Evaluates an XPath 1.0 expression that has been checked.
    /// - Parameters:
    ///   - expression: The expression.
    ///   - namespaces: The names of namespaces by the prefixes that the expression uses for them.
    ///   - node: The context node, of this document; nil for the document itself.
    ///   - operations: The maximum number of steps of the evaluation, of which a processor does some ten million a second or more.
    /// - Throws: ``XMLError`` if the expression has an unbound prefix, takes too many steps, or the task is
    ///   cancelled.
    public func evaluate(
        _ expression: XPathExpression, namespaces: [String: String] = [:], from node: XPathNode? = nil,
        operations: Int = XMLDocument.standardOperations
    ) throws(XMLError) -> XPathValue {
        if let node, node.document !== self {
            throw XMLError(kind: .xpath, message: "the context node belongs to another document")
        }
        for (prefix, uri) in namespaces where prefix.isEmpty || (prefix + uri).utf8.contains(0) {
            throw XMLError(kind: .xpath, message: "the namespace prefix '\(prefix)' is not valid")
        }
        let isKnown = { (prefix: XPathExpression.Prefix) in namespaces[prefix.name] != nil || prefix.name == "xml" }
        guard expression.prefixes.allSatisfy(isKnown) else {
            throw XMLError(kind: .xpath, message: "the namespace prefix is not bound")
        }
        return try withIndex { index throws(XMLError) in
            let evaluator = XPathEvaluator(index, namespaces: namespaces, operations: operations)
            var start = XPathItem(0)
            if let pointer = node?.pointer {
                guard let position = index.entries.firstIndex(where: { $0.pointer == pointer }) else {
                    throw XMLError(kind: .xpath, message: "the context node is not in the document")
                }
                start = XPathItem(Int32(position))
            }
            switch try evaluator.value(expression.term, XPathEvaluator.Context(item: start)) {
            case .boolean(let flag): return .boolean(flag)
            // XPath knows no sign of what is not a number.
            case .number(let number): return .number(number.isNaN ? .nan : number)
            case .string(let bytes): return .string(String(decoding: bytes, as: UTF8.self))
            case .nodes(let items):
                try evaluator.budget.spend(items.count)
                return .nodes(
                    items.compactMap { item in
                        if let namespace = evaluator.namespace(item) { return XPathNode(namespace, in: self) }
                        return XPathNode(index.entries[Int(item.index)].pointer, in: self)
                    })
            }
        }
    }
}
