import Basics

/// A parsed and validated XPath 1.0 expression; creating it does not need libxml2.
public struct XPathExpression: Sendable, Hashable {
    /// The maximum length of an expression in bytes of UTF-8.
    public static let maximumLength = 64 << 10

    /// A namespace prefix in an expression, with its location.
    public struct Prefix: Sendable, Hashable {
        /// The prefix.
        public let name: String
        /// The offset in Unicode scalars.
        public let offset: Int
        /// The length in Unicode scalars.
        public let length: Int
    }

    /// The text of the expression.
    public let text: String
    /// The prefixes that must be bound to namespaces, in order, with repetitions.
    public let prefixes: [Prefix]
    /// The location paths outside of predicates.
    let paths: [XPathPath]
    /// The parsed expression.
    let term: XPathTerm
    /// The approximate exponent of the number of nodes in the cost of an evaluation.
    public let degree: Int

    /// Creates an expression from its text.
    /// - Parameter text: The expression; unbound prefixes are detected during evaluation.
    /// - Throws: ``XMLError`` with the column if the expression is not well-formed, calls a function that does not
    ///   exist in XPath 1.0, or calls one with the wrong arguments.
    public init(_ text: String) throws(XMLError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw XMLError(kind: .xpath, message: "the expression exceeds the maximum of \(Self.maximumLength) bytes")
        }
        let parser = try XPathParser(Array(text.unicodeScalars))
        self.text = text
        prefixes = parser.prefixes
        paths = parser.paths
        term = parser.term
        degree = term.degree
    }

    /// Whether the expression yields one value: a number, string or Boolean, or the node at a position.
    ///
    /// Any other expression yields a list of nodes. The last step of a path must have the position: `//a[1]`, or
    /// `(//a)[last()]`.
    public var isSingular: Bool { term.isSingular }

    /// The location path that makes up the whole expression; nil if it is not a path.
    var wholePath: XPathPath? {
        guard let last = paths.last, last.start == firstScalar, last.end == lastScalar else { return nil }
        return last
    }

    /// The number of leading whitespace characters.
    private var firstScalar: Int { text.unicodeScalars.prefix(while: Self.isSpace).count }

    /// The offset of trailing whitespace in Unicode scalars.
    private var lastScalar: Int {
        text.unicodeScalars.count - text.unicodeScalars.reversed().prefix(while: Self.isSpace).count
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    /// Returns a part of the text.
    func part(_ start: Int, _ end: Int) -> String {
        let scalars = text.unicodeScalars
        guard let lower = scalars.index(scalars.startIndex, offsetBy: start, limitedBy: scalars.endIndex),
            let upper = scalars.index(scalars.startIndex, offsetBy: end, limitedBy: scalars.endIndex), lower <= upper
        else { return "" }
        return String(scalars[lower..<upper])
    }
}

extension XPathExpression {
    /// Returns whether two expressions have the same text.
    public static func == (left: XPathExpression, right: XPathExpression) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension XMLDocument {
    /// The default maximum number of steps of an evaluation: a few seconds.
    public static let standardOperations = 100_000_000

    /// Evaluates an XPath 1.0 expression.
    /// - Parameters:
    ///   - expression: The text of the expression.
    ///   - namespaces: The namespace names by the prefixes used in the expression.
    ///   - node: The context node in this document; nil for the document itself.
    ///   - operations: The maximum number of steps; a processor performs ten million or more per second.
    /// - Throws: ``XMLError`` if the expression is invalid, has an unbound prefix or takes too many steps, or the task
    ///   is cancelled.
    public func xpath(
        _ expression: String, namespaces: [String: String] = [:], from node: XPathNode? = nil,
        operations: Int = XMLDocument.standardOperations
    ) throws(XMLError) -> XPathValue {
        try evaluate(XPathExpression(expression), namespaces: namespaces, from: node, operations: operations)
    }

    /// Evaluates a parsed XPath 1.0 expression.
    /// - Parameters:
    ///   - expression: The expression.
    ///   - namespaces: The namespace names by the prefixes used in the expression.
    ///   - node: The context node in this document; nil for the document itself.
    ///   - operations: The maximum number of steps; a processor performs ten million or more per second.
    /// - Throws: ``XMLError`` if the expression has an unbound prefix or takes too many steps, or the task is
    ///   cancelled.
    public func evaluate(
        _ expression: XPathExpression, namespaces: [String: String] = [:], from node: XPathNode? = nil,
        operations: Int = XMLDocument.standardOperations
    ) throws(XMLError) -> XPathValue {
        if let node, node.document !== self {
            throw XMLError(kind: .xpath, message: "the context node belongs to another document")
        }
        for (prefix, uri) in namespaces where prefix.isEmpty || (prefix + uri).utf8.contains(0) {
            throw XMLError(kind: .xpath, message: "invalid namespace prefix \"\(prefix)\"")
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
            // In XPath, NaN has no sign.
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

/// The value of an XPath expression (XPath 1.0, section 1).
public enum XPathValue: Sendable {
    /// Nodes in document order, without duplicates.
    case nodes([XPathNode])
    /// A string.
    case string(String)
    /// A number, which may be infinite or NaN.
    case number(Double)
    /// A boolean.
    case boolean(Bool)
}
