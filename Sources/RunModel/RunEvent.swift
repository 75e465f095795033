/// What happens in a run, in order: the one stream that every report reads.
///
/// Large values are behind references, as an event is handed to every report.
public enum RunEvent: Sendable {
    /// The run begins; nothing was sent yet.
    indirect case runStarted(RunInfo)
    /// A suite begins (its server is up).
    indirect case suiteStarted(SuiteInfo)
    /// A test begins; events of several tests interleave.
    indirect case testStarted(TestReference)
    /// A test is done: the same result as in ``testFinished(_:)``, at once, and so in the order in which tests end.
    ///
    /// For what must not wait for slower tests: a live display, and a record that tells all when the run is killed.
    case testCompleted(TestResult)
    /// A test is done. Within a suite these come in file order, whatever order the tests ran in.
    case testFinished(TestResult)
    /// A value became known that every output must mask.
    case secretLearned(String)
    /// Something that concerns the run and no single test, such as a server that ended by itself.
    indirect case notice(RunNotice)
    /// A suite is done.
    indirect case suiteFinished(SuiteSummary)
    /// The run is being stopped by a signal; what is running is cancelled and reported. What runs is nil in a record.
    indirect case interrupted(RunInterruption?)
    /// The run is over.
    indirect case runFinished(RunSummary)
}

/// The state of a run when a signal stops it.
public struct RunInterruption: Sendable, Hashable {
    /// Tests that run, without setups and teardowns.
    public var runningTests: Int
    /// Whether teardowns are still to run, or are running.
    public var hasTeardown: Bool

    /// Creates a state.
    public init(runningTests: Int, hasTeardown: Bool) {
        self.runningTests = runningTests
        self.hasTeardown = hasTeardown
    }
}

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
