/// A node of the parsed expression.
struct SyntaxNode {
    indirect enum Kind {
        case literal(CELValue)
        /// A name; `isRooted` if it has a leading dot.
        case identifier(String, isRooted: Bool)
        case select(SyntaxNode, field: String, isOptional: Bool)
        case index(SyntaxNode, SyntaxNode, isOptional: Bool)
        case call(Call)
        case list([Element])
        case map([Entry])
        case not(SyntaxNode)
        case negate(SyntaxNode)
        case binary(BinaryOperator, SyntaxNode, SyntaxNode)
        /// Two or more operands of `&&`.
        case and([SyntaxNode])
        /// Two or more operands of `||`.
        case or([SyntaxNode])
        case conditional(SyntaxNode, SyntaxNode, SyntaxNode)
    }

    /// A call of a function, which has no target, or of a method.
    struct Call {
        var target: SyntaxNode?
        var name: String
        /// The bytes of the name.
        var nameSpan: Range<Int>
        var arguments: [SyntaxNode]
        var isRooted = false
    }

    /// An element of a list literal; an optional element (`?x`) is omitted if its value is absent.
    struct Element {
        var value: SyntaxNode
        var isOptional: Bool
    }

    /// An entry of a map literal.
    struct Entry {
        var key: SyntaxNode
        var value: SyntaxNode
        var isOptional: Bool
    }

    let kind: Kind
    /// The bytes of the node in the source.
    let span: Range<Int>
    /// The height of the tree below the node, including the node.
    let depth: Int

    init(_ kind: Kind, _ span: Range<Int>) {
        self.kind = kind
        self.span = span
        depth = 1 + Self.greatestDepth(below: kind)
    }

    private static func greatestDepth(below kind: Kind) -> Int {
        switch kind {
        case .literal, .identifier: 0
        case .select(let operand, _, _), .not(let operand), .negate(let operand): operand.depth
        case .index(let left, let right, _), .binary(_, let left, let right): max(left.depth, right.depth)
        case .call(let call): max(call.target?.depth ?? 0, call.arguments.lazy.map(\.depth).max() ?? 0)
        case .list(let elements): elements.lazy.map(\.value.depth).max() ?? 0
        case .map(let entries): entries.lazy.map { max($0.key.depth, $0.value.depth) }.max() ?? 0
        case .and(let operands), .or(let operands): operands.lazy.map(\.depth).max() ?? 0
        case .conditional(let condition, let first, let second): max(condition.depth, first.depth, second.depth)
        }
    }
}

/// A binary operator that evaluates both operands.
enum BinaryOperator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case `in` = "in"

    /// The precedence of the operator: relations 1, sums 2, products 3.
    var precedence: Int {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in: 1
        case .add, .subtract: 2
        case .multiply, .divide, .remainder: 3
        }
    }

    /// Whether the result of the operator is a Boolean.
    var isRelation: Bool { precedence == 1 }
}
