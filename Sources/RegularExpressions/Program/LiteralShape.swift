/// The literal text a match starts with, found in the tree of a pattern.
struct LiteralShape: Sendable, Hashable {
    /// The UTF-8 every match starts with; may be empty.
    var prefix: [UInt8] = []

    /// For each start of the prefix, how long the longest proper part is that it both starts and ends with.
    private(set) var borders: [Int] = []

    /// Whether the pattern is nothing but the prefix and the anchors.
    var isWhole = false

    /// Whether the pattern starts with `^`.
    var isAnchoredAtStart = false

    /// Whether the pattern is nothing but the prefix and ends with `$`.
    var isAnchoredAtEnd = false

    init() {}

    init(_ node: SyntaxNode) {
        var nodes: ArraySlice<SyntaxNode> =
            switch node {
            case .sequence(let nodes): nodes[...]
            default: [node]
            }
        if case .assertion(.textStart) = nodes.first {
            isAnchoredAtStart = true
            nodes.removeFirst()
        }
        while case .scalar(let scalar) = nodes.first, Unicode.Scalar(scalar) != nil {
            prefix += UTF8Automaton.encoded(scalar)
            nodes.removeFirst()
        }
        findBorders()
        switch nodes.first {
        case nil: isWhole = true
        case .empty: isWhole = nodes.count == 1
        case .assertion(.textEnd) where nodes.count == 1:
            isAnchoredAtEnd = true
            isWhole = true
        default: break
        }
    }

    private mutating func findBorders() {
        borders = [Int](repeating: 0, count: prefix.count)
        var length = 0
        for index in prefix.indices.dropFirst() {
            while length > 0, prefix[index] != prefix[length] { length = borders[length - 1] }
            if prefix[index] == prefix[length] { length += 1 }
            borders[index] = length
        }
    }
}
