/// The words by which a JUnit report says that a test was blocked: it has no element of its own for that.
enum BlockedReason {
    private static let start = "blocked by \""
    private static let end = "\", which did not pass"

    /// The words for a test that was blocked by another.
    static func text(by blocker: String) -> String { start + blocker + end }

    /// Whether a reason says that a test was blocked.
    static func isOne(_ reason: String) -> Bool { reason.hasPrefix(start) && reason.hasSuffix(end) }
}
