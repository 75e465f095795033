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

/// The documents of a text with the tokens they are made of.
struct FormatStream {
    /// A document.
    struct Document {
        var directives: [Int] = []
        /// The `---`.
        var start: Int?
        var root = FormatNode()
        /// The `...` after it.
        var ends: [Int] = []
        /// Comments at the beginning that stay there when keys move.
        var head: [Comment] = []
    }

    var tokens: [Token]
    /// What is before each token; comments that belong to the block before it are taken out.
    var trivia: [Trivia]
    /// The comment behind each token.
    var trailing: [Int: TrailingComment]
    var documents: [Document] = []
}

/// Reads the texts of keys as far as they can be keys of a language.
enum KeyText {
    /// The text of a key that is written on one line without escapes, or nil.
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

    /// Whether a text can be written without quotes everywhere, and is a string then.
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
