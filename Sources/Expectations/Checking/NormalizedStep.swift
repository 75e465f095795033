/// A segment of a path that selects one name or one index.
enum NormalizedStep {
    case name(String)
    case index

    /// Reads a segment as it is written, such as `.title`, `['title']` or `[3]`; nil for any other segment.
    init?(segment: String) {
        if segment.hasPrefix("."), !segment.hasPrefix(".."), segment != ".*", !segment.hasPrefix(".[") {
            self = .name(String(segment.dropFirst()))
            return
        }
        guard segment.hasPrefix("["), segment.hasSuffix("]") else { return nil }
        let inner = NormalizedStep.trimmed(segment.dropFirst().dropLast())
        if let quote = inner.first, quote == "'" || quote == "\"", inner.count >= 2, inner.last == quote,
            !inner.dropFirst().dropLast().contains(where: { $0 == quote || $0 == "\\" })
        {
            self = .name(String(inner.dropFirst().dropLast()))
        } else if Int(inner) != nil {
            self = .index
        } else {
            return nil
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
