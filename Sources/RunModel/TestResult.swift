public import Basics
public import Diagnostics
public import JSON

/// What became of a test.
public struct TestResult: Sendable {
    /// The verdict on a test or step.
    public enum Outcome: Sendable, Hashable {
        /// Everything held.
        case passed
        /// Everything held, but only when it was tried again.
        case flaky
        /// Expectations do not hold, or a request got no answer, as is known: a baseline has every finding.
        case known
        /// At least one expectation does not hold.
        case failed
        /// A request got no answer, or an expression failed.
        case errored
        /// It was not run, for the reason given; the reason may be empty.
        case skipped(reason: String)
        /// It was not run because the named test failed or was itself not run.
        case blocked(by: String)

        /// True for failed and errored.
        public var isFailure: Bool {
            switch self {
            case .failed, .errored: true
            case .passed, .flaky, .known, .skipped, .blocked: false
            }
        }

        /// True for passed, flaky and known: what depends on it can run.
        public var isSuccess: Bool {
            switch self {
            case .passed, .flaky, .known: true
            case .failed, .errored, .skipped, .blocked: false
            }
        }
    }

    /// An attempt of a step that did not pass and was followed by another one.
    public struct StepAttempt: Sendable {
        /// Failed or errored.
        public var outcome: Outcome
        /// What was wrong, in the order of the suite.
        public var findings: [Finding]
        /// The exchange.
        public var exchange: Exchange?
        /// Nanoseconds from the attempt's start to its end.
        public var duration: Int64

        /// Creates an attempt.
        public init(outcome: Outcome, findings: [Finding], exchange: Exchange? = nil, duration: Int64 = 0) {
            self.outcome = outcome
            self.findings = findings
            self.exchange = exchange
            self.duration = duration
        }
    }

    /// An attempt of a whole test that did not pass and was followed by another one.
    public struct Attempt: Sendable {
        /// Failed or errored.
        public var outcome: Outcome
        /// The steps that ran or were given up, in order.
        public var steps: [Step]
        /// Nanoseconds from the attempt's start to its end.
        public var duration: Int64

        /// Creates an attempt.
        public init(outcome: Outcome, steps: [Step], duration: Int64 = 0) {
            self.outcome = outcome
            self.steps = steps
            self.duration = duration
        }
    }

    /// What became of a step.
    public struct Step: Sendable {
        /// The step's name: its own, otherwise its request line; the test's for a single exchange.
        public var name: String
        /// The verdict.
        public var outcome: Outcome
        /// What is wrong, in the order of the suite.
        public var findings: [Finding]
        /// The exchange: kept for failures, and for every step when exchanges are shown.
        public var exchange: Exchange?
        /// The outline of an exchange that is not kept, where a report asks for it.
        public var outline: ExchangeOutline?
        /// The attempts before the one that counts, in order; of polls only the last ones, and only when they are shown.
        public var earlierAttempts: [StepAttempt]
        /// How often a step that polls has sent its request; 0 for one that does not.
        public var polls = 0
        /// Nanoseconds from the run's start to the step's.
        public var start: Int64 = 0
        /// Nanoseconds from the step's start to its end, all attempts and waits included.
        public var duration: Int64
        /// The place of the step.
        public var range: SourceRange
        /// The places of the calls that led to the step of a fragment, the innermost first.
        public var calls: [SourceRange] = []

        /// The request line and the status, whether or not the exchange is kept; nil when nothing was sent.
        public var sent: ExchangeOutline? { outline ?? exchange.map { ExchangeOutline($0) } }

        /// Creates a step's result.
        public init(
            name: String, outcome: Outcome, findings: [Finding] = [], exchange: Exchange? = nil,
            earlierAttempts: [StepAttempt] = [], duration: Int64 = 0, range: SourceRange
        ) {
            self.name = name
            self.outcome = outcome
            self.findings = findings
            self.exchange = exchange
            self.earlierAttempts = earlierAttempts
            self.duration = duration
            self.range = range
        }
    }

    @usableFromInline struct Values: Sendable {
        @usableFromInline var test: TestReference
        @usableFromInline var outcome: Outcome
        @usableFromInline var steps: [Step]
        @usableFromInline var earlierAttempts: [Attempt]
        @usableFromInline var variables: [UsedVariable] = []
        @usableFromInline var start: Int64
        @usableFromInline var duration: Int64
        @usableFromInline var maskedSecrets: Int?
        @usableFromInline var isCutOff = false
    }

    /// The values, behind one reference, as a result is handed from the runner to every report.
    ///
    /// Visible to other modules' optimizer, so that reading one value does not copy the others beside it.
    @usableFromInline var storage: CopyOnWrite<Values>

    /// The test.
    public var test: TestReference {
        @inlinable _read { yield storage.wrappedValue.test }
        _modify { yield &storage.wrappedValue.test }
    }

    /// The verdict.
    public var outcome: Outcome {
        @inlinable _read { yield storage.wrappedValue.outcome }
        _modify { yield &storage.wrappedValue.outcome }
    }

    /// The steps that ran or were given up, in order; empty for a test that did not run.
    public var steps: [Step] {
        @inlinable _read { yield storage.wrappedValue.steps }
        _modify { yield &storage.wrappedValue.steps }
    }

    /// The attempts before the one that counts, in order.
    public var earlierAttempts: [Attempt] {
        @inlinable _read { yield storage.wrappedValue.earlierAttempts }
        _modify { yield &storage.wrappedValue.earlierAttempts }
    }

    /// What the names stood for that a test used which did not pass, in the order in which they were first used.
    public var variables: [UsedVariable] {
        @inlinable _read { yield storage.wrappedValue.variables }
        _modify { yield &storage.wrappedValue.variables }
    }

    /// Nanoseconds from the run's start to the test's.
    public var start: Int64 {
        @inlinable get { storage.wrappedValue.start }
        _modify { yield &storage.wrappedValue.start }
    }

    /// Nanoseconds from the test's start to its end, all attempts and waits included.
    public var duration: Int64 {
        @inlinable get { storage.wrappedValue.duration }
        _modify { yield &storage.wrappedValue.duration }
    }

    /// The number of secrets that were known when the result's secrets were masked; nil when they are not.
    public var maskedSecrets: Int? {
        @inlinable get { storage.wrappedValue.maskedSecrets }
        _modify { yield &storage.wrappedValue.maskedSecrets }
    }

    /// The bytes of the bodies and events in its steps and attempts, about.
    public var contentSize: Int {
        func size(_ exchange: Exchange?) -> Int {
            guard let exchange else { return 0 }
            return exchange.bodySize + (exchange.details?.events.count ?? 0) * 32
        }
        func size(_ steps: [Step]) -> Int {
            steps.reduce(0) { sum, step in
                sum + size(step.exchange) + step.earlierAttempts.reduce(0) { $0 + size($1.exchange) }
            }
        }
        return size(steps) + earlierAttempts.reduce(0) { $0 + size($1.steps) }
    }

    /// Whether an interruption, or the end of the program, kept the test from running to its end.
    public var isCutOff: Bool {
        @inlinable get { storage.wrappedValue.isCutOff }
        _modify { yield &storage.wrappedValue.isCutOff }
    }

    /// Whether reports count it among the tests: it is a test, or a setup or teardown that failed.
    public var isCounted: Bool { storage.wrappedValue.test.kind == .test || storage.wrappedValue.outcome.isFailure }

    /// Creates a result.
    public init(
        test: TestReference, outcome: Outcome, steps: [Step] = [], earlierAttempts: [Attempt] = [], start: Int64 = 0,
        duration: Int64 = 0
    ) {
        storage = CopyOnWrite(
            wrappedValue: Values(
                test: test, outcome: outcome, steps: steps, earlierAttempts: earlierAttempts, start: start,
                duration: duration))
    }
}

/// A name that a test used, and what it stood for.
public struct UsedVariable: Sendable, Hashable {
    /// The name: of a variable, a capture, or a column of a row.
    public var name: String
    /// The value as JSON; a value that JSON cannot hold is its text.
    public var value: JSONValue

    /// Creates a variable.
    public init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// The request line of an exchange, and the status of its response.
public struct ExchangeOutline: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The absolute URL of the request that was sent last: after redirects, the final one.
    public var url: String
    /// The status code; nil when no response came.
    public var status: Int?

    /// Creates an outline.
    public init(method: String, url: String, status: Int?) {
        self.method = method
        self.url = url
        self.status = status
    }

    /// Creates the outline of an exchange.
    public init(_ exchange: Exchange) {
        let request = exchange.request
        self.init(method: request.method, url: request.url, status: exchange.response?.status)
    }
}
