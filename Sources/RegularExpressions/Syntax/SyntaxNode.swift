/// A node of a pattern's syntax tree, whose depth the parser limits.
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

    /// A lookahead or lookbehind, which consumes nothing, and the numbers of the groups inside.
    case lookaround(SyntaxNode, isAfter: Bool, isNegated: Bool, groups: Range<Int>)

    /// A backreference to a group; a name is resolved to its number when all groups are known.
    case backReference(number: Int, ignoresCase: Bool)

    /// Whether the node can match the empty string, assuming that assertions hold.
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

    /// Whether the node contains lookaround or a backreference, which require backtracking.
    var needsBacktracking: Bool {
        switch self {
        case .empty, .assertion, .scalar, .set: false
        case .lookaround, .backReference: true
        case .sequence(let nodes), .alternation(let nodes): nodes.contains(where: \.needsBacktracking)
        case .capture(let node, _), .repetition(let node, _, _): node.needsBacktracking
        }
    }
}

/// The number of repetitions of a part.
struct Quantifier: Sendable, Hashable {
    var minimum: Int

    /// The maximum number of repetitions; `nil` for no limit.
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

    /// Like `lineStart`, but with all line terminators of ECMA-262.
    case ecmaScriptLineStart

    /// Like `lineEnd`, but with all line terminators of ECMA-262.
    case ecmaScriptLineEnd

    /// Between an ASCII word character and another character or an end.
    case wordBoundary
    case notWordBoundary

    /// Like `wordBoundary`, but with the long s and the Kelvin sign as word characters (ECMA-262 with `i` and `u`).
    case foldedWordBoundary
    case notFoldedWordBoundary

    /// Whether the assertion depends only on one byte before and one after the position.
    var isDecidedByAdjacentBytes: Bool {
        switch self {
        case .textStart, .textEnd, .lineStart, .lineEnd, .wordBoundary, .notWordBoundary: true
        case .ecmaScriptLineStart, .ecmaScriptLineEnd, .foldedWordBoundary, .notFoldedWordBoundary: false
        }
    }
}
