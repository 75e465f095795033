/// A node of a document as written; tokens are referenced by index.
struct FormatNode {
    indirect enum Content {
        /// An empty node, which is null.
        case empty
        /// A scalar in a flow style, on one or several lines, or an alias.
        case token(Int)
        case blockScalar(Int, BlockScalar)
        case blockSequence([BlockItem], tail: [Comment])
        case blockMapping([BlockEntry], tail: [Comment])
        case flow(FlowCollection)
    }

    /// The anchor and the tag, in source order.
    var properties: [Int] = []
    var content = Content.empty

    /// An element of a block sequence.
    struct BlockItem {
        /// The `-` token.
        var dash: Int
        var value: FormatNode
    }

    /// An entry of a block mapping.
    struct BlockEntry {
        /// The `?` token of an explicit key.
        var question: Int?
        var key: FormatNode
        /// The `:` token, which an explicit key may lack.
        var colon: Int?
        var value: FormatNode
    }

    /// A flow sequence or flow mapping.
    struct FlowCollection {
        var open: Int
        var isMap: Bool
        var entries: [FlowEntry] = []
        /// The commas that separate the entries, including a trailing one.
        var commas: [Int] = []
        var close: Int
    }

    /// An element of a flow sequence, a pair in one, or an entry of a flow mapping.
    struct FlowEntry {
        var question: Int?
        /// The key of an entry or pair; nil for an element.
        var key: FormatNode?
        var colon: Int?
        var value: FormatNode
    }

    /// The first token of the node; nil for an empty node.
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

/// The documents of a text and their tokens.
struct FormatStream {
    /// A document.
    struct Document {
        var directives: [Int] = []
        /// The `---` token.
        var start: Int?
        var root = FormatNode()
        /// The `...` tokens after the document.
        var ends: [Int] = []
        /// Comments at the start of the document that do not move with the first key.
        var head: [Comment] = []
    }

    var tokens: [Token]
    /// The comments and white space before each token, without the comments that belong to the previous block.
    var trivia: [Trivia]
    /// The comment after each token on its line.
    var trailing: [Int: TrailingComment]
    var documents: [Document] = []
}

/// Reads the names of keys.
enum KeyText {
    /// Returns the name of a key that is written on one line without escapes; nil for any other key.
    static func text(of key: FormatNode, tokens: [Token], source: SourceText) -> String? {
        guard case .token(let index) = key.content else { return nil }
        let token = tokens[index]
        guard token.kind == .scalar else { return nil }
        var range = token.range
        if token.style != .plain {
            guard range.count >= 2 else { return nil }
            range = (range.lowerBound + 1)..<(range.upperBound - 1)
        }
        let bytes = source.bytes[range]
        let isSimple = bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): false
            default: !SourceText.isBreak(byte)
            }
        }
        return isSimple ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Returns whether a string can be written without quotes in every context and still is a string.
    static func isWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        switch text.lowercased() {
        case "true", "false", "null": return false
        default: break
        }
        return text.utf8.allSatisfy {
            isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
