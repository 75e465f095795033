/// A parsed subexpression, ready for evaluation.
indirect enum XPathTerm: Sendable {
    /// A string in UTF-8.
    case literal([UInt8])
    case number(Double)
    /// Operands joined by operators, applied from left to right.
    case chain(XPathTerm, [(XPathOperator, XPathTerm)])
    case negation(XPathTerm)
    case union([XPathTerm])
    case call(XPathFunction.Name, [XPathTerm])
    /// Nodes filtered by predicates.
    case filter(XPathTerm, [XPathPredicate])
    case path(XPathStart, [XPathStep])
}

/// The start of a location path.
indirect enum XPathStart: Sendable {
    /// The context node.
    case context
    /// The document.
    case root
    case nodes(XPathTerm)
}

/// A step of a location path (XPath 1.0, section 2.1).
struct XPathStep: Sendable {
    let axis: XPathAxis
    let test: XPathNodeTest
    var predicates: [XPathPredicate] = []

    /// The step that `//` abbreviates.
    static let below = XPathStep(axis: .descendantOrSelf, test: .any)

    /// Whether a predicate depends on the position among the nodes of a context node.
    var isPositional: Bool { predicates.contains(where: \.isPositional) }
}

/// A predicate in brackets (XPath 1.0, section 2.4).
struct XPathPredicate: Sendable {
    let term: XPathTerm
    /// Whether the value is a number, or depends on the context position or size.
    let isPositional: Bool

    /// The position that a numeric predicate selects.
    var position: Double? { if case .number(let number) = term { number } else { nil } }
}

/// The node test of a step (XPath 1.0, section 2.3).
enum XPathNodeTest: Sendable {
    case any
    case text
    case comment
    /// A processing instruction; nil matches any target.
    case instruction(String?)
    /// A name; nil parts match any.
    case name(prefix: String?, localName: String?)
}

/// An axis (XPath 1.0, section 2.2).
enum XPathAxis: String, Sendable {
    case ancestor
    case ancestorOrSelf = "ancestor-or-self"
    case attribute
    case child
    case descendant
    case descendantOrSelf = "descendant-or-self"
    case following
    case followingSibling = "following-sibling"
    case namespace
    case parent
    case preceding
    case precedingSibling = "preceding-sibling"
    case `self`

    /// Whether the axis of a single node can contain a large part of the document.
    var isWide: Bool {
        switch self {
        case .descendant, .descendantOrSelf, .following, .followingSibling, .preceding, .precedingSibling: true
        case .ancestor, .ancestorOrSelf, .attribute, .child, .namespace, .parent, .self: false
        }
    }
}

// MARK: Number of nodes

extension XPathTerm {
    /// Whether the value is a number, string or Boolean, or a node that a position in the last step selects.
    var isSingular: Bool {
        switch self {
        case .literal, .number, .chain, .negation: true
        case .call(let name, _): name != .id
        case .union: false
        case .filter(_, let predicates): predicates.contains(where: \.selectsPosition)
        case .path(_, let steps): steps.last?.predicates.contains(where: \.selectsPosition) ?? false
        }
    }
}

extension XPathPredicate {
    /// Whether the predicate selects a single position, as `[1]`, `[last()]` and `[position() = 1]` do.
    var selectsPosition: Bool {
        guard case .chain(let first, let rest) = term, let only = rest.first, rest.count == 1, only.0 == .equal else {
            return term.isNumeric
        }
        return first.isPosition && only.1.isNumeric || first.isNumeric && only.1.isPosition
    }
}

extension XPathTerm {
    /// Whether the term is `position()`.
    fileprivate var isPosition: Bool { if case .call(.position, _) = self { true } else { false } }

    /// Whether the value is the same number for each of the nodes that a predicate filters, as `last() - 1` is.
    fileprivate var isNumeric: Bool {
        switch self {
        case .number, .call(.last, _): true
        case .call(.floor, let arguments), .call(.ceiling, let arguments), .call(.round, let arguments):
            arguments.allSatisfy(\.isNumeric)
        case .negation(let term): term.isNumeric
        case .chain(let first, let rest):
            first.isNumeric && rest.allSatisfy { $0.0.result == .number && $0.1.isNumeric }
        case .call, .literal, .union, .filter, .path: false
        }
    }
}

// MARK: Cost

extension XPathTerm {
    /// The approximate exponent of the number of nodes in the cost of an evaluation at one node.
    var degree: Int {
        switch self {
        case .literal, .number: 0
        case .chain(let first, let rest): rest.reduce(first.degree) { max($0, $1.1.degree) }
        case .negation(let term): term.degree
        case .union(let terms): terms.reduce(0) { max($0, $1.degree) }
        case .call(.id, let arguments): 1 + arguments.reduce(0) { max($0, $1.degree) }
        case .call(_, let arguments): arguments.reduce(0) { max($0, $1.degree) }
        case .filter(let term, let predicates): max(term.degree, Self.degree(of: predicates, nodes: 1))
        case .path(let start, let steps): Self.degree(of: start, steps)
        }
    }

    private static func degree(of start: XPathStart, _ steps: [XPathStep]) -> Int {
        var degree = 0
        // The exponent of the number of context nodes of a step.
        var contexts = 0
        if case .nodes(let term) = start {
            degree = term.degree
            contexts = 1
        }
        for step in steps {
            let nodes = step.axis.isWide || contexts > 0 ? 1 : 0
            let cost = step.isPositional && step.axis.isWide ? contexts + 1 : nodes
            degree = max(degree, cost, Self.degree(of: step.predicates, nodes: cost))
            contexts = nodes
        }
        return degree
    }

    private static func degree(of predicates: [XPathPredicate], nodes: Int) -> Int {
        predicates.reduce(0) { max($0, nodes + $1.term.degree) }
    }
}

/// A location path in an expression, with the locations of its parts in Unicode scalars.
///
/// The prefix of the path up to the end of a segment is an expression of its own.
struct XPathPath: Sendable, Hashable {
    /// A segment of the path.
    struct Segment: Sendable, Hashable {
        /// The kind of a segment.
        enum Kind: Sendable, Hashable {
            /// A leading `/`.
            case root
            /// An expression such as `id('x')` or one in parentheses.
            case primary
            /// A location step.
            case step(Step)
            /// A predicate in brackets; `isPosition` is true if its value is a number.
            case predicate(isPosition: Bool)
        }

        let kind: Kind
        /// The start, after any slashes.
        let start: Int
        let end: Int
    }

    /// A step without its predicates.
    struct Step: Sendable, Hashable {
        /// The node test of a step.
        enum Test: Sendable, Hashable {
            /// A name test; nil parts match any.
            case name(prefix: String?, localName: String?)
            /// A node type test, such as `text`.
            case nodeType(String)
        }

        /// The name of the axis, including an implicit one.
        let axis: String
        let test: Test
        /// The start of the node test, after the axis.
        let testStart: Int
        /// Whether `//` precedes the step.
        let isBelow: Bool
    }

    let start: Int
    let end: Int
    let segments: [Segment]
}

/// The signature of a core library function (XPath 1.0, section 4).
struct XPathFunction: Sendable {
    /// The name of a function.
    enum Name: String, Sendable, CaseIterable {
        case boolean, ceiling, concat, contains, count, `false`, floor, id, lang, last, name, not, number, position
        case round, string, substring, sum, translate, `true`
        case localName = "local-name"
        case namespaceURI = "namespace-uri"
        case normalizeSpace = "normalize-space"
        case startsWith = "starts-with"
        case stringLength = "string-length"
        case substringAfter = "substring-after"
        case substringBefore = "substring-before"
    }

    /// The minimum number of arguments.
    let minimum: Int
    /// The maximum number of arguments; nil for no limit.
    let maximum: Int?
    /// Whether the first argument must be a node-set.
    let takesNodes: Bool
    /// The type of the function's value.
    let result: XPathType

    private init(_ minimum: Int, _ maximum: Int?, _ result: XPathType, takesNodes: Bool = false) {
        self.minimum = minimum
        self.maximum = maximum
        self.takesNodes = takesNodes
        self.result = result
    }

    /// Returns the signature of a function.
    static func of(_ name: Name) -> XPathFunction {
        switch name {
        case .last, .position: .init(0, 0, .number)
        case .count, .sum: .init(1, 1, .number, takesNodes: true)
        case .id: .init(1, 1, .nodes)
        case .localName, .namespaceURI, .name: .init(0, 1, .string, takesNodes: true)
        case .string, .normalizeSpace: .init(0, 1, .string)
        case .concat: .init(2, nil, .string)
        case .startsWith, .contains: .init(2, 2, .boolean)
        case .substringBefore, .substringAfter: .init(2, 2, .string)
        case .substring: .init(2, 3, .string)
        case .translate: .init(3, 3, .string)
        case .stringLength, .number: .init(0, 1, .number)
        case .boolean, .not, .lang: .init(1, 1, .boolean)
        case .true, .false: .init(0, 0, .boolean)
        case .floor, .ceiling, .round: .init(1, 1, .number)
        }
    }

    /// The names of the functions in alphabetical order.
    static let names = Name.allCases.map(\.rawValue).sorted()

    /// The replacements for functions that only later versions of XPath have.
    static let substitutes = [
        "exists": "boolean(…)", "empty": "not(…)", "lower-case": "translate(…)", "upper-case": "translate(…)",
        "replace": "translate(…)", "string-join": "concat(…)",
        "ends-with": "the operator endsWith", "matches": "the operator matches",
    ]

    /// The numbers of arguments in words: `no arguments`, `1 argument`, `2 or 3 arguments`, `at minimum 2 arguments`.
    var arity: String {
        switch (minimum, maximum) {
        case (0, 0?): "no arguments"
        case (1, 1?): "1 argument"
        case (0, 1?): "at most 1 argument"
        case (let low, let high?) where low == high: "\(low) arguments"
        case (let low, let high?): "\(low) or \(high) arguments"
        case (let low, nil): "at least \(low) arguments"
        }
    }
}
