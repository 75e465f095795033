import Basics

/// An error that reports shell syntax without its end.
struct ShellSyntaxError: Error, Hashable {
    /// The kind of the error.
    enum Kind: Sendable {
        case quote, substitution, document
    }

    /// The kind of the error.
    var kind: Kind
    /// The byte offset of the start of the syntax.
    var offset: Int
}

/// Splits a shell script into pipelines, as POSIX.1-2024 and bash do (sections 2.2, 2.3 and 2.7 of "Shell Command
/// Language").
///
/// Only simple commands are split; the words of other commands, such as `if`, appear as names of commands.
struct ShellLexer {
    private let bytes: [UInt8]
    private var index = 0
    private var pipelines: [ShellPipeline] = []
    private var pipeline = ShellPipeline()
    private var command = ShellCommand()
    /// The comment on the previous line.
    private var comment: (text: String, end: Int)?
    /// The here-documents that start after the current line.
    private var documents: [(delimiter: [UInt8], isLiteral: Bool, stripsTabs: Bool, offset: Int)] = []
    /// The words that redirections are waiting for.
    private var redirection: Redirection?

    private enum Redirection {
        case input, string, output
        case document(stripsTabs: Bool)
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the pipelines of a script.
    static func pipelines(_ bytes: [UInt8]) throws(ShellSyntaxError) -> [ShellPipeline] {
        var lexer = ShellLexer(bytes)
        try lexer.run()
        return lexer.pipelines
    }

    private mutating func run() throws(ShellSyntaxError) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x20, 0x09, 0x0D: index += 1
            case 0x0A:
                index += 1
                if !documents.isEmpty { try readDocuments() }
                endPipeline()
            case UInt8(ascii: "#"): readComment()
            case UInt8(ascii: "\\") where lineBreak(at: index + 1) != nil: index = lineBreak(at: index + 1) ?? index
            case UInt8(ascii: ";"), UInt8(ascii: "("), UInt8(ascii: ")"):
                index += 1
                endPipeline()
            case UInt8(ascii: "&"): readAmpersand()
            case UInt8(ascii: "|"):
                let isOr = peek(1) == UInt8(ascii: "|")
                index += isOr || peek(1) == UInt8(ascii: "&") ? 2 : 1
                if isOr { endPipeline() } else { endCommand() }
            case UInt8(ascii: "<"), UInt8(ascii: ">"): readRedirection()
            default: add(try readWord())
            }
        }
        if !documents.isEmpty { throw ShellSyntaxError(kind: .document, offset: documents[0].offset) }
        endPipeline()
    }

    private func peek(_ distance: Int) -> UInt8? {
        index + distance < bytes.count ? bytes[index + distance] : nil
    }

    /// Returns the offset after a line break; nil if there is none.
    private func lineBreak(at position: Int) -> Int? {
        guard position < bytes.count else { return nil }
        if bytes[position] == 0x0A { return position + 1 }
        if bytes[position] == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A { return position + 2 }
        return nil
    }

    // MARK: Structure

    private mutating func endCommand() {
        if !command.words.isEmpty || !command.assignments.isEmpty { pipeline.commands.append(command) }
        command = ShellCommand()
        redirection = nil
    }

    private mutating func endPipeline() {
        endCommand()
        if !pipeline.commands.isEmpty {
            if let comment, isAdjacent(comment.end, pipeline.commands[0].range.lowerBound) {
                pipeline.comment = comment.text
            }
            comment = nil
            pipelines.append(pipeline)
        }
        pipeline = ShellPipeline()
    }

    /// Returns whether a comment ends on the line before a command.
    private func isAdjacent(_ end: Int, _ start: Int) -> Bool {
        end <= start && bytes[end..<start].count { $0 == 0x0A } <= 1
    }

    private mutating func readComment() {
        let start = index + 1
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
        guard command.words.isEmpty, pipeline.commands.isEmpty else { return }
        let text = ASCII.trimmed(bytes[start..<index], ASCII.isWhitespace)
        if !text.isEmpty, text.first != UInt8(ascii: "!") {
            comment = (String(decoding: text, as: UTF8.self), index)
        }
    }

    private mutating func readAmpersand() {
        if peek(1) == UInt8(ascii: ">") {
            index += 2
            if peek(0) == UInt8(ascii: ">") { index += 1 }
            redirection = .output
            return
        }
        index += peek(1) == UInt8(ascii: "&") ? 2 : 1
        endPipeline()
    }

    private mutating func readRedirection() {
        let isInput = bytes[index] == UInt8(ascii: "<")
        // The number of a file descriptor before the operator is not a word.
        if let last = command.words.last, last.range.upperBound == index, !last.isQuoted, let text = last.bytes,
            text.allSatisfy(ASCII.isDigit), command.words.count > 1
        {
            command.words.removeLast()
        }
        index += 1
        let next = peek(0)
        if isInput, next == UInt8(ascii: "<") {
            index += 1
            if peek(0) == UInt8(ascii: "<") {
                index += 1
                redirection = .string
            } else {
                let strips = peek(0) == UInt8(ascii: "-")
                if strips { index += 1 }
                redirection = .document(stripsTabs: strips)
            }
        } else if next == UInt8(ascii: "&") || next == UInt8(ascii: ">") || next == UInt8(ascii: "|") {
            index += 1
            redirection = .output
        } else {
            redirection = isInput ? .input : .output
        }
    }

    private mutating func add(_ word: ShellWord) {
        if let redirection {
            self.redirection = nil
            switch redirection {
            case .output: break
            case .input: command.inputFile = word
            case .string:
                var input = word
                input.append(0x0A)
                command.input = input
            case .document(let stripsTabs):
                documents.append((word.bytes ?? [], word.isQuoted, stripsTabs, word.range.lowerBound))
            }
            return
        }
        if command.words.isEmpty {
            // The prompt of a pasted session.
            if word.text == "$" || word.text == "%" { return }
            if command.assignments.isEmpty { command.range = word.range }
            if let assignment = Self.assignment(word) {
                command.assignments.append(assignment)
                command.range = command.range.lowerBound..<word.range.upperBound
                return
            }
        }
        command.words.append(word)
        command.range = command.range.lowerBound..<max(command.range.lowerBound, word.range.upperBound)
    }

    /// Returns the name and the value of a word such as `TOKEN=abc`; nil for any other.
    static func assignment(_ word: ShellWord) -> (name: String, value: ShellWord)? {
        let leading = word.leadingBytes
        guard let equals = leading.firstIndex(of: UInt8(ascii: "=")), equals > 0, !ASCII.isDigit(leading[0]),
            leading[..<equals].allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") })
        else { return nil }
        return (String(decoding: leading[..<equals], as: UTF8.self), word.dropFirst(equals + 1))
    }

    private mutating func readDocuments() throws(ShellSyntaxError) {
        for document in documents {
            var text: [UInt8] = []
            while true {
                guard index < bytes.count else { throw ShellSyntaxError(kind: .document, offset: document.offset) }
                let end = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
                var line = bytes[index..<end]
                index = min(end + 1, bytes.count)
                if document.stripsTabs { line = line.drop { $0 == 0x09 } }
                let plain = line.last == 0x0D ? line.dropLast() : line
                if plain.elementsEqual(document.delimiter) { break }
                text += line
                text.append(0x0A)
            }
            var input = ShellWord(at: document.offset)
            if document.isLiteral {
                input.append(text)
            } else {
                var inner = ShellLexer(text)
                try inner.expandAll(into: &input)
            }
            command.input = input
        }
        documents = []
    }

    // MARK: Words

    private mutating func readWord() throws(ShellSyntaxError) -> ShellWord {
        var word = ShellWord(at: index)
        let start = index
        loop: while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"):
                break loop
            case UInt8(ascii: "\\"):
                if let next = lineBreak(at: index + 1) {
                    index = next
                } else if let next = peek(1) {
                    word.isQuoted = true
                    word.append(next)
                    index += 2
                } else {
                    index += 1
                }
            case UInt8(ascii: "'"):
                word.isQuoted = true
                let open = index
                index += 1
                guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "'")) else {
                    throw ShellSyntaxError(kind: .quote, offset: open)
                }
                word.append(bytes[index..<end])
                index = end + 1
            case UInt8(ascii: "\""): try readDoubleQuotes(into: &word)
            case UInt8(ascii: "$"): try readDollar(into: &word, isInQuotes: false)
            case UInt8(ascii: "`"): try readBackquotes(into: &word)
            default:
                word.append(byte)
                index += 1
            }
        }
        word.range = start..<index
        return word
    }

    private mutating func readDoubleQuotes(into word: inout ShellWord) throws(ShellSyntaxError) {
        word.isQuoted = true
        let open = index
        index += 1
        // Even an empty string is a word.
        word.append([])
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") {
                index += 1
                return
            }
            try readExpanded(into: &word, escapable: "\"\\$`")
        }
        throw ShellSyntaxError(kind: .quote, offset: open)
    }

    /// Expands a here-document.
    private mutating func expandAll(into word: inout ShellWord) throws(ShellSyntaxError) {
        while index < bytes.count { try readExpanded(into: &word, escapable: "\\$`") }
    }

    /// Reads a byte of text in which expansions work, an expansion, or an escape.
    ///
    /// - Parameter escapable: The characters before which a backslash is an escape.
    private mutating func readExpanded(
        into word: inout ShellWord, escapable: String
    ) throws(ShellSyntaxError) {
        switch bytes[index] {
        case UInt8(ascii: "\\"):
            if let next = lineBreak(at: index + 1) {
                index = next
            } else if let next = peek(1), escapable.utf8.contains(next) {
                word.append(next)
                index += 2
            } else {
                word.append(UInt8(ascii: "\\"))
                index += 1
            }
        case UInt8(ascii: "$"): try readDollar(into: &word, isInQuotes: true)
        case UInt8(ascii: "`"): try readBackquotes(into: &word)
        default:
            word.append(bytes[index])
            index += 1
        }
    }

    private mutating func readBackquotes(into word: inout ShellWord) throws(ShellSyntaxError) {
        let open = index
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "`") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { throw ShellSyntaxError(kind: .substitution, offset: open) }
        index += 1
        word.append(.substitution(String(decoding: bytes[open..<index], as: UTF8.self)))
    }

    private mutating func readDollar(into word: inout ShellWord, isInQuotes: Bool) throws(ShellSyntaxError) {
        let start = index
        switch peek(1) {
        case UInt8(ascii: "'")? where !isInQuotes:
            word.isQuoted = true
            index += 2
            try readEscapes(into: &word, from: start)
        case UInt8(ascii: "\"")? where !isInQuotes:
            index += 1
            try readDoubleQuotes(into: &word)
        case UInt8(ascii: "(")?:
            index += 1
            try skipNested(UInt8(ascii: "("), UInt8(ascii: ")"), from: start)
            word.append(.substitution(String(decoding: bytes[start..<index], as: UTF8.self)))
        case UInt8(ascii: "{")?:
            index += 1
            try skipNested(UInt8(ascii: "{"), UInt8(ascii: "}"), from: start)
            word.append(Self.parameter(bytes[(start + 2)..<(index - 1)], whole: bytes[start..<index]))
        case let byte? where ASCII.isLetter(byte) || byte == UInt8(ascii: "_"):
            index += 1
            let first = index
            while let byte = peek(0), ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") { index += 1 }
            word.append(.variable(String(decoding: bytes[first..<index], as: UTF8.self), fallback: nil))
        case let byte? where ASCII.isDigit(byte) || "@*#?!-$".utf8.contains(byte):
            index += 2
            word.append(.substitution(String(decoding: bytes[start..<index], as: UTF8.self)))
        default:
            word.append(UInt8(ascii: "$"))
            index += 1
        }
    }

    /// Moves after the bracket that closes the one at the current position.
    private mutating func skipNested(
        _ open: UInt8, _ close: UInt8, from start: Int
    ) throws(ShellSyntaxError) {
        var depth = 0
        var quote: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if let current = quote {
                if byte == UInt8(ascii: "\\"), current == UInt8(ascii: "\"") {
                    index += 1
                } else if byte == current {
                    quote = nil
                }
            } else if byte == UInt8(ascii: "\\") {
                index += 1
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == open {
                depth += 1
            } else if byte == close {
                depth -= 1
                if depth == 0 { return }
            }
        }
        throw ShellSyntaxError(kind: .substitution, offset: start)
    }

    /// Returns the expansion of a parameter in braces: `NAME`, `NAME:-text` or `NAME-text`.
    private static func parameter(_ inner: ArraySlice<UInt8>, whole: ArraySlice<UInt8>) -> ShellWord.Part {
        let name = inner.prefix { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        var rest = inner[name.endIndex...]
        guard let first = name.first, !ASCII.isDigit(first) else {
            return .substitution(String(decoding: whole, as: UTF8.self))
        }
        let text = String(decoding: name, as: UTF8.self)
        // With `:?`, an unset variable is an error, as it is in a suite.
        if rest.isEmpty || rest.starts(with: ":?".utf8) || rest.first == UInt8(ascii: "?") {
            return .variable(text, fallback: nil)
        }
        if rest.first == UInt8(ascii: ":") { rest = rest.dropFirst() }
        guard rest.first == UInt8(ascii: "-"), !rest.contains(UInt8(ascii: "$")), !rest.contains(UInt8(ascii: "`"))
        else {
            return .substitution(String(decoding: whole, as: UTF8.self))
        }
        var fallback = Array(rest.dropFirst())
        if let quote = fallback.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""), fallback.count > 1,
            fallback.last == quote
        {
            fallback = Array(fallback.dropFirst().dropLast())
        }
        return .variable(text, fallback: fallback)
    }

    // MARK: Escapes

    /// Reads the rest of `$'…'` (POSIX.1-2024, section 2.2.4, with the extensions of bash).
    private mutating func readEscapes(into word: inout ShellWord, from start: Int) throws(ShellSyntaxError) {
        word.append([])
        while let byte = peek(0) {
            index += 1
            if byte == UInt8(ascii: "'") { return }
            guard byte == UInt8(ascii: "\\"), let escape = peek(0) else {
                word.append(byte)
                continue
            }
            index += 1
            switch escape {
            case UInt8(ascii: "a"): word.append(0x07)
            case UInt8(ascii: "b"): word.append(0x08)
            case UInt8(ascii: "e"), UInt8(ascii: "E"): word.append(0x1B)
            case UInt8(ascii: "f"): word.append(0x0C)
            case UInt8(ascii: "n"): word.append(0x0A)
            case UInt8(ascii: "r"): word.append(0x0D)
            case UInt8(ascii: "t"): word.append(0x09)
            case UInt8(ascii: "v"): word.append(0x0B)
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"): word.append(escape)
            case UInt8(ascii: "c"):
                if let control = peek(0) {
                    word.append(control & 0x1F)
                    index += 1
                }
            case UInt8(ascii: "x"): word.append(UInt8(truncatingIfNeeded: digits(2, radix: 16) ?? 0))
            case UInt8(ascii: "u"), UInt8(ascii: "U"):
                let value = digits(escape == UInt8(ascii: "u") ? 4 : 8, radix: 16) ?? 0xFFFD
                let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: value)) ?? "\u{FFFD}"
                word.append(Array(String(Character(scalar)).utf8))
            case UInt8(ascii: "0")...UInt8(ascii: "7"):
                index -= 1
                word.append(UInt8(truncatingIfNeeded: digits(3, radix: 8) ?? 0))
            default:
                word.append(UInt8(ascii: "\\"))
                word.append(escape)
            }
        }
        throw ShellSyntaxError(kind: .quote, offset: start)
    }

    /// Reads a number of at most a count of digits; nil if there are none.
    private mutating func digits(_ maximum: Int, radix: Int) -> Int? {
        var value: Int?
        var count = 0
        while count < maximum, let byte = peek(0), let digit = Hexadecimal.value(of: byte), Int(digit) < radix {
            value = (value ?? 0) * radix + Int(digit)
            index += 1
            count += 1
        }
        return value
    }
}
