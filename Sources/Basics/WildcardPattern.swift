/// A text in which `*` matches any text, ignoring case.
public struct WildcardPattern: Sendable, Hashable {
    /// The lowercase strings between the asterisks.
    private let pieces: [String]

    /// Creates a pattern of text and asterisks.
    public init(_ text: String) {
        pieces = text.lowercased().split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether the pattern has an asterisk.
    public var hasWildcard: Bool { pieces.count > 1 }

    /// Returns whether the pattern matches the entire text.
    public func matches(_ text: String) -> Bool {
        let text = text.lowercased()
        guard let first = pieces.first, let last = pieces.last, hasWildcard else { return text == pieces.first ?? "" }
        guard text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() {
            guard let end = Self.find(piece, in: rest) else { return false }
            rest = rest[end...]
        }
        return rest.hasSuffix(last)
    }

    /// Returns whether the pattern matches the entire text, or the text contains a pattern without asterisks.
    public func matchesOrIsContained(in text: String) -> Bool {
        hasWildcard ? matches(text) : Self.find(pieces.first ?? "", in: text.lowercased()[...]) != nil
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
