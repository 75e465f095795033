public import Basics

/// A condition on the tags of a test: `smoke and not (slow or broken)`.
///
/// | | |
/// | --- | --- |
/// | `NAME`, `"any text"`, `'any text'` | the test has the tag |
/// | `not x`, `!x` | x is false |
/// | `x and y`, `x && y` | both are true; binds more tightly than `or` |
/// | `x or y`, `x \|\| y` | at least one is true |
/// | `( x )` | grouping |
public indirect enum TagExpression: Sendable, Hashable {
    /// The test has the tag.
    case tag(String)
    /// The condition is false.
    case not(TagExpression)
    /// All conditions are true.
    case all([TagExpression])
    /// At least one condition is true.
    case any([TagExpression])

    /// Parses an expression. A text without operators, parentheses and quotes is a single tag.
    ///
    /// - Throws: ``TagExpressionError`` with the location of the error.
    public init(parsing text: String) throws(TagExpressionError) {
        var parser = try TagExpressionParser(text)
        self = try parser.parse()
    }

    /// Returns whether the condition is true for a test with the given tags.
    public func holds(for tags: [String]) -> Bool {
        switch self {
        case .tag(let tag): tags.contains(tag)
        case .not(let part): !part.holds(for: tags)
        case .all(let parts): parts.allSatisfy { $0.holds(for: tags) }
        case .any(let parts): parts.contains { $0.holds(for: tags) }
        }
    }

    /// The tags in the expression, in order.
    public var names: [String] {
        switch self {
        case .tag(let tag): [tag]
        case .not(let part): part.names
        case .all(let parts), .any(let parts): parts.flatMap(\.names)
        }
    }
}

/// A parser of ``TagExpression``.
struct TagExpressionParser {
    private enum Symbol: Equatable {
        /// An unquoted tag or a word operator.
        case word(String)
        case quoted(String)
        case not, and, or, open, close
    }

    private struct Token {
        var symbol: Symbol
        /// In Unicode scalars of the text.
        var range: Range<Int>
    }

    /// The maximum nesting depth of parentheses and negations.
    private static let maximumDepth = 64

    private let scalars: [Unicode.Scalar]
    private let tokens: [Token]
    private var index = 0

    /// Creates a parser and splits the text into tokens.
    init(_ text: String) throws(TagExpressionError) {
        scalars = Array(text.unicodeScalars)
        tokens = try Self.tokens(of: scalars)
    }

    /// Parses the entire text as one expression.
    mutating func parse() throws(TagExpressionError) -> TagExpression {
        if let plain = plainTag { return .tag(plain) }
        let expression = try disjunction(depth: 0)
        if let token = current {
            if token.symbol == .close {
                throw TagExpressionError("unmatched \")\"", at: token.range)
            }
            throw missingOperator(before: token)
        }
        return expression
    }

    /// The tag that the entire text represents: a single word, or words without an operator between them.
    private var plainTag: String? {
        if tokens.count == 1, case .word(let word) = tokens[0].symbol { return word }
        let areWords = tokens.allSatisfy { token in
            if case .word(let word) = token.symbol { Self.lookalikes[word.lowercased()] == nil } else { false }
        }
        guard areWords, let first = tokens.first, let last = tokens.last else { return nil }
        var tag = String.UnicodeScalarView()
        tag.append(contentsOf: scalars[first.range.lowerBound..<last.range.upperBound])
        return String(tag)
    }

    // MARK: Grammar

    private mutating func disjunction(depth: Int) throws(TagExpressionError) -> TagExpression {
        var parts = [try conjunction(depth: depth)]
        while take(.or) { parts.append(try conjunction(depth: depth)) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction(depth: Int) throws(TagExpressionError) -> TagExpression {
        var parts = [try operand(depth: depth)]
        while take(.and) { parts.append(try operand(depth: depth)) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func operand(depth: Int) throws(TagExpressionError) -> TagExpression {
        guard let token = current else { throw missingTag(at: scalars.count..<scalars.count) }
        guard depth < Self.maximumDepth else {
            throw TagExpressionError("parentheses and negations are nested too deeply", at: token.range)
        }
        index += 1
        switch operatorSymbol(of: token) ?? token.symbol {
        case .word(let tag), .quoted(let tag):
            return .tag(tag)
        case .not:
            return .not(try operand(depth: depth + 1))
        case .open:
            let inner = try disjunction(depth: depth + 1)
            if take(.close) { return inner }
            if let next = current { throw missingOperator(before: next) }
            throw TagExpressionError("unmatched \"(\"", at: token.range)
        case .and, .or, .close:
            index -= 1
            throw missingTag(at: token.range)
        }
    }

    private var current: Token? { index < tokens.count ? tokens[index] : nil }

    private mutating func take(_ symbol: Symbol) -> Bool {
        guard let token = current, (operatorSymbol(of: token) ?? token.symbol) == symbol else { return false }
        index += 1
        return true
    }

    private static let operators: [String: Symbol] = ["not": .not, "and": .and, "or": .or]

    /// Operators and common substitutes for them, with the operator to use.
    private static let lookalikes = [
        "not": "not", "and": "and", "or": "or", "&": "and", "|": "or", ",": "or", "+": "and", "-": "not", "~": "not",
    ]

    private func operatorSymbol(of token: Token) -> Symbol? {
        if case .word(let word) = token.symbol { Self.operators[word] } else { nil }
    }

    // MARK: Errors

    private func missingTag(at range: Range<Int>) -> TagExpressionError {
        let before = index > 0 ? " after \"\(source(tokens[index - 1].range))\"" : ""
        return TagExpressionError("missing tag\(before)", at: range)
    }

    private func missingOperator(before token: Token) -> TagExpressionError {
        var suggestion: MessageText = "write \"and\" or \"or\" between them, or the whole tag in quotes"
        if case .word(let word) = token.symbol, let meant = Self.lookalikes[word.lowercased()] {
            suggestion = "write \"\(meant)\""
        }
        return TagExpressionError(
            "missing operator before \"\(source(token.range))\"", at: token.range, suggestion: suggestion)
    }

    private func source(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }

    // MARK: Tokens

    private static func tokens(of scalars: [Unicode.Scalar]) throws(TagExpressionError) -> [Token] {
        var tokens: [Token] = []
        var index = 0
        while index < scalars.count {
            let start = index
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            let symbol: Symbol
            switch scalars[index] {
            case let scalar where scalar.properties.isWhitespace:
                index += 1
                continue
            case "(":
                symbol = .open
                index += 1
            case ")":
                symbol = .close
                index += 1
            case "!":
                symbol = .not
                index += 1
            case "&" where next == "&":
                symbol = .and
                index += 2
            case "|" where next == "|":
                symbol = .or
                index += 2
            case "\"", "'":
                symbol = .quoted(try quoted(scalars, &index))
            default:
                symbol = .word(word(scalars, &index))
            }
            tokens.append(Token(symbol: symbol, range: start..<index))
        }
        return tokens
    }

    /// Returns the quoted text. A backslash escapes the next character.
    private static func quoted(_ scalars: [Unicode.Scalar], _ index: inout Int) throws(TagExpressionError) -> String {
        let start = index
        let quote = scalars[index]
        var text = String.UnicodeScalarView()
        index += 1
        while index < scalars.count {
            var scalar = scalars[index]
            index += 1
            if scalar == quote { return String(text) }
            if scalar == "\\", index < scalars.count {
                scalar = scalars[index]
                index += 1
            }
            text.append(scalar)
        }
        throw TagExpressionError("unterminated quotation", at: start..<scalars.count)
    }

    /// Returns a word, which extends to white space, a parenthesis, a quotation mark, or a doubled `&` or `|`.
    private static func word(_ scalars: [Unicode.Scalar], _ index: inout Int) -> String {
        var text = String.UnicodeScalarView()
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar.properties.isWhitespace || scalar == "(" || scalar == ")" || scalar == "\"" { break }
            if scalar == "&" || scalar == "|", index + 1 < scalars.count, scalars[index + 1] == scalar { break }
            text.append(scalar)
            index += 1
        }
        return String(text)
    }
}

/// An error in a tag expression, with its location.
public struct TagExpressionError: Error, Sendable, Hashable {
    /// A one-sentence description without a final period.
    public let message: MessageText
    /// The offset of the invalid part, in Unicode scalars.
    public let offset: Int
    /// The length of the invalid part, in Unicode scalars; 0 at the end of the text.
    public let length: Int
    /// The suggested replacement.
    public let suggestion: MessageText?

    init(_ message: MessageText, at range: Range<Int>, suggestion: MessageText? = nil) {
        self.message = message
        offset = range.lowerBound
        length = range.count
        self.suggestion = suggestion
    }
}
