import JSON
import RegularExpressions

/// The keywords that check strings.
final class StringKeywords: Sendable {
    /// The least and the most Unicode scalars.
    let minimumLength: Int
    let maximumLength: Int
    let pattern: RegularExpression?
    let format: Format?

    init(minimumLength: Int, maximumLength: Int, pattern: RegularExpression?, format: Format?) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.pattern = pattern
        self.format = format
    }

    /// Whether a text keeps to all of them.
    func admit(_ text: String, _ state: inout EvaluationState) -> Bool {
        guard hasLength(text) else { return false }
        if let pattern, !state.matches(pattern, text) { return false }
        if let format, !format.holds(for: text) { return false }
        return true
    }

    /// Counts only where the number of bytes leaves it open.
    private func hasLength(_ text: String) -> Bool {
        let bytes = text.utf8.count
        if bytes < minimumLength || (bytes + 3) / 4 > maximumLength { return false }
        if bytes <= maximumLength, (bytes + 3) / 4 >= minimumLength { return true }
        let length = StringKeywords.length(of: text)
        return length >= minimumLength && length <= maximumLength
    }

    /// The number of Unicode scalars: of bytes that are no continuation of one.
    static func length(of text: String) -> Int {
        let fast = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.reduce(into: 0) { count, byte in count += byte & 0xC0 == 0x80 ? 0 : 1 }
        }
        return fast ?? text.unicodeScalars.count
    }
}
