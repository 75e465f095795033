import Basics
import Diagnostics

/// A `.bru` file, or a file in the YAML layout with the same meaning: a list of blocks.
struct BruFile {
    /// An entry of a block such as `headers`.
    struct Entry: Hashable {
        /// The name without marks.
        var key: String
        /// The value, without the quotes of a text over several lines.
        var value: String
        /// Whether the entry has no `~` before it.
        var isEnabled: Bool
        /// Whether the entry has `@` before it, which makes a variable local.
        var isLocal = false
        /// The line, from 1.
        var line: Int
    }

    /// A block.
    struct Block {
        /// The name, such as `body:json`.
        var name: String
        /// The line of the name, from 1.
        var line: Int
        /// The lines between the brackets.
        var lines: [Substring]
        /// The entries, if they come from another notation.
        var given: [Entry]?

        /// The text without its indentation.
        var text: String {
            lines.map { line in
                var line = line
                for _ in 0..<2 where line.first == " " { line.removeFirst() }
                return String(line)
            }.joined(separator: "\n")
        }

        /// The words of a list.
        var words: [String] {
            lines.map { String(BruFile.trimmed($0)) }.filter { !$0.isEmpty }
                .map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
        }
    }

    /// The blocks in order.
    private(set) var blocks: [Block] = []

    /// Reads a file.
    ///
    /// - Returns: nil, and a diagnostic, if a block does not end.
    init?(_ file: SourceFile, _ context: inout ImportContext) {
        if OpenCollectionFile.isYAML(file.name) {
            guard let other = OpenCollectionFile(file, &context) else { return nil }
            blocks = other.blocks
            return
        }
        var open: Block?
        var end: Substring = "}"
        var number = 0
        for line in Self.lines(file.text) {
            number += 1
            if open != nil {
                if line.hasPrefix(end), Self.trimmed(line) == end {
                    if let block = open { blocks.append(block) }
                    open = nil
                } else {
                    open?.lines.append(line)
                }
                continue
            }
            let text = Self.trimmed(line)
            guard let bracket = text.last, bracket == "{" || bracket == "[" else { continue }
            open = Block(name: String(Self.trimmed(text.dropLast())), line: number, lines: [])
            end = bracket == "{" ? "}" : "]"
        }
        guard let open else { return }
        let start = Self.offset(ofLine: open.line, in: file.text)
        context.report(
            "invalid-bru", "the block \"\(open.name)\" does not end: write } at the start of a line",
            SourceRange(file: file, bytes: start..<start + 1))
        return nil
    }

    /// The lines of a text without their ends.
    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            Substring(line.last == 0x0D ? line.dropLast() : line)
        }
    }

    private static func offset(ofLine line: Int, in text: [UInt8]) -> Int {
        var left = line - 1
        for (index, byte) in text.enumerated() {
            if left == 0 { return index }
            if byte == 0x0A { left -= 1 }
        }
        return max(0, text.count - 1)
    }

    /// Returns a text without space around it.
    static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// Returns the first block with a name.
    func block(_ name: String) -> Block? { blocks.first { $0.name == name } }

    /// Returns the entries of a block; none if it does not exist.
    func entries(_ name: String) -> [Entry] { block(name).map(Self.entries) ?? [] }

    /// Returns the value of an entry.
    func value(_ block: String, _ key: String) -> String? {
        entries(block).first { $0.key == key && $0.isEnabled }?.value
    }

    // MARK: Entries

    /// Returns the entries of a block of names and values.
    static func entries(_ block: Block) -> [Entry] {
        if let given = block.given { return given }
        var result: [Entry] = []
        var index = 0
        while index < block.lines.count {
            let line = block.line + 1 + index
            let text = trimmed(block.lines[index])
            index += 1
            // An annotation, such as a description.
            if text.isEmpty || text.hasPrefix("@") && !text.contains(":") { continue }
            guard var entry = entry(text, line: line, isAssertion: block.name == "assert") else { continue }
            if entry.value.hasPrefix("'''") {
                var lines = [Substring(entry.value.dropFirst(3))]
                while !(lines.last?.contains("'''") ?? true), index < block.lines.count {
                    lines.append(block.lines[index])
                    index += 1
                }
                entry.value = multiline(lines)
            } else if entry.value == "[" {
                var words: [String] = []
                while index < block.lines.count, trimmed(block.lines[index]) != "]" {
                    words.append(String(trimmed(block.lines[index])))
                    index += 1
                }
                index += 1
                entry.value = words.joined(separator: " ")
            }
            result.append(entry)
        }
        return result
    }

    /// Returns a text over several lines without its indentation.
    private static func multiline(_ lines: [Substring]) -> String {
        var lines = lines
        if let last = lines.last, let end = last.firstRange(of: "'''") {
            lines[lines.count - 1] = last[..<end.lowerBound]
        }
        if lines.first?.isEmpty == true { lines.removeFirst() }
        if let last = lines.last, trimmed(last).isEmpty { lines.removeLast() }
        let margin = lines.filter { !trimmed($0).isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(min(margin, $0.prefix { $0 == " " }.count))) }.joined(separator: "\n")
    }

    private static func entry(_ text: Substring, line: Int, isAssertion: Bool) -> Entry? {
        var rest = text
        var entry = Entry(key: "", value: "", isEnabled: true, line: line)
        while let first = rest.first, first == "~" || first == "@" {
            if first == "~" { entry.isEnabled = false } else { entry.isLocal = true }
            rest.removeFirst()
        }
        if rest.first == "\"", !isAssertion {
            rest.removeFirst()
            var isEscaped = false
            while let character = rest.first {
                rest.removeFirst()
                if isEscaped {
                    if character != "\"" { entry.key.append("\\") }
                    entry.key.append(character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    break
                } else {
                    entry.key.append(character)
                }
            }
            rest = trimmed(rest)
            guard rest.first == ":" else { return nil }
        } else {
            // Conditions may contain a colon only after their operator.
            guard let colon = rest.firstIndex(of: ":") else { return nil }
            entry.key = String(trimmed(rest[..<colon]))
            rest = rest[colon...]
        }
        entry.value = String(trimmed(rest.dropFirst()))
        return entry
    }
}
