/// Writes documents in their canonical layout.
struct StreamWriter {
    /// The position of a node relative to the preceding token.
    enum Placement {
        /// After a colon; on the next line if it is there in the source.
        case afterKey
        /// After `-`, `?`, or `:` at the start of a line; on the same line.
        case afterDash
        /// At the start of a document; on the line of `---` if it is there in the source.
        case root(hasStart: Bool)
        /// At the current position; the space or line break is already written.
        case placed
    }

    let source: SourceText
    let order: KeyOrder
    var lines: LineWriter
    var tokens: [Token] = []
    var trivia: [Trivia] = []
    var trailing: [Int: TrailingComment] = [:]

    init(source: SourceText, order: KeyOrder) {
        self.source = source
        self.order = order
        lines = LineWriter(source: source)
    }

    /// Returns the text of a stream.
    mutating func write(_ stream: FormatStream, layouts: [NodeLayout]) -> [UInt8] {
        tokens = stream.tokens
        trivia = stream.trivia
        trailing = stream.trailing
        for (index, document) in stream.documents.enumerated() {
            for token in document.directives + (document.start.map { [$0] } ?? []) {
                startLine(token, indentation: 0)
                writeToken(token)
            }
            lines.carried += document.head
            let layout = index < layouts.count ? layouts[index] : .any
            write(
                document.root, indentation: 0, flowBase: 0, .root(hasStart: document.start != nil), layout)
            for token in document.ends {
                startLine(token, indentation: 0)
                writeToken(token)
            }
        }
        lines.writeComments(trivia.last?.comments ?? [], indentation: 0)
        return lines.finish()
    }

    // MARK: Tokens

    /// Starts the line of a token, after the comments that precede it.
    mutating func startLine(_ token: Int, indentation: Int) {
        let comments = trivia[token].comments
        trivia[token].comments = []
        lines.writeComments(comments, indentation: indentation)
        lines.newline(indentation, isAfterBlank: trivia[token].isAfterBlank)
    }

    /// Writes a token. Its comments are written before the next line.
    mutating func writeToken(_ token: Int) {
        lines.write(source.bytes[tokens[token].range])
        finishToken(token)
    }

    /// Queues the comments of a token that was written or omitted.
    mutating func finishToken(_ token: Int) {
        lines.carried += trivia[token].comments
        trivia[token].comments = []
        if let comment = trailing.removeValue(forKey: token) { lines.pending.append(comment) }
    }

    /// Returns whether a comment precedes a token.
    func hasComments(before token: Int) -> Bool { lines.hasComments || !trivia[token].comments.isEmpty }

    /// Writes the space or line break before a node's token.
    ///
    /// - Returns: Whether a line break was written.
    private mutating func location(_ token: Int, indentation: Int, _ placement: Placement) -> Bool {
        let isBroken =
            switch placement {
            case .afterKey: trivia[token].hasBreak
            case .afterDash, .placed: false
            case .root(let hasStart): trivia[token].hasBreak || !hasStart
            }
        if case .placed = placement { return false }
        if isBroken || hasComments(before: token) {
            startLine(token, indentation: indentation)
            return true
        }
        lines.write(" ")
        return false
    }

    // MARK: Nodes

    /// Writes a node.
    ///
    /// - Parameters:
    ///   - node: The node to write.
    ///   - indentation: The indentation of the node's own lines.
    ///   - flowBase: The indentation of a closing bracket whose opening bracket is on the current line.
    ///   - placement: The position relative to the preceding token.
    ///   - layout: The known structure of the node.
    mutating func write(
        _ node: FormatNode, indentation: Int, flowBase: Int, _ placement: Placement, _ layout: NodeLayout
    ) {
        var placement = placement
        var isBroken = false
        for property in node.properties {
            if location(property, indentation: indentation, placement) { isBroken = true }
            writeToken(property)
            switch placement {
            case .placed: placement = .afterKey
            case .root: placement = .root(hasStart: true)
            case .afterKey, .afterDash: break
            }
        }
        switch node.content {
        case .empty: lines.endsWithProperty = !node.properties.isEmpty
        case .token(let token):
            _ = location(token, indentation: indentation, placement)
            writeScalar(token, continuation: max(2, indentation))
        case .blockScalar(let token, let scalar):
            _ = location(token, indentation: indentation, placement)
            writeBlockScalar(token, scalar, indentation: indentation)
        case .flow(let collection):
            if location(collection.open, indentation: indentation, placement) { isBroken = true }
            writeFlow(collection, base: isBroken ? indentation : flowBase, layout)
        case .blockSequence(let items, let tail):
            let isInline = canContinueLine(node, placement) && !(items.first.map { trivia[$0.dash].hasBreak } ?? true)
            writeSequence(items, indentation: indentation, isInline: isInline, layout.ofElements)
            lines.writeComments(tail, indentation: indentation)
        case .blockMapping(let entries, let tail):
            let isInline = canContinueLine(node, placement)
            writeMapping(entries, indentation: indentation, isInline: isInline, layout)
            lines.writeComments(tail, indentation: indentation)
        }
    }

    /// Returns whether a block can start on the line of a `-`.
    ///
    /// The first comment before a block is written after the `-`, so that the `-` is not alone on its line.
    private mutating func canContinueLine(_ node: FormatNode, _ placement: Placement) -> Bool {
        guard case .afterDash = placement, node.properties.isEmpty, let first = node.firstToken else { return false }
        guard !lines.hasComments else { return false }
        guard let comment = trivia[first].comments.first else { return true }
        guard case .blockMapping = node.content else { return false }
        trivia[first].comments.removeFirst()
        lines.pending.append(TrailingComment(text: comment.text, gap: 1, column: 0))
        return false
    }

    private mutating func writeSequence(
        _ items: [FormatNode.BlockItem], indentation: Int, isInline: Bool, _ layout: NodeLayout
    ) {
        for (index, item) in items.enumerated() {
            if index == 0, isInline { lines.write(" ") } else { startLine(item.dash, indentation: indentation) }
            writeToken(item.dash)
            write(item.value, indentation: indentation + 2, flowBase: indentation + 2, .afterDash, layout)
        }
    }

    private mutating func writeMapping(
        _ entries: [FormatNode.BlockEntry], indentation: Int, isInline: Bool, _ layout: NodeLayout
    ) {
        for (index, entry) in entries.enumerated() {
            if index == 0, isInline {
                lines.write(" ")
            } else if let token = entry.firstToken {
                startLine(token, indentation: indentation)
            }
            let text = KeyText.text(of: entry.key, tokens: tokens, source: source)
            let inner = text.map { order.layout(of: $0, in: layout) } ?? .any
            guard let question = entry.question, !canBeSimple(question, entry.key, entry.colon) else {
                entry.question.map { finishToken($0) }
                writeKey(entry.key, text, layout)
                writeColon(entry.colon)
                write(entry.value, indentation: indentation + 2, flowBase: indentation, .afterKey, inner)
                continue
            }
            writeToken(question)
            write(entry.key, indentation: indentation + 2, flowBase: indentation + 2, .afterDash, .any)
            guard let colon = entry.colon else { continue }
            startLine(colon, indentation: indentation)
            writeToken(colon)
            write(entry.value, indentation: indentation + 2, flowBase: indentation + 2, .afterDash, inner)
        }
    }

    // MARK: Keys

    /// Returns whether an explicit key, after `?`, can be written as a simple key.
    func canBeSimple(_ question: Int, _ key: FormatNode, _ colon: Int?) -> Bool {
        guard key.properties.isEmpty, case .token(let token) = key.content else { return false }
        let range = tokens[token].range
        guard range.count < 1000, !source.hasBreak(range) else { return false }
        let isColonFree = colon.map { trivia[$0].comments.isEmpty } ?? true
        return isColonFree && trivia[token].comments.isEmpty && trailing[question] == nil && trailing[token] == nil
    }

    /// Writes a key on the current line. A known key is written without quotes, unless the text is JSON.
    mutating func writeKey(_ key: FormatNode, _ text: String?, _ layout: NodeLayout) {
        for property in key.properties {
            writeToken(property)
            lines.write(" ")
        }
        guard case .token(let token) = key.content else { return }
        if !source.isJSON, tokens[token].style != .plain, key.properties.isEmpty, let text, KeyText.isWord(text),
            order.map(layout)?.positions[text] != nil
        {
            lines.write(text.utf8)
            finishToken(token)
        } else {
            writeScalar(token, continuation: lines.flowBase + 2)
        }
        // A colon can be part of an alias name.
        if tokens[token].kind == .alias { lines.write(" ") }
    }

    /// Writes the colon of a simple key, which an entry without a value may lack.
    mutating func writeColon(_ colon: Int?) {
        guard let colon else { return lines.write(":") }
        writeToken(colon)
    }
}

extension StreamWriter {
    /// Writes a flow collection with the line breaks of the source.
    ///
    /// - Parameters:
    ///   - collection: The collection to write.
    ///   - base: The indentation of the closing bracket if it starts a line.
    ///   - layout: The known structure of the collection.
    mutating func writeFlow(_ collection: FormatNode.FlowCollection, base: Int, _ layout: NodeLayout) {
        lines.flowBase = base
        writeToken(collection.open)
        var isBroken = false
        for (index, entry) in collection.entries.enumerated() {
            if let first = entry.firstToken {
                if isBroken || trivia[first].hasBreak || hasComments(before: first) {
                    startLine(first, indentation: base + 2)
                } else if index > 0 || collection.isMap {
                    lines.write(" ")
                }
            }
            isBroken = false
            writeEntry(entry, collection, layout)
            guard index < collection.commas.count else { continue }
            let comma = collection.commas[index]
            // A comma at the start of a line moves to the end of the previous line.
            isBroken = trivia[comma].hasBreak
            let isLast = index == collection.entries.count - 1
            if !isLast || isBroken || trivia[collection.close].hasBreak { lines.writeComma() }
            finishToken(comma)
        }
        close(collection, base: base, isBroken: isBroken)
    }

    private mutating func close(_ collection: FormatNode.FlowCollection, base: Int, isBroken: Bool) {
        let token = collection.close
        let isBroken = isBroken || trivia[token].hasBreak && !collection.entries.isEmpty
        if isBroken || hasComments(before: token) {
            let comments = trivia[token].comments
            trivia[token].comments = []
            lines.writeComments(comments, indentation: base + 2)
            lines.newline(base)
        } else if !collection.entries.isEmpty, collection.isMap || lines.needsSpace {
            lines.write(" ")
        }
        writeToken(token)
    }

    private mutating func writeEntry(
        _ entry: FormatNode.FlowEntry, _ collection: FormatNode.FlowCollection, _ layout: NodeLayout
    ) {
        guard let key = entry.key else {
            write(
                entry.value, indentation: lines.flowBase + 2, flowBase: lines.flowBase, .placed, layout.ofElements)
            return
        }
        let text = KeyText.text(of: key, tokens: tokens, source: source)
        let inner = text.map { order.layout(of: $0, in: layout) } ?? .any
        if let question = entry.question, !canBeSimple(question, key, entry.colon) {
            writeToken(question)
            write(key, indentation: lines.flowBase + 2, flowBase: lines.flowBase, .afterKey, .any)
            if let colon = entry.colon {
                if trivia[colon].hasBreak || hasComments(before: colon) {
                    startLine(colon, indentation: lines.flowBase + 2)
                } else {
                    lines.write(" ")
                }
                writeToken(colon)
            }
        } else {
            entry.question.map { finishToken($0) }
            writeKey(key, text, layout)
            if entry.colon != nil || !collection.isMap { writeColon(entry.colon) }
        }
        write(entry.value, indentation: lines.flowBase + 2, flowBase: lines.flowBase, .afterKey, inner)
    }
}

extension StreamWriter {
    /// Writes a plain or quoted scalar, or an alias, with the line breaks of the source.
    ///
    /// - Parameters:
    ///   - token: The index of the token.
    ///   - continuation: The indentation of continuation lines.
    mutating func writeScalar(_ token: Int, continuation: Int) {
        let parts = source.lines(tokens[token].range)
        let isEscaped = tokens[token].style == .doubleQuoted
        for (index, part) in parts.enumerated() {
            var part = part
            if index > 0 {
                while let first = source.bytes[part].first, SourceText.isBlank(first) { part.removeFirst() }
            }
            if index < parts.count - 1 { part = withoutBlanksAtEnd(part, isEscaped: isEscaped) }
            if index == 0 {
                lines.write(source.bytes[part])
            } else {
                lines.continueScalar(source.bytes[part], indentation: continuation)
            }
        }
        finishToken(token)
    }

    /// Returns a line without trailing blanks, which folding removes; an escaped blank is content.
    private func withoutBlanksAtEnd(_ line: Range<Int>, isEscaped: Bool) -> Range<Int> {
        let trimmed = source.trimmed(line)
        guard isEscaped, trimmed.upperBound < line.upperBound else { return trimmed }
        var backslashes = 0
        while backslashes < trimmed.count,
            source.bytes[trimmed.upperBound - 1 - backslashes] == UInt8(ascii: "\\")
        {
            backslashes += 1
        }
        return backslashes % 2 == 1 ? line.lowerBound..<(trimmed.upperBound + 1) : trimmed
    }

    /// Writes a literal or folded scalar.
    ///
    /// - Parameters:
    ///   - token: The index of the token.
    ///   - scalar: The lines of the scalar.
    ///   - indentation: The indentation of the lines, unless there is an explicit indentation indicator.
    mutating func writeBlockScalar(_ token: Int, _ scalar: BlockScalar, indentation: Int) {
        var header = Array(source.bytes[scalar.header])
        if scalar.isUnterminated, !scalar.isStripped {
            // The text has no final line break because the file has none, but the output has one.
            header.removeAll { $0 == UInt8(ascii: "+") }
            header.append(UInt8(ascii: "-"))
        }
        lines.write(header)
        if let comment = scalar.comment { lines.pending.append(comment) }
        lines.writePendingComment()
        let parent = max(0, indentation - 2)
        let column = scalar.explicitIndentation.map { parent + $0 } ?? parent + 2
        for line in scalar.lines { lines.continueScalar(source.bytes[line], indentation: column) }
        lines.endsWithKeptLines = scalar.isKept && !scalar.isUnterminated
        finishToken(token)
    }
}
