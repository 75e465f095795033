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
