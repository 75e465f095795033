import Basics
public import RegularExpressions

/// A pattern of `--test` for the names of tests.
///
/// | | |
/// | --- | --- |
/// | `text` | the name contains the text, ignoring case |
/// | `te*xt` | the entire name matches, ignoring case; `*` matches any text |
/// | `=Name` | the name is exactly this one |
/// | `/expression/` | the regular expression (ECMA-262) matches in the name; `/expression/i` ignores case |
public struct NamePattern: Sendable, Hashable {
    private enum Kind: Hashable {
        /// The lowercase strings between the asterisks.
        case pieces([String])
        case exact(String)
        case expression(RegularExpression)
    }

    private let kind: Kind

    /// Creates a pattern of text and asterisks.
    public init(_ text: String) {
        self.init(
            kind: .pieces(text.lowercased().split(separator: "*", omittingEmptySubsequences: false).map(String.init)))
    }

    private init(kind: Kind) {
        self.kind = kind
    }

    /// Parses a pattern of any kind.
    ///
    /// - Throws: The error of an invalid regular expression. Its offset is relative to the start of the pattern.
    public init(parsing text: String) throws(RegularExpressionError) {
        if text.hasPrefix("="), text.utf8.count > 1 {
            self.init(kind: .exact(String(text.dropFirst())))
            return
        }
        guard let (source, options) = Self.expression(in: text) else {
            self.init(text)
            return
        }
        do throws(RegularExpressionError) {
            self.init(kind: .expression(try RegularExpression(source, dialect: .ecmaScript, options: options)))
        } catch {
            throw RegularExpressionError(message: error.wording, offset: error.offset + 1, length: error.length)
        }
    }

    /// Returns the expression between slashes and the options after them.
    private static func expression(in text: String) -> (String, RegularExpression.Options)? {
        guard text.hasPrefix("/"), text.utf8.count > 2 else { return nil }
        if text.hasSuffix("/") { return (String(text.dropFirst().dropLast()), []) }
        if text.hasSuffix("/i"), text.utf8.count > 3 {
            return (String(text.dropFirst().dropLast(2)), .caseInsensitive)
        }
        return nil
    }

    /// Returns whether the pattern matches the name. A regular expression that exceeds its limits does not match.
    public func matches(_ name: String) -> Bool {
        switch kind {
        case .pieces(let pieces): Self.matches(pieces, name.lowercased())
        case .exact(let text): name == text
        case .expression(let expression): (try? expression.matches(name)) ?? false
        }
    }

    private static func matches(_ pieces: [String], _ name: String) -> Bool {
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else {
            return find(pieces.first ?? "", in: name[...]) != nil
        }
        guard name.hasPrefix(first) else { return false }
        var rest = name.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() {
            guard let end = find(piece, in: rest) else { return false }
            rest = rest[end...]
        }
        return rest.hasSuffix(last)
    }

    /// Returns the index after the first occurrence of `piece`.
    private static func find(_ piece: String, in text: Substring) -> Substring.Index? {
        guard !piece.isEmpty else { return text.startIndex }
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(piece) { return text.index(start, offsetBy: piece.count) }
            start = text.index(after: start)
        }
        return nil
    }
}
