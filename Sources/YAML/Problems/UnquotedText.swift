import Diagnostics

/// A key or value that YAML takes apart because it is not quoted, such as `$.items[0].id` in a flow mapping.
struct UnquotedText {
    /// The part of a collection that the text is.
    enum Role {
        case key
        case item
        /// The value of a key.
        case value(key: String)
    }

    /// The part of a collection that the text is.
    let role: Role
    /// The bytes of the text.
    let bytes: Range<Int>
    /// Whether the text starts with a string or a bracket that YAML takes for the whole value.
    let startsWithNode: Bool

    /// Returns the position of the start of the text.
    func start(in file: SourceFile) -> SourcePosition { file.position(atByteOffset: bytes.lowerBound) }

    /// Returns the text that contains an offset; nil if it is not evident where the text starts and ends.
    ///
    /// - Parameters:
    ///   - offset: The offset in the file at which YAML found a problem.
    ///   - bracket: The offset of the outermost open bracket; nil outside of flow collections.
    static func containing(_ offset: Int, in file: SourceFile, bracket: Int?) -> UnquotedText? {
        guard let line = file.byteRange(ofLine: Int(file.position(atByteOffset: offset).line)) else { return nil }
        var scan = UnquotedTextScan(text: file.text, limit: line.upperBound, target: offset)
        if let bracket {
            guard bracket <= offset else { return nil }
            _ = scan.collection(bracket, depth: 0)
        } else {
            scan.blockLine(line.lowerBound)
        }
        return scan.found
    }
}

/// Reads lines as a person does: brackets and strings within a text are parts of it.
struct UnquotedTextScan {
    let text: [UInt8]
    /// The end of the line that contains the problem.
    let limit: Int
    /// The offset of the problem.
    let target: Int
    private(set) var found: UnquotedText?

    /// The maximum nesting that is followed.
    private static let maximumDepth = 64

    init(text: [UInt8], limit: Int, target: Int) {
        self.text = text
        self.limit = limit
        self.target = target
    }

    // MARK: - Block style

    /// Finds the text in a line outside of flow collections: a key, the value of a key, or an item.
    mutating func blockLine(_ start: Int) {
        var index = skipBlanks(start)
        var isItem = false
        while index + 1 < limit, text[index] == UInt8(ascii: "-"), SourceScan.isBlank(text[index + 1]) {
            index = skipBlanks(index + 1)
            isItem = true
        }
        guard index < limit, let end = endOfText(index, isFlow: false) else { return }
        if end < limit, text[end] == UInt8(ascii: ":") {
            // YAML divides a key at a colon within it, and finds the problem at the colon after it.
            if target < end || target == end && hasColon(index..<end) { return take(index..<end, as: .key) }
            let value = skipBlanks(end + 1)
            let key = String(decoding: text[index..<end], as: UTF8.self)
            if value < limit { take(value..<endOfLine(value), as: .value(key: key)) }
        } else if isItem {
            take(index..<end, as: .item)
        }
    }

    /// Returns whether a text contains a colon and a space.
    private func hasColon(_ range: Range<Int>) -> Bool {
        range.dropLast().contains { text[$0] == UInt8(ascii: ":") && SourceScan.isBlank(text[$0 + 1]) }
    }

    /// Returns the offset of the comment of a line, or of its end. A number sign within a string does not start one.
    private func endOfLine(_ start: Int) -> Int {
        var index = start
        while index < limit {
            if text[index] == UInt8(ascii: "#"), index > start, SourceScan.isBlank(text[index - 1]) { return index }
            index = isStartOfString(index, from: start) ? endOfString(index) ?? index + 1 : index + 1
        }
        return limit
    }

    // MARK: - Flow style

    /// Finds the text within a collection.
    ///
    /// - Returns: The offset after the collection; nil if the search is over.
    mutating func collection(_ open: Int, depth: Int) -> Int? {
        guard open < limit, depth < Self.maximumDepth else { return nil }
        let isMapping = text[open] == UInt8(ascii: "{")
        var index = open + 1
        while true {
            index = skipSpace(index)
            guard index < limit else { return nil }
            if text[index] == UInt8(ascii: "}") || text[index] == UInt8(ascii: "]") { return index + 1 }
            if text[index] == UInt8(ascii: ",") {
                index += 1
                continue
            }
            let start = index
            guard let end = node(start, as: isMapping ? .key : .item, depth: depth) else { return nil }
            index = skipSpace(end)
            guard index < limit, text[index] == UInt8(ascii: ":") else { continue }
            index = skipSpace(index + 1)
            guard index < limit, !Self.isFlowEnd(text[index]) else { continue }
            let key = String(decoding: text[start..<end], as: UTF8.self)
            guard let end = node(index, as: .value(key: key), depth: depth) else { return nil }
            index = skipSpace(end)
            // Two values without a comma between them look the same as one with a colon.
            if index < limit, text[index] == UInt8(ascii: ":") { return nil }
        }
    }

    /// Reads a node of a flow collection; returns the offset after it, or nil if the search is over.
    private mutating func node(_ start: Int, as role: UnquotedText.Role, depth: Int) -> Int? {
        if let end = isOpening(text[start]) ? collection(start, depth: depth + 1) : endOfString(start),
            isEndOfNode(end)
        {
            return end
        }
        guard found == nil, let end = endOfText(start, isFlow: true) else { return nil }
        if target < end {
            let isAmbiguous = if case .value = role { end < limit && text[end] == UInt8(ascii: ":") } else { false }
            var role = role
            if case .item = role, end < limit, text[end] == UInt8(ascii: ":") { role = .key }
            if !isAmbiguous { take(start..<end, as: role) }
            return nil
        }
        return end > start ? end : nil
    }

    /// Returns whether the next character after a string or a collection can follow it.
    private func isEndOfNode(_ end: Int) -> Bool {
        let next = skipBlanks(end)
        guard next < limit else { return true }
        let isComment = text[next] == UInt8(ascii: "#") && next > end
        return Self.isFlowEnd(text[next]) || SourceScan.isLineBreak(text[next]) || isComment
            || text[next] == UInt8(ascii: ":")
    }

    // MARK: - Texts

    private mutating func take(_ range: Range<Int>, as role: UnquotedText.Role) {
        var end = range.upperBound
        while end > range.lowerBound, SourceScan.isBlank(text[end - 1]) { end -= 1 }
        let start = range.lowerBound
        let isKey = if case .key = role { true } else { false }
        guard start < end, target >= start, target < end || isKey && target == end else { return }
        let first = endOfNode(start)
        let isTag = text[start] == UInt8(ascii: "!")
        guard first.map({ isTag && $0 >= end || isOperator(after: $0, before: end) }) ?? isJoined(start..<end) else {
            return
        }
        found = UnquotedText(role: role, bytes: start..<end, startsWithNode: first != nil)
    }

    /// Returns the offset at which a text ends; nil if a bracket in the text is not closed.
    ///
    /// A text ends at a colon, at a comment or at the end of the line, and in a flow collection also at a comma or a closing
    /// bracket.
    private func endOfText(_ start: Int, isFlow: Bool) -> Int? {
        var index = start
        var brackets: [UInt8] = []
        var conditions = 0
        while index < limit, !SourceScan.isLineBreak(text[index]) {
            let byte = text[index]
            if isStartOfString(index, from: start), let end = endOfString(index) {
                index = end
                continue
            }
            let isAfterBlank = index > start && SourceScan.isBlank(text[index - 1])
            switch byte {
            case UInt8(ascii: "#") where isAfterBlank:
                return brackets.isEmpty ? index : nil
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                brackets.append(byte == UInt8(ascii: "(") ? UInt8(ascii: ")") : byte + 2)
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if brackets.last == byte {
                    brackets.removeLast()
                } else if isFlow, byte != UInt8(ascii: ")") {
                    return brackets.isEmpty ? index : nil
                }
            case UInt8(ascii: ",") where isFlow && brackets.isEmpty:
                return index
            case UInt8(ascii: "?") where brackets.isEmpty && isAfterBlank:
                conditions += 1
            case UInt8(ascii: ":") where brackets.isEmpty:
                let isKey =
                    index + 1 >= limit || SourceScan.isBlank(text[index + 1]) || SourceScan.isLineBreak(text[index + 1])
                    || isFlow && Self.isFlowEnd(text[index + 1])
                if isKey, conditions > 0, isAfterBlank {
                    conditions -= 1
                } else if isKey {
                    return index
                }
            default: break
            }
            index += 1
        }
        return brackets.isEmpty ? index : nil
    }

    /// Returns the offset after the string, the brackets or the tag with which a text starts; nil for any other text.
    private func endOfNode(_ start: Int) -> Int? {
        if text[start] == UInt8(ascii: "!") {
            return text[start..<limit].firstIndex { SourceScan.isBlank($0) || SourceScan.isLineBreak($0) } ?? limit
        }
        guard isOpening(text[start]) else { return endOfString(start) }
        var depth = 0
        var index = start
        while index < limit, !SourceScan.isLineBreak(text[index]) {
            if let end = endOfString(index), isStartOfString(index, from: start) {
                index = end
                continue
            }
            if isOpening(text[index]) { depth += 1 }
            if text[index] == UInt8(ascii: "]") || text[index] == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return index + 1 }
            }
            index += 1
        }
        return nil
    }

    /// Returns whether an operator of an expression follows a string or a bracket.
    ///
    /// Without one, a comma between two values is more likely missing than a quote.
    private func isOperator(after offset: Int, before end: Int) -> Bool {
        let next = skipBlanks(offset)
        guard next < end else { return false }
        switch text[next] {
        case UInt8(ascii: "="), UInt8(ascii: "!"):
            return next + 1 < end && text[next + 1] == UInt8(ascii: "=")
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "%"),
            UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "-"):
            return next > offset && next + 1 < end && (text[next + 1] == UInt8(ascii: "=") || isSpaced(next, end))
        case UInt8(ascii: "&"), UInt8(ascii: "|"):
            return next + 1 < end && text[next + 1] == text[next]
        case UInt8(ascii: "i"):
            return next + 2 < end && text[next + 1] == UInt8(ascii: "n") && SourceScan.isBlank(text[next + 2])
        case UInt8(ascii: "."), UInt8(ascii: "["):
            return next == offset
        default: return false
        }
    }

    private func isSpaced(_ index: Int, _ end: Int) -> Bool { index + 1 < end && SourceScan.isBlank(text[index + 1]) }

    /// Returns whether each bracket in a text follows a character, or an operator and a space.
    private func isJoined(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            if isStartOfString(index, from: range.lowerBound), let end = endOfString(index) {
                index = end
                continue
            }
            if isOpening(text[index]), index > range.lowerBound, SourceScan.isBlank(text[index - 1]) {
                var before = index - 1
                while before > range.lowerBound, SourceScan.isBlank(text[before]) { before -= 1 }
                let isIn =
                    before >= range.lowerBound + 2 && text[before] == UInt8(ascii: "n")
                    && text[before - 1] == UInt8(ascii: "i") && SourceScan.isBlank(text[before - 2])
                guard isIn || "=<>!&|+-*/%?:(,".utf8.contains(text[before]) else { return false }
            }
            index += 1
        }
        return true
    }

    // MARK: - Characters

    /// Returns whether a quotation mark starts a string, and is not an apostrophe.
    private func isStartOfString(_ index: Int, from start: Int) -> Bool {
        guard text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") else { return false }
        guard index > start else { return true }
        switch text[index - 1] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
            return false
        default: return true
        }
    }

    /// Returns the offset after the string that starts at an offset; nil if there is none that ends in the line.
    private func endOfString(_ start: Int) -> Int? {
        let quote = text[start]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        var index = start + 1
        while index < limit, !SourceScan.isLineBreak(text[index]) {
            if text[index] == quote { return index + 1 }
            index += text[index] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
        }
        return nil
    }

    private func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    private static func isFlowEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
    }

    private func skipBlanks(_ start: Int) -> Int {
        var index = start
        while index < limit, SourceScan.isBlank(text[index]) { index += 1 }
        return index
    }

    /// Returns the offset after white space, line breaks and comments.
    private func skipSpace(_ start: Int) -> Int {
        var index = start
        while index < limit {
            if text[index] == UInt8(ascii: "#") {
                while index < limit, !SourceScan.isLineBreak(text[index]) { index += 1 }
            } else if SourceScan.isBlank(text[index]) || SourceScan.isLineBreak(text[index]) {
                index += 1
            } else {
                break
            }
        }
        return index
    }
}
