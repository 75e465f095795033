/// A parsed pattern; its depth is bounded by the parser.
indirect enum SyntaxNode: Sendable {
    case empty
    case scalar(UInt32)
    case set(ScalarSet)
    case sequence([SyntaxNode])
    case alternation([SyntaxNode])
    case capture(SyntaxNode, number: Int)

    /// A repeated part, and the numbers of the groups inside.
    case repetition(SyntaxNode, Quantifier, groups: Range<Int>)

    case assertion(Assertion)

    /// Whether the node can match the empty string, assertions counted as if they held.
    var isNullable: Bool {
        switch self {
        case .empty, .assertion: true
        case .scalar, .set: false
        case .sequence(let nodes): nodes.allSatisfy(\.isNullable)
        case .alternation(let nodes): nodes.contains(where: \.isNullable)
        case .capture(let node, _): node.isNullable
        case .repetition(let node, let quantifier, _): quantifier.minimum == 0 || node.isNullable
        }
    }
}
