import SuiteModel

/// Failures grouped by their cause: the one grouping that the console, Markdown, GitHub annotations and HTML share.
struct FailureCauses {
    /// The place of a failure among those of its cause.
    struct Membership {
        /// The number of the cause, in the order in which causes appear; nil where too many are known to tell it apart.
        let index: Int?
        /// How many failures of the cause came before.
        let rank: Int
        /// The cause.
        let cause: FailureCause

        /// Whether the failure is one of the first of its cause, which are shown whole.
        var isShownWhole: Bool { rank < (cause.isOutage ? FailureCauses.wholeOutages : FailureCauses.wholeFailures) }
    }

    /// Failures of one cause that are shown whole.
    static let wholeFailures = 3
    /// The same where no response came from the server.
    private static let wholeOutages = 1
    /// Causes that are told apart.
    private static let maximumCauses = 1_000

    /// How many failures each cause has.
    private(set) var counts: [Int] = []
    private var indices: [Int: Int] = [:]

    /// Counts a failure; nil for a test that did not fail.
    mutating func add(_ result: TestResult) -> Membership? {
        guard let cause = FailureCause(of: result) else { return nil }
        let known = cause.rowKey.flatMap { indices[$0] } ?? indices[cause.key]
        guard let index = known ?? newIndex(of: cause) else { return Membership(index: nil, rank: 0, cause: cause) }
        defer { counts[index] += 1 }
        return Membership(index: index, rank: counts[index], cause: cause)
    }

    /// Only the first failure of a cause says what belongs to it: otherwise causes would join others by way of a third.
    private mutating func newIndex(of cause: FailureCause) -> Int? {
        guard counts.count < Self.maximumCauses else { return nil }
        indices[cause.key] = counts.count
        if let rowKey = cause.rowKey { indices[rowKey] = counts.count }
        counts.append(0)
        return counts.count - 1
    }
}
