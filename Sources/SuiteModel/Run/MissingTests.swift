/// What a run lacks that is not whole: one that was interrupted or broke off, or of which a shard is missing.
public struct MissingTests: Sendable, Hashable {
    /// Tests that were to run and have no result, or one that was cut off, as far as that is known.
    public var notRun: Int
    /// The tests that the run was to have in all, as far as that is known.
    public var planned: Int
    /// What is wrong, each in a few words, such as `no record of shard 2/3`.
    public var reasons: [String]

    /// Creates a description of what is missing.
    ///
    /// - Parameter reasons: What is wrong beside the tests that did not run.
    public init(notRun: Int, planned: Int, reasons: [String] = []) {
        self.notRun = notRun
        self.planned = planned
        self.reasons = reasons
    }

    /// Tests that ran, or were skipped on purpose.
    public var done: Int { max(0, planned - notRun) }

    /// What is missing, as one sentence, such as `22 of 43 tests did not run`.
    public var message: String {
        var parts = reasons
        if notRun > 0 { parts.append("\(notRun) of \(planned) \(planned == 1 ? "test" : "tests") did not run") }
        return parts.isEmpty ? "the run is not whole" : parts.joined(separator: "; ")
    }
}
