extension StreamWriter {
    /// Writes a list or map in brackets; lines break where the author breaks them.
    ///
    /// - Parameter base: The indentation of the closing bracket, when it begins a line.
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
            // A comma at the beginning of a line goes to the end of the line before.
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
