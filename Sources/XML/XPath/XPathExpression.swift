/// An XPath 1.0 expression that has been checked, which needs no libxml2.
public struct XPathExpression: Sendable, Hashable {
    /// The longest expression, in bytes of UTF-8.
    public static let maximumLength = 64 << 10

    /// A prefix of a name in an expression, with its place.
    public struct Prefix: Sendable, Hashable {
        /// The prefix.
        public let name: String
        /// The number of Unicode scalars before it.
        public let offset: Int
        /// Its length in Unicode scalars.
        public let length: Int
    }

    /// The expression's text.
    public let text: String
    /// The prefixes that must be bound to namespaces, in order; one that occurs several times is there several times.
    public let prefixes: [Prefix]
    /// The location paths outside of predicates.
    let paths: [XPathPath]
    /// The parsed expression.
    let term: XPathTerm
    /// The exponent of the number of a document's nodes in the cost of an evaluation, about.
    public let degree: Int

    /// Checks an expression.
    /// - Parameter text: The expression; whether its prefixes are bound is checked when it is evaluated.
    /// - Throws: ``XMLError`` with the column if the expression is not well-formed, calls a function that XPath 1.0
    ///   has not, or calls one with the wrong arguments.
    public init(_ text: String) throws(XMLError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw XMLError(kind: .xpath, message: "the expression is longer than \(Self.maximumLength) bytes")
        }
        let parser = try XPathParser(Array(text.unicodeScalars))
        self.text = text
        prefixes = parser.prefixes
        paths = parser.paths
        term = parser.term
        degree = term.degree
    }

    /// The path that the whole expression is; nil for another expression.
    var wholePath: XPathPath? {
        guard let last = paths.last, last.start == firstScalar, last.end == lastScalar else { return nil }
        return last
    }

    /// The number of white space before the expression.
    private var firstScalar: Int { text.unicodeScalars.prefix(while: Self.isSpace).count }

    /// The number of Unicode scalars without the white space behind the expression.
    private var lastScalar: Int {
        text.unicodeScalars.count - text.unicodeScalars.reversed().prefix(while: Self.isSpace).count
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    /// A part of the text.
    func part(_ start: Int, _ end: Int) -> String {
        let scalars = text.unicodeScalars
        guard let lower = scalars.index(scalars.startIndex, offsetBy: start, limitedBy: scalars.endIndex),
            let upper = scalars.index(scalars.startIndex, offsetBy: end, limitedBy: scalars.endIndex), lower <= upper
        else { return "" }
        return String(scalars[lower..<upper])
    }
}

extension XPathExpression {
    /// Whether two expressions have the same text.
    public static func == (left: XPathExpression, right: XPathExpression) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

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
