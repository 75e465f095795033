public import Basics

/// An event of a run. All reports are generated from the one stream of events.
///
/// Large values are indirect because each event is passed to every report.
public enum RunEvent: Sendable {
    /// The run starts; no request was sent yet.
    indirect case runStarted(RunInfo)
    /// A suite starts; its server is ready.
    indirect case suiteStarted(SuiteInfo)
    /// A test starts. Events of concurrent tests interleave.
    indirect case testStarted(TestReference)
    /// A test finished. Sent immediately, in completion order, with the same result as ``testFinished(_:)``.
    ///
    /// For reporters that must not wait for slower tests: a live display, and a record that stays complete if the run
    /// is killed.
    case testCompleted(TestResult)
    /// A test finished. Within a suite, these events are in file order, regardless of the completion order.
    case testFinished(TestResult)
    /// The figures of a load that runs or has finished.
    indirect case load(LoadEvent)
    /// A secret value became known that must be masked in all output.
    case secretRegistered(String)
    /// A notice about the run as a whole, such as a server that exited on its own.
    indirect case notice(RunNotice)
    /// A suite finished.
    indirect case suiteFinished(SuiteSummary)
    /// A signal interrupts the run: running tests are canceled and reported. The payload is nil in a record.
    indirect case interrupted(RunInterruption?)
    /// The run finished.
    indirect case runFinished(RunSummary)
}

/// An event of a load.
public enum LoadEvent: Sendable {
    /// A second has passed.
    case second(LoadSecond)
    /// The interval has passed at which a program wants the figures of all steps.
    case progress(LoadProgress)
    /// The load finished. The results of its thresholds follow.
    case finished(LoadSummary)
}

/// The state of a run when a signal interrupts it.
public struct RunInterruption: Sendable, Hashable {
    /// The number of running tests, without setups and teardowns.
    public var runningTests: Int
    /// Whether teardowns are running or still have to run.
    public var hasTeardown: Bool

    /// Creates a state.
    public init(runningTests: Int, hasTeardown: Bool) {
        self.runningTests = runningTests
        self.hasTeardown = hasTeardown
    }
}

/// A notice about a run as a whole.
public struct RunNotice: Sendable {
    /// The severity of a notice.
    public enum Severity: String, Sendable {
        /// The notice makes the outcome of the run an error.
        case error
        /// The notice is a warning.
        case warning
        /// The notice is informational.
        case note
    }

    /// The id that messages print and `apitest explain` explains: that of a ``NoticeID``, or of a contract rule; nil in
    /// records of earlier versions.
    public var id: String?
    /// The severity of the notice.
    public var severity: Severity
    /// The index of the suite, if the notice is about one.
    public var suite: Int?
    /// The message: one sentence without a final period.
    public var message: String { wording.text }
    /// The message with the id in brackets, for reports without a separate place for the id.
    public var messageWithID: String { id.map { "\(message) [\($0)]" } ?? message }
    /// The message with the distinction of words and data.
    public var wording: MessageText
    /// Additional lines, such as the end of a server's output.
    public var details: [MessageText]

    /// Creates a notice.
    public init(
        _ id: NoticeID, severity: Severity, suite: Int? = nil, message: MessageText, details: [MessageText] = []
    ) {
        self.init(id: id.rawValue, severity: severity, suite: suite, message: message, details: details)
    }

    /// Creates a notice with any id, such as that of a contract rule, or one from a record of a later version.
    public init(id: String?, severity: Severity, suite: Int? = nil, message: MessageText, details: [MessageText] = []) {
        self.id = id
        self.severity = severity
        self.suite = suite
        wording = message
        self.details = details
    }
}
