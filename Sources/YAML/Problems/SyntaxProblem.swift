import Basics
import CLibYAML
import Diagnostics
import JSON

/// Converts an error of libyaml to a diagnostic with a clear message, a location, and a suggestion.
struct SyntaxProblem {
    let scan: SourceScan
    /// The message of libyaml about the problem.
    let problem: String
    /// The message of libyaml about the construct that it was parsing.
    let context: String
    /// The position at which the problem was detected.
    let location: SourcePosition
    /// The start of the construct that was being parsed.
    let contextLocation: SourcePosition
    /// The first open bracket, if the problem is in a flow collection.
    let flowStart: SourcePosition?
    /// The open flow collections, outermost first.
    let openBrackets: [NodeRecord]
    let kind: yaml_error_type_t
    let byteOffset: Int
    let value: Int32

    static let outOfMemory = Diagnostic(id: "out-of-memory", message: "not enough memory to read the file")

    init(file: SourceFile, positions: PositionMap, parser: yaml_parser_t, openBrackets: [NodeRecord]) {
        scan = SourceScan(file)
        problem = parser.problem.map { String(cString: $0) } ?? ""
        context = parser.context.map { String(cString: $0) } ?? ""
        let end = file.end
        location = min(positions.position(parser.problem_mark), end)
        let hasContext = parser.context != nil && (parser.context_mark.index > 0 || !context.isEmpty)
        contextLocation = hasContext ? min(positions.position(parser.context_mark), end) : location
        kind = parser.error
        byteOffset = Int(truncatingIfNeeded: parser.problem_offset)
        value = parser.problem_value
        // Brackets whose events were not delivered yet are known only from the error itself.
        self.openBrackets = openBrackets
        flowStart = openBrackets.first?.start ?? (context.contains("flow") ? contextLocation : nil)
    }

    var file: SourceFile { scan.file }

    /// The diagnostic for the problem.
    var diagnostic: Diagnostic {
        if kind == YAML_MEMORY_ERROR { return Self.outOfMemory }
        if kind == YAML_READER_ERROR { return readerProblem }
        if let template = FlowTemplate.find(in: file, from: flowStart, to: location) { return template }
        return tokenProblem ?? scalarProblem ?? structureProblem ?? otherProblem
    }

    // MARK: - Characters

    private var readerProblem: Diagnostic {
        let start = file.position(atByteOffset: byteOffset)
        let range = scan.characterRange(at: start)
        let code = DisplayWidth.codePoint(UInt32(bitPattern: value))
        if problem == "control characters are not allowed" {
            let isControl = value < 0xA0
            return Diagnostic(
                id: "control-character",
                message: "the \(isControl ? "control character" : "character") \(code) is not allowed in YAML",
                range: range, suggestion: "remove it, or write it as an escape in a double-quoted string")
        }
        if problem == "input is too long" {
            return Diagnostic(id: "file-too-large", message: "the file is too large for YAML", range: range)
        }
        // libyaml reports the byte at which it detected the problem. The user must fix the start of the invalid
        // character.
        let offset = brokenCharacter ?? byteOffset
        let byte = offset < file.text.count ? file.text[offset] : 0
        let message: MessageText =
            problem == "incomplete UTF-8 octet sequence"
            ? "the file ends within a character"
            : "the byte 0x\(DisplayWidth.hexadecimal(byte)) is not valid UTF-8 here"
        return Diagnostic(
            id: "invalid-utf8", message: message,
            range: scan.characterRange(at: file.position(atByteOffset: offset)), suggestion: "save the file as UTF-8")
    }

    /// The start of the character that libyaml could not decode.
    ///
    /// It is at most three bytes before the error, at the nearest byte that is not a continuation byte.
    private var brokenCharacter: Int? {
        guard problem == "invalid trailing UTF-8 octet", byteOffset <= file.text.count else { return nil }
        var offset = byteOffset - 1
        while offset > 0, offset > byteOffset - 3, file.text[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset >= 0 ? offset : nil
    }

    // MARK: - Tokens

    private var tokenProblem: Diagnostic? {
        switch problem {
        case "found character that cannot start any token":
            let scalar = scan.scalar(at: location)
            if scalar == "\t" { return tabProblem }
            let character = scalar.map { DisplayWidth.printable(String($0)) } ?? ""
            return make(
                "reserved-character", "a value cannot start with \"\(character)\"", scan.characterRange(at: location),
                suggestion: quoteSuggestion(from: location))
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return tabProblem
        case "mapping values are not allowed in this context":
            return make(
                "unexpected-colon", "\":\" is not allowed here", scan.characterRange(at: location),
                suggestion: repair(at: location)?.suggestion
                    ?? "quote the value if the colon is part of it, or check the indentation")
        case "found unexpected ':'":
            return make(
                "unexpected-colon", "\":\" is not allowed here", scan.characterRange(at: location),
                suggestion: "add a space after it, or quote the value if it is part of it")
        case "block sequence entries are not allowed in this context":
            return make(
                "unexpected-list-item", "a sequence item cannot start here", scan.characterRange(at: location),
                suggestion: "start the sequence on a new line, or quote the value if \"-\" is part of it")
        case "mapping keys are not allowed in this context":
            return make(
                "unexpected-key", "\"?\" is not allowed here", scan.characterRange(at: location),
                suggestion: quoteSuggestion(from: location))
        case "could not find expected ':'":
            return make(
                "missing-colon", "missing \":\" after a key", scan.rangeToEndOfLine(from: contextLocation),
                suggestion: "write \"key: value\", or indent the line further if it continues the line above")
        default: return nil
        }
    }

    private var tabProblem: Diagnostic {
        // libyaml may stop after the tab; the first tab of the line's indentation is the one to fix.
        var start = location
        if let bytes = file.byteRange(ofLine: Int(location.line)) {
            let indentation = bytes.prefix { SourceScan.isBlank(file.text[$0]) }
            if let tab = indentation.first(where: { file.text[$0] == UInt8(ascii: "\t") }) {
                start = file.position(atByteOffset: tab)
            }
        }
        return make(
            "tab-indentation", "a tab cannot be used as indentation", scan.characterRange(at: start),
            suggestion: "use spaces")
    }

    // MARK: - Scalars, aliases, tags

    private var scalarProblem: Diagnostic? {
        switch problem {
        case "found unexpected end of stream", "found unexpected document indicator":
            let quote = scan.scalar(at: contextLocation) == "'" ? "'" : "\""
            return make(
                "unterminated-string", "the string that starts here is not closed",
                scan.rangeToEndOfLine(from: contextLocation), suggestion: "add the closing \(quote)")
        case "found unknown escape character":
            let next = scan.scalar(at: SourcePosition(line: location.line, column: location.column + 1))
            let escape = "\\" + (next.map { DisplayWidth.printable(String($0)) } ?? "")
            let end = SourcePosition(line: location.line, column: location.column + (next == nil ? 1 : 2))
            return make(
                "unknown-escape", "\"\(escape)\" is not a valid YAML escape",
                SourceRange(file: file, start: location, end: end),
                suggestion: "write \"\\\(escape)\" for a backslash, or use single quotes")
        case "did not find expected hexdecimal number":
            return make(
                "bad-escape", "missing hexadecimal digits in an escape", scan.characterRange(at: location),
                suggestion: "write \\x with 2 digits, \\u with 4 or \\U with 8")
        case "found invalid Unicode character escape code":
            return make(
                "bad-escape", "the escape is not a Unicode character", scan.characterRange(at: location),
                suggestion: surrogatePair.map { "write it as \\U\($0)" }
                    ?? "write a character above U+FFFF with \\U and 8 digits")
        case "did not find expected alphabetic or numeric character":
            let isAlias = context.contains("alias")
            return make(
                isAlias ? "bad-alias" : "bad-anchor",
                isAlias ? "missing alias name after \"*\"" : "missing anchor name after \"&\"",
                scan.characterRange(at: contextLocation),
                suggestion: quoteSuggestion(from: contextLocation))
        case "found an indentation indicator equal to 0":
            return make(
                "bad-block-scalar", "the indentation of a block scalar cannot be 0", scan.characterRange(at: location),
                suggestion: "write a digit from 1 to 9, or omit it")
        case "found undefined tag handle":
            return make(
                "unknown-tag", "unknown tag", scan.tagRange(from: contextLocation),
                suggestion: "remove it, or quote the value if \"!\" is part of it; the known tags are \(CoreTag.names)")
        default: break
        }
        if context == "while scanning a block scalar" {
            // In `!has(x) || y`, the operator looks like a block scalar with a tag.
            if let repair = repair(at: location), scan.scalar(at: repair.text.start(in: file)) == "!" {
                return make(
                    "unknown-tag", "a value that starts with \"!\" must be quoted",
                    SourceRange(file: file, bytes: repair.text.bytes), suggestion: repair.suggestion)
            }
            return make(
                "bad-block-scalar", "only an indentation and a comment can follow the \"|\" or \">\" of a block scalar",
                scan.rangeToEndOfLine(from: location), suggestion: "start the text on the next line")
        }
        if context == "while scanning a tag" || context == "while parsing a tag" {
            return make(
                "bad-tag", "the tag is malformed", scan.tagRange(from: contextLocation),
                suggestion: "quote the value if \"!\" is part of it")
        }
        return nil
    }

    /// The eight hexadecimal digits of the character that JSON reads from the pair of escapes at the problem's
    /// position.
    private var surrogatePair: String? {
        let start = file.byteOffset(of: location)
        guard start >= 2, start + 10 <= file.text.count,
            case .string(let text)? = try? JSONValue(
                parsing: "\"" + String(decoding: file.text[(start - 2)..<(start + 10)], as: UTF8.self) + "\""),
            let scalar = text.unicodeScalars.first, scalar.value > 0xFFFF
        else { return nil }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    // MARK: - Structure

    private var structureProblem: Diagnostic? {
        switch problem {
        case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
            let close = problem.hasSuffix("']'") ? "]" : "}"
            if location >= file.end { return unclosedBracket(isList: close == "]", at: contextLocation) }
            let repair = repair(at: location)
            if let repair, repair.text.startsWithNode { return unexpectedContent(repair) }
            return make(
                "unclosed-bracket", "missing \",\" or \"\(close)\" before this",
                scan.characterRange(at: location),
                suggestion: repair?.suggestion ?? "add \"\(close)\", or a comma between two values",
                begin: close == "]" ? "the sequence starts here" : "the mapping starts here")
        case "did not find expected node content":
            if location >= file.end, let bracket = openBrackets.last {
                return unclosedBracket(isList: bracket.kind == .sequence, at: bracket.start)
            }
            if scan.scalar(at: location) == ":" { return missingKey }
            let scalar = scan.scalar(at: location)
            let found = scalar.map { "\"\(DisplayWidth.printable(String($0)))\"" } ?? "the end of the line"
            return make(
                "missing-value", "missing value before \(found)", scan.characterRange(at: location),
                suggestion: "write a value, or quote the text if \(found) is part of it")
        case "did not find expected key" where scan.scalar(at: location) == ":":
            return missingKey
        case "did not find expected key":
            if let repair = repair(at: location) { return unexpectedContent(repair) }
            return make(
                "bad-indentation", "this is not indented like the mapping above it",
                scan.rangeToEndOfLine(from: location),
                suggestion:
                    "align it with the keys of the mapping at column \(contextLocation.column), or check the quotes above",
                begin: "the mapping starts here")
        case "did not find expected '-' indicator":
            if let repair = repair(at: location) { return unexpectedContent(repair) }
            return make(
                "bad-indentation", "this is not indented like the sequence above it",
                scan.rangeToEndOfLine(from: location),
                suggestion: "start it with \"- \", or align it with the key of the sequence",
                begin: "the sequence starts here")
        case "did not find expected <document start>":
            return make(
                "unexpected-content", "this does not belong to the document above it",
                scan.rangeToEndOfLine(from: location),
                suggestion: "align it with the column of the first line, or start a new document with ---")
        default: return nil
        }
    }

    private var missingKey: Diagnostic {
        make(
            "missing-key", "missing key before \":\"", scan.characterRange(at: location),
            suggestion: "write a key, or quote the text if \":\" is part of it")
    }

    private func unclosedBracket(isList: Bool, at start: SourcePosition) -> Diagnostic {
        make(
            "unclosed-bracket", "the \(isList ? "sequence" : "mapping") that starts here is not closed",
            scan.characterRange(at: start), suggestion: isList ? "add \"]\"" : "add \"}\"")
    }

    private var otherProblem: Diagnostic {
        let isDirective =
            context.contains("directive") || problem.contains("directive")
            || problem.contains("incompatible")
        return make(
            isDirective ? "bad-directive" : "syntax",
            isDirective ? "invalid directive: \(problem)" : "not valid YAML: \(problem)",
            scan.characterRange(at: location),
            suggestion: isDirective ? "quote the value if \"%\" is part of it" : nil)
    }

    // MARK: - Parts

    private func make(
        _ id: String, _ message: MessageText, _ range: SourceRange, suggestion: MessageText? = nil,
        begin: MessageText? = nil
    ) -> Diagnostic {
        let related = begin.map {
            [Diagnostic.Related(message: $0, range: scan.characterRange(at: contextLocation))]
        }
        return Diagnostic(
            id: id, message: message, range: range, related: related ?? [], suggestion: suggestion)
    }

    /// The quotes that repair the text at a position, if they are evident.
    private func repair(at position: SourcePosition) -> QuotedRepair? {
        QuotedRepair(
            of: file, at: file.byteOffset(of: position), bracket: flowStart.map { file.byteOffset(of: $0) })
    }

    /// Returns the suggestion to quote the value that starts at a position.
    private func quoteSuggestion(from start: SourcePosition) -> MessageText {
        guard let repair = repair(at: start) else { return "quote the text that contains it" }
        if case .key = repair.text.role { return repair.suggestion }
        guard file.byteOffset(of: start) == repair.text.bytes.lowerBound else { return repair.suggestion }
        return "quote it: \(repair.quoted)"
    }

    /// The diagnostic of text after a string or a bracket that YAML takes for the whole value.
    private func unexpectedContent(_ repair: QuotedRepair) -> Diagnostic {
        make(
            "unexpected-content", "unexpected text after a quoted string or a bracket",
            SourceRange(file: file, bytes: file.byteOffset(of: location)..<repair.text.bytes.upperBound),
            suggestion: repair.suggestion)
    }
}
