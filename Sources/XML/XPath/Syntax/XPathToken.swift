/// A token of an XPath expression (XPath 1.0 section 3.7), with its place in Unicode scalars.
struct XPathToken: Sendable {
    /// A kind of token.
    enum Kind: Sendable, Hashable {
        case leftParenthesis, rightParenthesis, leftBracket, rightBracket, dot, doubleDot, at, comma, doubleColon
        case slash, doubleSlash, literal, number
        case `operator`(XPathOperator)
        /// A name, `*` or `prefix:*`; what is nil is any.
        case nameTest(prefix: String?, localName: String?)
        /// The name of a kind of node before a parenthesis: `text`, `node`, `comment`, `processing-instruction`.
        case nodeType(String)
        /// The name of a function before a parenthesis.
        case function(String)
        /// The name of an axis before `::`.
        case axis(String)
    }

    let kind: Kind
    /// The number of Unicode scalars before it.
    let start: Int
    /// The number of Unicode scalars before its end.
    let end: Int

    /// Whether a name or `*` behind this token is an operator.
    var endsOperand: Bool {
        switch kind {
        case .rightParenthesis, .rightBracket, .dot, .doubleDot, .literal, .number, .nameTest, .nodeType, .function,
            .axis:
            true
        case .leftParenthesis, .leftBracket, .at, .comma, .doubleColon, .slash, .doubleSlash, .operator: false
        }
    }

    /// Whether a step of a location path can begin with this token.
    var beginsStep: Bool {
        switch kind {
        case .dot, .doubleDot, .at, .nameTest, .nodeType, .axis: true
        default: false
        }
    }
}

/// An operator between two expressions.
enum XPathOperator: Sendable, Hashable {
    case or, and, equal, unequal, less, lessOrEqual, greater, greaterOrEqual, add, subtract, multiply, divide, modulo
    case union

    /// How strongly it binds; 0 for the union, which binds more strongly than the minus sign of a number.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .unequal: 3
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 4
        case .add, .subtract: 5
        case .multiply, .divide, .modulo: 6
        case .union: 0
        }
    }

    /// The type of its value.
    var result: XPathType {
        switch self {
        case .or, .and, .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual: .boolean
        case .add, .subtract, .multiply, .divide, .modulo: .number
        case .union: .nodes
        }
    }
}

/// The type of an expression's value (XPath 1.0 section 1).
enum XPathType: Sendable, Hashable {
    case nodes, string, number, boolean

    /// The type in words that continue "got".
    var phrase: String {
        switch self {
        case .nodes: "nodes"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "a boolean"
        }
    }
}
