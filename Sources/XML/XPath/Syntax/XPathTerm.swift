/// A part of a parsed expression, ready to be evaluated.
indirect enum XPathTerm: Sendable {
    /// A string, as UTF-8.
    case literal([UInt8])
    case number(Double)
    /// Operands joined by operators, which are applied from left to right.
    case chain(XPathTerm, [(XPathOperator, XPathTerm)])
    case negation(XPathTerm)
    case union([XPathTerm])
    case call(XPathFunction.Name, [XPathTerm])
    /// Nodes among which predicates choose.
    case filter(XPathTerm, [XPathPredicate])
    case path(XPathStart, [XPathStep])
}

/// The nodes from which a location path starts.
indirect enum XPathStart: Sendable {
    /// The context node.
    case context
    /// The document.
    case root
    case nodes(XPathTerm)
}

/// A step of a location path (XPath 1.0 section 2.1).
struct XPathStep: Sendable {
    let axis: XPathAxis
    let test: XPathNodeTest
    var predicates: [XPathPredicate] = []

    /// The step that `//` stands for.
    static let below = XPathStep(axis: .descendantOrSelf, test: .any)

    /// Whether a predicate depends on the position among the nodes of one context node.
    var isPositional: Bool { predicates.contains(where: \.isPositional) }
}

/// A condition in brackets (XPath 1.0 section 2.4).
struct XPathPredicate: Sendable {
    let term: XPathTerm
    /// Whether its value is a number, or depends on the position or number of nodes.
    let isPositional: Bool

    /// The position that it asks for, where it is a number.
    var position: Double? { if case .number(let number) = term { number } else { nil } }
}

/// The condition on a node of an axis (XPath 1.0 section 2.3).
enum XPathNodeTest: Sendable {
    case any
    case text
    case comment
    /// A processing instruction; with that target, unless it is nil.
    case instruction(String?)
    /// A name; a part that is nil may be any.
    case name(prefix: String?, localName: String?)
}

/// An axis (XPath 1.0 section 2.2).
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

    /// Whether it can lead from one node to a large part of the document.
    var isWide: Bool {
        switch self {
        case .descendant, .descendantOrSelf, .following, .followingSibling, .preceding, .precedingSibling: true
        case .ancestor, .ancestorOrSelf, .attribute, .child, .namespace, .parent, .self: false
        }
    }
}

// MARK: Cost

extension XPathTerm {
    /// The exponent of the number of nodes in the cost of an evaluation at one node, about.
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
        // The exponent of the number of nodes that a step starts from.
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
