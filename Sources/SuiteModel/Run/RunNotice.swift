/// Something that concerns a run and no single test.
public struct RunNotice: Sendable {
    /// How grave it is.
    public enum Severity: String, Sendable {
        /// The run's outcome is an error.
        case error
        /// Worth looking at.
        case warning
        /// Worth knowing.
        case note
    }

    /// How grave it is.
    public var severity: Severity
    /// The suite's index, when it concerns one.
    public var suite: Int?
    /// What happened, as one sentence without a final full stop.
    public var message: String
    /// Further lines, such as the end of a server's output.
    public var details: [String]

    /// Creates a notice.
    public init(severity: Severity, suite: Int? = nil, message: String, details: [String] = []) {
        self.severity = severity
        self.suite = suite
        self.message = message
        self.details = details
    }
}
