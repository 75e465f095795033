/// When the console shows failures.
public enum FailureOutput: String, Sendable, Hashable, CaseIterable {
    /// As they happen.
    case immediate
    /// Before the summary, in the order of the files.
    case final
    /// Both as they happen and before the summary.
    case both

    /// Whether a failure is shown as it happens.
    var isImmediate: Bool { self != .final }
    /// Whether failures are shown before the summary.
    var isFinal: Bool { self != .immediate }
}
