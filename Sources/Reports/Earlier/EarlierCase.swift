/// A test case of an earlier report: a test, or a step of one.
public struct EarlierCase: Sendable, Hashable {
    /// What became of the case.
    public enum Verdict: Sendable, Hashable {
        /// Everything held, be it only in the end.
        case passed
        /// An expectation did not hold.
        case failed
        /// There was no answer, or something went wrong before it could be checked.
        case errored
        /// It was not run, as a test that it needs did not pass.
        case blocked
        /// It was not run for another reason.
        case skipped

        /// True for what has to be done again: failed, errored and blocked.
        public var needsAnotherRun: Bool {
            switch self {
            case .failed, .errored, .blocked: true
            case .passed, .skipped: false
            }
        }
    }

    /// The case's name.
    public var name: String
    /// The name of the suite that the case is in.
    public var suiteName: String?
    /// The case's class.
    public var className: String?
    /// The suite's file.
    public var file: String?
    /// What became of it.
    public var verdict: Verdict
    /// How long it took, in nanoseconds; nil when the report does not say, or when it was not run.
    public var duration: Int64?
}
