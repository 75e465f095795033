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
        case text(WildcardPattern)
        case exact(String)
        case expression(RegularExpression)
    }

    private let kind: Kind

    /// Creates a pattern of text and asterisks.
    public init(_ text: String) {
        self.init(kind: .text(WildcardPattern(text)))
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
        case .text(let pattern): pattern.matchesOrIsContained(in: name)
        case .exact(let text): name == text
        case .expression(let expression): (try? expression.matches(name)) ?? false
        }
    }
}
