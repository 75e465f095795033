/// A pattern of `--test`: text that the name contains, without regard to case, in which `*` stands for any text.
///
/// A pattern with a `*` must cover the whole name.
public struct NamePattern: Sendable, Hashable {
    private let pieces: [String]

    /// Creates a pattern.
    public init(_ text: String) {
        pieces = text.lowercased().split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether the pattern takes the name.
    public func matches(_ name: String) -> Bool {
        let name = name.lowercased()
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else {
            return Self.find(pieces.first ?? "", in: name[...]) != nil
        }
        guard name.hasPrefix(first) else { return false }
        var rest = name.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() {
            guard let end = Self.find(piece, in: rest) else { return false }
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
