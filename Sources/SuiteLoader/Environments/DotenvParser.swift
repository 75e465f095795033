import Basics
import Diagnostics

/// Parses the `NAME=value` lines of a dotenv file.
///
/// A value is unquoted, up to the end of the line or ` #`; in single quotes, verbatim; or in double quotes, with
/// escapes. In unquoted and double-quoted values, `${NAME}` and `${NAME:-default}` refer to earlier definitions. Quoted
/// values may span several lines.
struct DotenvParser {
    /// The definitions of a file, in file order, and its diagnostics.
    struct Result {
        var values: [(name: String, value: String)] = []
        var diagnostics: [Diagnostic] = []
    }

    /// An error and its suggested fix.
    private struct SyntaxError: Error {
        var message: MessageText
        var suggestion: MessageText?
    }

    /// An error or warning with its location in a line.
    private struct Problem {
        var line: Int
        var start: Int
        var length: Int
        var mistake: SyntaxError
        var severity = Severity.error
    }

    /// The replacement for text that must not be shown.
    private static let mask = Array("***".utf8)

    private let text: [UInt8]
    private let environment: (String) -> String?
    private let previous: [String: String]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var values: [(name: String, value: String)] = []
    private var indices: [String: Int] = [:]
    private var problems: [Problem] = []
    /// The part of each line that may be shown: at most the name and the text before it.
    private var shown: [Int: ArraySlice<UInt8>] = [:]

    private init(_ text: [UInt8], previous: [String: String], environment: @escaping (String) -> String?) {
        self.text = text
        self.previous = previous
        self.environment = environment
    }

    /// Parses a file.
    ///
    /// The file that diagnostics quote contains no values: everything except the names is masked.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - name: The path of the file, for messages.
    ///   - previous: The definitions of earlier files.
    ///   - environment: A closure that returns a variable of the process environment, which overrides all files.
    static func parse(
        _ text: [UInt8], name: String, previous: [String: String] = [:], environment: @escaping (String) -> String?
    ) -> Result {
        var parser = DotenvParser(text, previous: previous, environment: environment)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) {
            parser.position = 3
            parser.lineStart = 3
        }
        while parser.position < text.count { parser.readLine() }
        return Result(values: parser.values, diagnostics: parser.diagnostics(name))
    }

    private func diagnostics(_ name: String) -> [Diagnostic] {
        if problems.isEmpty { return [] }
        var bytes: [UInt8] = []
        for number in 1...max(1, line) {
            bytes += shown[number] ?? []
            bytes += Self.mask
            bytes.append(0x0A)
        }
        let file = SourceFile(name: name, text: bytes)
        return problems.map { problem in
            Diagnostic(
                id: "invalid-dotenv", severity: problem.severity, message: problem.mistake.message,
                range: SourceRange(
                    file: file, start: SourcePosition(line: problem.line, column: problem.start + 1),
                    end: SourcePosition(line: problem.line, column: problem.start + 1 + problem.length)),
                suggestion: problem.mistake.suggestion)
        }
    }

    // MARK: Lines

    private mutating func readLine() {
        skipSpace()
        if isAtEndOfLine || peek == UInt8(ascii: "#") {
            skipLine()
            return
        }
        var start = position
        var name = readName()
        if name == "export", peek == UInt8(ascii: " ") || peek == UInt8(ascii: "\t") {
            skipSpace()
            start = position
            name = readName()
        }
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else {
            report(
                0, Self.mask.count,
                SyntaxError(message: "a line must be NAME=value, a comment starting with \"#\", or empty")
            )
            skipLine()
            return
        }
        let nameStart = start - lineStart
        skipSpace()
        guard peek == UInt8(ascii: "=") else {
            // Text that looks like a name may be part of a value.
            report(0, Self.mask.count, SyntaxError(message: "missing \"=\" after the name"))
            skipLine()
            return
        }
        position += 1
        let number = line
        let valueStart = position - lineStart
        shown[number] = text[lineStart..<position]
        skipSpace()
        do throws(SyntaxError) {
            let value = try readValue()
            add(name, value, at: (number, nameStart))
        } catch {
            problems.append(Problem(line: number, start: valueStart, length: Self.mask.count, mistake: error))
            if line == number { skipLine() }
        }
    }

    private mutating func add(_ name: String, _ value: String, at location: (line: Int, start: Int)) {
        if let index = indices[name] {
            problems.append(
                Problem(
                    line: location.line, start: location.start, length: name.utf8.count,
                    mistake: SyntaxError(message: "duplicate name \"\(name)\"; the last value is used"),
                    severity: .warning))
            values[index].value = value
        } else {
            indices[name] = values.count
            values.append((name, value))
        }
    }

    private mutating func report(_ start: Int, _ length: Int, _ mistake: SyntaxError) {
        problems.append(Problem(line: line, start: start, length: length, mistake: mistake))
    }

    // MARK: Values

    private mutating func readValue() throws(SyntaxError) -> String {
        let value: [UInt8]
        switch peek {
        case UInt8(ascii: "'"): value = try readSingleQuoted()
        case UInt8(ascii: "\""): value = try readDoubleQuoted()
        default: value = try readBare()
        }
        guard let text = String(validating: value, as: UTF8.self) else {
            throw SyntaxError(message: "the value is not valid UTF-8")
        }
        if value.contains(0) { throw SyntaxError(message: "the value contains a NUL character") }
        return text
    }

    private mutating func readBare() throws(SyntaxError) -> [UInt8] {
        var value: [UInt8] = []
        while !isAtEndOfLine, let byte = peek {
            if byte == UInt8(ascii: "#"), position > 0, Self.isSpace(text[position - 1]) { break }
            if byte == UInt8(ascii: "$"), peek(1) == UInt8(ascii: "{") {
                value += try readReference()
            } else if byte == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "$") {
                value.append(UInt8(ascii: "$"))
                position += 2
            } else {
                value.append(byte)
                position += 1
            }
        }
        while let last = value.last, Self.isSpace(last) { value.removeLast() }
        skipLine()
        return value
    }

    private mutating func readSingleQuoted() throws(SyntaxError) -> [UInt8] {
        try checkClosed(by: UInt8(ascii: "'"), hasEscapes: false)
        position += 1
        var value: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "'") { value.append(take(byte)) }
        position += 1
        try endQuoted()
        return value
    }

    private mutating func readDoubleQuoted() throws(SyntaxError) -> [UInt8] {
        try checkClosed(by: UInt8(ascii: "\""), hasEscapes: true)
        position += 1
        var value: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "$"), peek(1) == UInt8(ascii: "{") {
                value += try readReference()
            } else if byte == UInt8(ascii: "\\"), let next = peek(1), let escaped = Self.escaped(next) {
                value.append(escaped)
                position += 2
            } else {
                value.append(take(byte))
            }
        }
        position += 1
        try endQuoted()
        return value
    }

    /// Returns the character for an escape; nil if the backslash stands for itself.
    private static func escaped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): byte
        default: nil
        }
    }

    /// Searches for the closing quotation mark first, so that without one, the following lines are parsed separately.
    private func checkClosed(by quote: UInt8, hasEscapes: Bool) throws(SyntaxError) {
        var index = position + 1
        while index < text.count {
            if text[index] == quote { return }
            index += hasEscapes && text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        throw SyntaxError(
            message: "the value has no closing \(quote == UInt8(ascii: "'") ? "\"'\"" : "'\"'")",
            suggestion: "add it, or remove the opening quotation mark")
    }

    private mutating func endQuoted() throws(SyntaxError) {
        skipSpace()
        guard isAtEndOfLine || peek == UInt8(ascii: "#") else {
            throw SyntaxError(message: "unexpected text after the closing quotation mark")
        }
        skipLine()
    }

    /// Parses `${NAME}` or `${NAME:-default}` and returns its value.
    private mutating func readReference() throws(SyntaxError) -> [UInt8] {
        position += 2
        let name = readName()
        if name.isEmpty {
            throw SyntaxError(message: "missing name after \"${\"", suggestion: "write \"\\${\" for a literal \"${\"")
        }
        var fallback: [UInt8]?
        if peek == UInt8(ascii: ":"), peek(1) == UInt8(ascii: "-") {
            position += 2
            var bytes: [UInt8] = []
            while !isAtEndOfLine, let byte = peek, byte != UInt8(ascii: "}") {
                bytes.append(byte)
                position += 1
            }
            fallback = bytes
        }
        guard peek == UInt8(ascii: "}") else {
            throw SyntaxError(message: "a \"${\" in the value is not closed", suggestion: "close it with \"}\"")
        }
        position += 1
        let value = environment(name) ?? indices[name].map { values[$0].value } ?? previous[name]
        if let fallback { return value.flatMap { $0.isEmpty ? nil : Array($0.utf8) } ?? fallback }
        guard let value else {
            throw SyntaxError(
                message: "\"${…}\" refers to a name that is not defined before this line or in the environment",
                suggestion: "write \"${NAME:-}\" to use an empty string instead")
        }
        return Array(value.utf8)
    }

    // MARK: Characters

    private var peek: UInt8? { peek(0) }

    private func peek(_ offset: Int) -> UInt8? {
        position + offset < text.count ? text[position + offset] : nil
    }

    private var isAtEndOfLine: Bool {
        switch peek {
        case nil, 0x0A: true
        case 0x0D: peek(1) == 0x0A || peek(1) == nil
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func skipSpace() {
        while let byte = peek, Self.isSpace(byte) { position += 1 }
    }

    /// Moves to the start of the next line.
    private mutating func skipLine() {
        while let byte = peek {
            _ = take(byte)
            if byte == 0x0A { return }
        }
    }

    /// Advances by one byte, across line ends.
    private mutating func take(_ byte: UInt8) -> UInt8 {
        position += 1
        if byte == 0x0A {
            line += 1
            lineStart = position
        }
        return byte
    }

    private mutating func readName() -> String {
        let start = position
        while let byte = peek, ExpressionScan.isNamePart(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        {
            position += 1
        }
        return String(decoding: text[start..<position], as: UTF8.self)
    }
}
