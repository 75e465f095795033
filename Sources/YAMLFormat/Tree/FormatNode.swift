/// A node of a document as it is written; tokens are given by their index.
struct FormatNode {
    indirect enum Content {
        /// Nothing, which is null.
        case empty
        /// A scalar on one or several lines, or an alias.
        case token(Int)
        case blockScalar(Int, BlockScalar)
        case blockSequence([BlockItem], tail: [Comment])
        case blockMapping([BlockEntry], tail: [Comment])
        case flow(FlowCollection)
    }

    /// The anchor and the tag, in the order in which they are written.
    var properties: [Int] = []
    var content = Content.empty

    /// An element of a block sequence.
    struct BlockItem {
        /// The `-`.
        var dash: Int
        var value: FormatNode
    }

    /// An entry of a block map.
    struct BlockEntry {
        /// The `?` of an explicit key.
        var question: Int?
        var key: FormatNode
        /// The `:`, which an explicit key may lack.
        var colon: Int?
        var value: FormatNode
    }

    /// A list or map in brackets.
    struct FlowCollection {
        var open: Int
        var isMap: Bool
        var entries: [FlowEntry] = []
        /// The commas; entries are separated by them, and one may come last.
        var commas: [Int] = []
        var close: Int
    }

    /// An element of a flow sequence, a pair in one, or an entry of a flow map.
    struct FlowEntry {
        var question: Int?
        /// The key of an entry or pair; nil for an element.
        var key: FormatNode?
        var colon: Int?
        var value: FormatNode
    }

    /// The first token of the node, or nil when nothing is written.
    var firstToken: Int? {
        if let first = properties.first { return first }
        return switch content {
        case .empty: nil
        case .token(let token), .blockScalar(let token, _): token
        case .blockSequence(let items, _): items.first?.dash
        case .blockMapping(let entries, _): entries.first?.firstToken
        case .flow(let collection): collection.open
        }
    }

    var isEmpty: Bool {
        if case .empty = content { properties.isEmpty } else { false }
    }
}

extension FormatNode.BlockEntry {
    var firstToken: Int? { question ?? key.firstToken ?? colon }
}

extension FormatNode.FlowEntry {
    var firstToken: Int? { question ?? key?.firstToken ?? colon ?? value.firstToken }
}
