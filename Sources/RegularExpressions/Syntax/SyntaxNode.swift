/// A parsed pattern; its depth is bounded by the parser.
indirect enum SyntaxNode: Sendable {
    case empty
    case scalar(UInt32)
    case set(ScalarSet)
    case sequence([SyntaxNode])
    case alternation([SyntaxNode])
    case capture(SyntaxNode, number: Int)
    case repetition(SyntaxNode, Quantifier)
    case assertion(Assertion)

    /// Whether the node can match the empty string, assertions counted as if they held.
    var isNullable: Bool {
        switch self {
        case .empty, .assertion: true
        case .scalar, .set: false
        case .sequence(let nodes): nodes.allSatisfy(\.isNullable)
        case .alternation(let nodes): nodes.contains(where: \.isNullable)
        case .capture(let node, _): node.isNullable
        case .repetition(let node, let quantifier): quantifier.minimum == 0 || node.isNullable
        }
    }

    /// The numbers of the first and the last capture group inside.
    var captures: ClosedRange<Int>? {
        switch self {
        case .empty, .scalar, .set, .assertion:
            return nil
        case .sequence(let nodes), .alternation(let nodes):
            var result: ClosedRange<Int>?
            for node in nodes {
                guard let inner = node.captures else { continue }
                result =
                    result.map { min($0.lowerBound, inner.lowerBound)...max($0.upperBound, inner.upperBound) } ?? inner
            }
            return result
        case .capture(let node, let number):
            guard let inner = node.captures else { return number...number }
            return min(number, inner.lowerBound)...max(number, inner.upperBound)
        case .repetition(let node, _):
            return node.captures
        }
    }
}
