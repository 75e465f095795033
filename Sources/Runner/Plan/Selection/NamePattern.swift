public import RegularExpressions

/// A pattern of `--test`.
///
/// | | |
/// | --- | --- |
/// | `text` | the name contains the text, without regard to case |
/// | `te*xt` | the whole name, without regard to case; `*` stands for any text |
/// | `=Name` | the name is exactly this |
/// | `/expression/` | the regular expression (ECMA-262) matches in the name; `/expression/i` without regard to case |
public struct NamePattern: Sendable, Hashable {
    private enum Kind: Hashable {
        /// Lower-case text between stars.
        case pieces([String])
        case exact(String)
        case expression(RegularExpression)
    }

    private let kind: Kind

    /// Creates a pattern of text and stars.
    public init(_ text: String) {
        self.init(
            kind: .pieces(text.lowercased().split(separator: "*", omittingEmptySubsequences: false).map(String.init)))
    }

    private init(kind: Kind) {
        self.kind = kind
    }

    /// Reads any pattern.
    ///
    /// - Throws: what is wrong with a regular expression; its offset counts from the pattern's first character on.
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
            throw RegularExpressionError(message: error.message, offset: error.offset + 1, length: error.length)
        }
    }

    /// What stands between slashes, and what the letter behind them says.
    private static func expression(in text: String) -> (String, RegularExpression.Options)? {
        guard text.hasPrefix("/"), text.utf8.count > 2 else { return nil }
        if text.hasSuffix("/") { return (String(text.dropFirst().dropLast()), []) }
        if text.hasSuffix("/i"), text.utf8.count > 3 {
            return (String(text.dropFirst().dropLast(2)), .caseInsensitive)
        }
        return nil
    }

    /// Whether the pattern takes the name; a regular expression that takes too long does not.
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

    /// The index after the first occurrence of `piece`.
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
