import JSON

/// The kind of a text, as far as its form shows it.
enum TextKind {
    case number, uuid, date, address, uri
    /// Any other text.
    case word

    init(_ text: String) {
        if JSONNumber(literal: text) != nil {
            self = .number
        } else if Self.has(text, groups: [8, 4, 4, 4, 12], where: \.isHexDigit) {
            self = .uuid
        } else if Self.has(text.prefix { $0 != "T" }, groups: [4, 2, 2], where: \.isNumber) {
            self = .date
        } else if text.contains("://") {
            self = .uri
        } else if text.split(separator: "@", omittingEmptySubsequences: false).count == 2 {
            self = .address
        } else {
            self = .word
        }
    }

    /// Whether a text has groups of characters of these lengths, with hyphens between them.
    private static func has(
        _ text: some StringProtocol, groups: [Int], where isAllowed: (Character) -> Bool
    ) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == groups && parts.allSatisfy { $0.allSatisfy(isAllowed) }
    }
}
