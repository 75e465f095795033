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

    /// A part that is looked for ahead of or behind the position and consumes nothing; the numbers of the groups inside.
    case lookaround(SyntaxNode, isBehind: Bool, isNegated: Bool, groups: Range<Int>)

    /// The text a group captured; with a name, the number is filled in once all groups are known.
    case backReference(number: Int, ignoresCase: Bool)

    /// Whether the node can match the empty string, assertions counted as if they held.
    var isNullable: Bool {
        switch self {
        case .empty, .assertion, .lookaround, .backReference: true
        case .scalar, .set: false
        case .sequence(let nodes): nodes.allSatisfy(\.isNullable)
        case .alternation(let nodes): nodes.contains(where: \.isNullable)
        case .capture(let node, _): node.isNullable
        case .repetition(let node, let quantifier, _): quantifier.minimum == 0 || node.isNullable
        }
    }

    /// Whether only backtracking can match the node: it holds lookaround or a back-reference.
    var needsBacktracking: Bool {
        switch self {
        case .empty, .assertion, .scalar, .set: false
        case .lookaround, .backReference: true
        case .sequence(let nodes), .alternation(let nodes): nodes.contains(where: \.needsBacktracking)
        case .capture(let node, _), .repetition(let node, _, _): node.needsBacktracking
        }
    }
}

/// How often a part of a pattern repeats.
struct Quantifier: Sendable, Hashable {
    var minimum: Int

    /// The most repetitions, or `nil` for no bound.
    var maximum: Int?

    /// Whether as many repetitions as possible are tried first.
    var isGreedy: Bool
}

/// A condition on a position that consumes nothing.
enum Assertion: UInt8, Sendable, Hashable {
    case textStart
    case textEnd

    /// After a line feed or at the start.
    case lineStart

    /// Before a line feed or at the end.
    case lineEnd

    /// As `lineStart` with all of ECMA-262's line terminators.
    case ecmaScriptLineStart

    /// As `lineEnd` with all of ECMA-262's line terminators.
    case ecmaScriptLineEnd

    /// Between an ASCII word character and something else.
    case wordBoundary
    case notWordBoundary

    /// As `wordBoundary`, with the long s and the Kelvin sign as word characters (ECMA-262 with `i` and `u`).
    case foldedWordBoundary
    case notFoldedWordBoundary

    /// Whether one byte before and one after the position decide.
    var isDecidedByAdjacentBytes: Bool {
        switch self {
        case .textStart, .textEnd, .lineStart, .lineEnd, .wordBoundary, .notWordBoundary: true
        case .ecmaScriptLineStart, .ecmaScriptLineEnd, .foldedWordBoundary, .notFoldedWordBoundary: false
        }
    }
}
