/// Parses tokens to a tree, like libyaml's parser does, and attaches comments to the nodes that they belong to.
struct TreeParser {
    /// The maximum nesting depth.
    private static let maximumDepth = 300

    private let source: SourceText
    private var stream: FormatStream
    private var index = 0
    private var depth = 0
    /// The columns of the enclosing blocks.
    private var columns: [Int] = []
    /// The comments after the headers of block scalars.
    private var headerComments: [Range<Int>] = []

    init(source: SourceText, tokens: [Token]) {
        self.source = source
        stream = FormatStream(tokens: tokens, trivia: [], trailing: [:])
    }

    /// Parses the stream.
    ///
    /// - Throws: ``FormatFailure`` if a key is not a scalar, or the structure is not supported.
    mutating func parse() throws(FormatFailure) -> FormatStream {
        try readTrivia()
        try expect(.streamStart)
        while kind != .streamEnd {
            var document = FormatStream.Document()
            while kind == .directive { document.directives.append(take()) }
            if kind == .documentStart { document.start = take() }
            if kind != .documentStart, kind != .documentEnd, kind != .directive, kind != .streamEnd {
                document.root = try node(isBlock: true, isIndentless: false)
            }
            while kind == .documentEnd { document.ends.append(take()) }
            stream.documents.append(document)
            guard kind == .documentStart || kind == .directive || kind == .streamEnd || !document.ends.isEmpty else {
                throw unexpected()
            }
        }
        return stream
    }

    // MARK: Tokens

    private var kind: Token.Kind { index < stream.tokens.count ? stream.tokens[index].kind : .streamEnd }

    private mutating func take() -> Int {
        index += 1
        return index - 1
    }

    private mutating func expect(_ expected: Token.Kind) throws(FormatFailure) {
        guard kind == expected else { throw unexpected() }
        index += 1
    }

    private func unexpected() -> FormatFailure {
        let offset = index < stream.tokens.count ? stream.tokens[index].start : source.bytes.count
        return FormatFailure("unsupported construct", at: source.skipped + offset)
    }

    /// Parses the gaps between the tokens, and finds the ends of block scalars.
    private mutating func readTrivia() throws(FormatFailure) {
        var end = 0
        var previous: Int?
        var isAtLineStart = true
        // The columns of the enclosing blocks, counted like libyaml counts them for block scalars.
        var columns: [Int] = []
        for index in stream.tokens.indices {
            let token = stream.tokens[index]
            switch token.kind {
            case .blockSequenceStart, .blockMappingStart: columns.append(source.column(of: token.start))
            case .blockEnd: _ = columns.popLast()
            default: break
            }
            if token.isVirtual {
                stream.trivia.append(Trivia())
                continue
            }
            guard token.start >= end else { throw FormatFailure("tokens overlap", at: token.start) }
            let start = token.kind == .streamEnd ? source.bytes.count : token.start
            let trivia = try Trivia(source: source, gap: end..<start, isAtLineStart: isAtLineStart)
            if let previous, let trailing = trivia.trailing { stream.trailing[previous] = trailing }
            stream.trivia.append(trivia)
            previous = index
            end = token.end
            isAtLineStart = false
            if token.isBlockScalar {
                let scalar = BlockScalar(source: source, range: token.range, parentColumn: columns.last ?? -1)
                end = scalar.end
                if let comment = scalar.comment { headerComments.append(comment.text) }
                isAtLineStart = scalar.isKept && !scalar.isUnterminated && end > scalar.header.upperBound
            }
        }
    }

    // MARK: Nodes

    private mutating func node(isBlock: Bool, isIndentless: Bool) throws(FormatFailure) -> FormatNode {
        guard depth < Self.maximumDepth else { throw FormatFailure("nested too deeply") }
        depth += 1
        defer { depth -= 1 }
        var node = FormatNode()
        while kind == .anchor || kind == .tag { node.properties.append(take()) }
        switch kind {
        case .alias where node.properties.isEmpty: node.content = .token(take())
        case .scalar:
            let token = take()
            if stream.tokens[token].isBlockScalar {
                let range = stream.tokens[token].range
                node.content = .blockScalar(
                    token, BlockScalar(source: source, range: range, parentColumn: columns.last ?? -1))
            } else {
                node.content = .token(token)
            }
        case .entry where isIndentless: node.content = try indentlessSequence()
        case .blockSequenceStart where isBlock: node.content = try blockSequence()
        case .blockMappingStart where isBlock: node.content = try blockMapping()
        case .sequenceStart: node.content = try flow(isMap: false)
        case .mappingStart: node.content = try flow(isMap: true)
        default: if node.properties.isEmpty { throw unexpected() }
        }
        return node
    }

    private mutating func blockSequence() throws(FormatFailure) -> FormatNode.Content {
        let column = source.column(of: stream.tokens[take()].start)
        columns.append(column)
        defer { columns.removeLast() }
        var items: [FormatNode.BlockItem] = []
        while kind == .entry {
            let dash = take()
            let isEmpty = kind == .entry || kind == .blockEnd
            let value = isEmpty ? FormatNode() : try node(isBlock: true, isIndentless: false)
            items.append(FormatNode.BlockItem(dash: dash, value: value))
        }
        try expect(.blockEnd)
        return .blockSequence(items, tail: takeTail(column: column))
    }

    /// Parses a sequence whose dashes are in the same column as the parent key.
    private mutating func indentlessSequence() throws(FormatFailure) -> FormatNode.Content {
        let column = source.column(of: stream.tokens[index].start)
        var items: [FormatNode.BlockItem] = []
        while kind == .entry {
            let dash = take()
            let isEmpty = kind == .entry || kind == .key || kind == .value || kind == .blockEnd
            let value = isEmpty ? FormatNode() : try node(isBlock: true, isIndentless: false)
            items.append(FormatNode.BlockItem(dash: dash, value: value))
        }
        // A comment in the column of the dashes belongs to the next key.
        return .blockSequence(items, tail: takeTail(column: column + 1))
    }

    private mutating func blockMapping() throws(FormatFailure) -> FormatNode.Content {
        let column = source.column(of: stream.tokens[take()].start)
        columns.append(column)
        defer { columns.removeLast() }
        var entries: [FormatNode.BlockEntry] = []
        while kind == .key {
            let token = take()
            var entry = FormatNode.BlockEntry(
                question: stream.tokens[token].isVirtual ? nil : token, key: FormatNode(), value: FormatNode())
            if kind != .key, kind != .value, kind != .blockEnd {
                entry.key = try node(isBlock: true, isIndentless: true)
            }
            if kind == .value {
                entry.colon = take()
                if kind != .key, kind != .value, kind != .blockEnd {
                    entry.value = try node(isBlock: true, isIndentless: true)
                }
            }
            try checkKey(entry.key)
            entries.append(entry)
        }
        try expect(.blockEnd)
        return .blockMapping(entries, tail: takeTail(column: column))
    }

    private mutating func flow(isMap: Bool) throws(FormatFailure) -> FormatNode.Content {
        var collection = FormatNode.FlowCollection(open: take(), isMap: isMap, close: 0)
        let end: Token.Kind = isMap ? .mappingEnd : .sequenceEnd
        while kind != end {
            var entry = FormatNode.FlowEntry(value: FormatNode())
            if kind == .key {
                let token = take()
                entry.question = stream.tokens[token].isVirtual ? nil : token
                var key = FormatNode()
                if kind != .value, kind != .comma, kind != end { key = try node(isBlock: false, isIndentless: false) }
                try checkKey(key)
                entry.key = key
                if kind == .value {
                    entry.colon = take()
                    if kind != .comma, kind != end { entry.value = try node(isBlock: false, isIndentless: false) }
                }
            } else {
                let node = try node(isBlock: false, isIndentless: false)
                if isMap {
                    try checkKey(node)
                    entry.key = node
                } else {
                    entry.value = node
                }
            }
            collection.entries.append(entry)
            if kind == .comma { collection.commas.append(take()) } else if kind != end { throw unexpected() }
        }
        collection.close = take()
        return .flow(collection)
    }

    private func checkKey(_ key: FormatNode) throws(FormatFailure) {
        if case .token = key.content { return }
        if case .blockScalar = key.content { return }
        if key.properties.isEmpty, case .empty = key.content { throw unexpected() }
        if case .empty = key.content { return }
        throw FormatFailure("a key is not a scalar", at: key.firstToken.map { stream.tokens[$0].start })
    }

    /// Removes and returns the comments that are indented like a block that just ended.
    ///
    /// They come before the comments of the content that follows.
    private mutating func takeTail(column: Int) -> [Comment] {
        // The next token with characters; the ends of outer blocks may come before it.
        var next = index
        while next < stream.tokens.count, stream.tokens[next].isVirtual { next += 1 }
        guard next < stream.trivia.count else { return [] }
        let tail = Array(stream.trivia[next].comments.prefix { $0.column >= column })
        stream.trivia[next].comments.removeFirst(tail.count)
        return tail
    }
}

extension TreeParser {
    /// Returns the texts of all comments, sorted by bytes.
    static func comments(of source: SourceText) throws(FormatFailure) -> [[UInt8]] {
        var parser = TreeParser(source: source, tokens: try TokenScanner.tokens(of: source))
        try parser.readTrivia()
        var ranges = parser.stream.trivia.flatMap { $0.comments.map(\.text) }
        ranges += parser.stream.trailing.values.map(\.text)
        ranges += parser.headerComments
        return ranges.map { Array(source.bytes[$0]) }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
