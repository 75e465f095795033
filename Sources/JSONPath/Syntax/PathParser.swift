import Basics
import JSON

/// The compiler of queries, which enforces the grammar, well-typedness and number ranges of RFC 9535.
struct PathParser {
    let scalars: [Unicode.Scalar]
    var position = 0
    /// The number of absolute queries in filters so far; each gets a slot in the cache of an evaluation.
    private(set) var cacheSize = 0
    /// The warnings about valid but probably unintended syntax.
    private(set) var warnings: [JSONPathError] = []
    /// The number of filters, parentheses and calls that may still be nested.
    private var nestingLeft = PathParser.deepestNesting

    /// The maximum nesting depth of filters, parentheses and calls.
    private static let deepestNesting = 64
    /// The maximum number of segments in a query.
    private static let maximumSegmentCount = 512

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
    }

    /// Parses jsonpath-query = root-identifier segments.
    mutating func parse() throws(JSONPathError) -> PathQuery {
        if let first = scalars.first, PathParser.isBlank(first) {
            throw failure("a JSONPath must not start with whitespace", from: 0)
        }
        if next == "@" {
            throw failure("a JSONPath must start with \"$\"; \"@\" is the current value of a filter", from: 0)
        }
        guard next == "$" else { throw unexpected("\"$\" at the start of the JSONPath") }
        let query = try parseQuery(inFilter: false)
        if position < scalars.count {
            let start = position
            skipBlanks()
            if position == scalars.count {
                throw failure("a JSONPath must not end with whitespace", from: start, to: position)
            }
            let isNext = position == start
            throw unexpectedAfterSegments(isNext ? lastNameStart : nil)
        }
        return query
    }

    /// Parses `$` or `@` at the position and the segments after it.
    mutating func parseQuery(inFilter: Bool) throws(JSONPathError) -> PathQuery {
        let isAbsolute = next == "$"
        position += 1
        var segments: [PathSegment] = []
        while true {
            let start = position
            skipBlanks()
            guard next == "." || next == "[" else {
                position = start
                break
            }
            guard segments.count < PathParser.maximumSegmentCount else {
                throw failure(
                    "the JSONPath exceeds the maximum of \(PathParser.maximumSegmentCount) segments", from: position)
            }
            segments.append(try parseSegment())
        }
        var slot = 0
        if isAbsolute, inFilter {
            slot = cacheSize
            cacheSize += 1
        }
        return PathQuery(isAbsolute: isAbsolute, segments: segments, cacheSlot: slot)
    }

    private mutating func parseSegment() throws(JSONPathError) -> PathSegment {
        let start = position
        var isDescendant = false
        if next == "." {
            position += 1
            if next == "." {
                position += 1
                isDescendant = true
            }
        }
        let selectors: [PathSelector]
        if next == "[", isDescendant || position == start {
            selectors = try parseBrackets()
        } else if next == "*" {
            position += 1
            selectors = [.wildcard]
        } else if let name = parseShorthandName() {
            selectors = [.name(name)]
        } else {
            throw missingName(after: isDescendant ? ".." : ".")
        }
        return PathSegment(selectors: selectors, isDescendant: isDescendant, source: text(start, position))
    }

    /// Parses member-name-shorthand.
    private mutating func parseShorthandName() -> String? {
        let start = position
        while let scalar = next, PathParser.isNameFirst(scalar) || position > start && PathParser.isDigit(scalar) {
            position += 1
        }
        return position > start ? text(start, position) : nil
    }

    /// Runs `body` one nesting level deeper.
    mutating func nested<Result>(
        _ body: (inout PathParser) throws(JSONPathError) -> Result
    ) throws(JSONPathError) -> Result {
        guard nestingLeft > 0 else {
            throw failure(
                "filters, parentheses and calls exceed the maximum depth of \(PathParser.deepestNesting) levels",
                from: position)
        }
        nestingLeft -= 1
        let result = try body(&self)
        nestingLeft += 1
        return result
    }
}

extension PathParser {
    /// The character at the position; nil at the end.
    var next: Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    /// Returns the character at a distance from the position; nil past the end.
    func peek(_ distance: Int) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    func text(_ start: Int, _ end: Int) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[start..<end])
        return String(view)
    }

    mutating func skipBlanks() {
        while let scalar = next, PathParser.isBlank(scalar) { position += 1 }
    }

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar)
    }

    static func isLowerCase(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar)
    }

    static func isNameFirst(_ scalar: Unicode.Scalar) -> Bool {
        isLowerCase(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || scalar.value >= 0x80
    }
}

extension PathParser {
    /// Returns an error for the characters from `start` up to `end`; by default a single character.
    func failure(_ message: MessageText, from start: Int, to end: Int? = nil) -> JSONPathError {
        let end = end ?? min(start + 1, scalars.count)
        return JSONPathError(message: message, offset: start, length: max(0, end - start))
    }

    /// Records a warning about valid but probably unintended syntax, once per location.
    mutating func warn(_ message: MessageText, _ range: Range<Int>) {
        let warning = failure(message, from: range.lowerBound, to: range.upperBound)
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// Returns an error with the expected and actual text at the position.
    func unexpected(_ expected: MessageText) -> JSONPathError {
        failure("expected \(expected), found \(found)", from: position)
    }

    private var found: MessageText {
        guard let scalar = next else { return "the end of the JSONPath" }
        if scalar == "\"" { return "a quotation mark" }
        if scalar.value < 0x20 || scalar.value == 0x7F {
            let code = (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
            return "the control character U+00\(MessageText(words: code))"
        }
        return "\"\(scalar)\""
    }

    private func missingName(after dots: String) -> JSONPathError {
        switch next {
        case .some(let scalar) where PathParser.isDigit(scalar) || scalar == "-":
            return failure(
                "a name after \"\(dots)\" must start with a letter or \"_\"; write an index as [0], and other names as ['0']",
                from: position)
        case .some(let scalar) where PathParser.isBlank(scalar):
            return failure("whitespace is not allowed after \"\(dots)\"", from: position)
        case "\"", "'":
            return failure("a quoted name must be in brackets: ['name']", from: position)
        case .some(let scalar) where scalar == "$" || scalar == "@" || scalar == "#":
            return failure(
                "a name that starts with \"\(scalar)\" must be in brackets: ['\(scalar)name']", from: position)
        default:
            return unexpected(dots == "." ? "a name or \"*\" after \".\"" : "a name, \"*\" or \"[\" after \"..\"")
        }
    }

    /// The start of the dotted name that ends at the position; nil if there is none.
    private var lastNameStart: Int? {
        var start = position
        while start > 0, PathParser.isNameFirst(scalars[start - 1]) || PathParser.isDigit(scalars[start - 1]) {
            start -= 1
        }
        return start > 0 && start < position && scalars[start - 1] == "." ? start : nil
    }
}

extension PathParser {
    /// Parses bracketed-selection = "[" S selector *(S "," S selector) S "]".
    mutating func parseBrackets() throws(JSONPathError) -> [PathSelector] {
        position += 1
        var selectors: [PathSelector] = []
        while true {
            skipBlanks()
            if next == "]", !selectors.isEmpty {
                throw failure("expected a selector after \",\"", from: position)
            }
            selectors.append(try parseSelector())
            skipBlanks()
            if next == "," {
                position += 1
            } else if next == "]" {
                position += 1
                return selectors
            } else {
                throw unexpectedAfterSelector(selectors.last)
            }
        }
    }

    private mutating func parseSelector() throws(JSONPathError) -> PathSelector {
        switch next {
        case "'", "\"":
            return .name(try parseString())
        case "*":
            position += 1
            return .wildcard
        case "?":
            position += 1
            skipBlanks()
            return .filter(try nested { parser throws(JSONPathError) in try parser.parseLogical() })
        case .some(let scalar) where PathParser.isDigit(scalar) || scalar == "-" || scalar == ":":
            return try parseIndexOrSlice()
        case .some(let scalar) where PathParser.isNameFirst(scalar):
            throw unquotedName()
        case "(":
            throw unmarkedFilter()
        case "@", "!":
            throw failure("a filter must start with \"?\": [?@.price < 10]", from: position)
        default:
            throw unexpected("a name in quotation marks, an index, a slice, \"*\" or a filter \"?\"")
        }
    }

    private func unexpectedAfterSelector(_ selector: PathSelector?) -> JSONPathError {
        let expected: MessageText = "\",\" or \"]\" after the selector"
        switch (selector, next) {
        case (.filter, _): return unexpectedInFilter(expected)
        case (.slice, ":"): return failure("a slice must have at most three parts, start:end:step", from: position)
        case (.index, "."), (.slice, "."): return failure("an index must be an integer", from: position)
        default: return unexpected(expected)
        }
    }

    /// Parses index-selector or slice-selector.
    private mutating func parseIndexOrSlice() throws(JSONPathError) -> PathSelector {
        let start = next == ":" ? nil : try parseInteger()
        let afterStart = position
        skipBlanks()
        guard next == ":" else {
            position = afterStart
            guard let start else { throw unexpected("an index") }
            return .index(start)
        }
        position += 1
        let end = try parseSliceBound()
        var step: Int?
        if next == ":" {
            position += 1
            step = try parseSliceBound()
        }
        return .slice(PathSlice(start: start, end: end, step: step ?? 1))
    }

    private mutating func parseSliceBound() throws(JSONPathError) -> Int? {
        skipBlanks()
        guard let scalar = next, PathParser.isDigit(scalar) || scalar == "-" else { return nil }
        let bound = try parseInteger()
        skipBlanks()
        return bound
    }

    /// Parses int = "0" / (["-"] DIGIT1 *DIGIT), in the exact range of I-JSON: ±(2^53 − 1) (RFC 9535, section 2.1).
    private mutating func parseInteger() throws(JSONPathError) -> Int {
        let start = position
        if next == "-" { position += 1 }
        let firstDigit = position
        while let scalar = next, PathParser.isDigit(scalar) { position += 1 }
        guard position > firstDigit else { throw unexpected("a digit after \"-\"") }
        if scalars[firstDigit] == "0", position - start > 1 {
            throw failure(
                position - firstDigit > 1 ? "an integer must not have leading zeros" : "\"-0\" is not allowed here",
                from: start, to: position)
        }
        guard let value = Int(text(start, position)), value.magnitude < 1 << 53 else {
            throw failure(
                "the integer must be between -9007199254740991 and 9007199254740991", from: start, to: position)
        }
        return value
    }

    /// Parses string-literal: a string in single or double quotation marks with JSON's escapes.
    mutating func parseString() throws(JSONPathError) -> String {
        let opening = position
        let quote = next
        var result = String.UnicodeScalarView()
        position += 1
        while let scalar = next {
            if scalar == quote {
                position += 1
                return String(result)
            }
            if scalar == "\\" {
                result.append(try parseEscape(quote))
            } else if scalar.value < 0x20 {
                throw failure("a control character in a string must be escaped", from: position)
            } else {
                result.append(scalar)
                position += 1
            }
        }
        throw failure("unterminated string: expected a closing quotation mark", from: opening)
    }

    private mutating func parseEscape(_ quote: Unicode.Scalar?) throws(JSONPathError) -> Unicode.Scalar {
        let start = position
        let escaped = peek(1)
        position += 2
        switch escaped {
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "/": return "/"
        case "\\": return "\\"
        case .some(let scalar) where scalar == quote: return scalar
        case "u": return try parseUnicodeEscape(from: start)
        default:
            position = start
            throw failure(
                "unknown escape sequence; expected \\b \\f \\n \\r \\t \\/ \\\\ \\uXXXX or the escaped quotation mark",
                from: start, to: min(start + 2, scalars.count))
        }
    }

    private mutating func parseUnicodeEscape(from start: Int) throws(JSONPathError) -> Unicode.Scalar {
        var code = try parseHexadecimalDigits()
        if code & 0xFC00 == 0xD800, next == "\\", peek(1) == "u" {
            position += 2
            let low = try parseHexadecimalDigits()
            if low & 0xFC00 == 0xDC00 { code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF) }
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw failure("unpaired surrogate", from: start, to: position)
        }
        return scalar
    }

    private mutating func parseHexadecimalDigits() throws(JSONPathError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw unexpected("four hexadecimal digits after \"\\u\"")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
