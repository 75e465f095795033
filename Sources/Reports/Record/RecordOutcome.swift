public import SuiteModel

/// What came of reading records.
public struct RecordOutcome: Sendable {
    /// How the run ended.
    public var summary: RunSummary
    /// What is to be said of the records: that one breaks off, or that they do not fit together.
    public var notes: [RunNotice]
}
