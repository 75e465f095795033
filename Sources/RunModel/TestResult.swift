public import Basics
public import Diagnostics
public import JSON

/// The result of a test.
public struct TestResult: Sendable {
    /// The outcome of a test or a step.
    public enum Outcome: Sendable, Hashable {
        /// All expectations were met.
        case passed
        /// All expectations were met, but only after a retry.
        case flaky
        /// Expectations failed or a request got no response, as expected.
        ///
        /// The suite states the reason. It is empty if a baseline contains every finding instead.
        case known(reason: String)
        /// At least one expectation failed.
        case failed
        /// A request got no response, or an expression failed.
        case errored
        /// The test did not run, for a reason that may be empty.
        case skipped(reason: String)
        /// The test did not run because a dependency failed or did not run.
        case blocked(by: String)

        /// Whether the outcome is failed or errored.
        public var isFailure: Bool {
            switch self {
            case .failed, .errored: true
            case .passed, .flaky, .known, .skipped, .blocked: false
            }
        }

        /// Whether the outcome is known.
        public var isKnown: Bool {
            if case .known = self { true } else { false }
        }

        /// Whether the outcome is passed, flaky, or known, so that dependents can run.
        public var isSuccess: Bool {
            switch self {
            case .passed, .flaky, .known: true
            case .failed, .errored, .skipped, .blocked: false
            }
        }
    }

    /// An unsuccessful attempt of a step that was followed by a retry.
    public struct StepAttempt: Sendable {
        /// The outcome: failed or errored.
        public var outcome: Outcome
        /// The findings, in the order of the suite.
        public var findings: [Finding]
        /// The exchange, if there was one.
        public var exchange: Exchange?
        /// The duration of the attempt, in nanoseconds.
        public var duration: Int64

        /// Creates an attempt.
        public init(outcome: Outcome, findings: [Finding], exchange: Exchange? = nil, duration: Int64 = 0) {
            self.outcome = outcome
            self.findings = findings
            self.exchange = exchange
            self.duration = duration
        }

        /// Creates the attempt that produced a step's result.
        public init(_ step: Step) {
            self.init(outcome: step.outcome, findings: step.findings, exchange: step.exchange, duration: step.duration)
        }
    }

    /// An unsuccessful attempt of a whole test that was followed by a retry.
    public struct Attempt: Sendable {
        /// The outcome: failed or errored.
        public var outcome: Outcome
        /// The steps that ran or were abandoned, in order.
        public var steps: [Step]
        /// The duration of the attempt, in nanoseconds.
        public var duration: Int64

        /// Creates an attempt.
        public init(outcome: Outcome, steps: [Step], duration: Int64 = 0) {
            self.outcome = outcome
            self.steps = steps
            self.duration = duration
        }
    }

    /// The result of a step.
    public struct Step: Sendable {
        /// The name of the step, or its request line if it has none; for a single exchange, the name of the test.
        public var name: String
        /// The outcome of the step.
        public var outcome: Outcome
        /// The findings, in the order of the suite.
        public var findings: [Finding]
        /// The exchange; kept for failures, and for every step if a report shows exchanges.
        public var exchange: Exchange?
        /// The outline of an exchange that is not kept, if a report needs it.
        public var outline: ExchangeOutline?
        /// The attempts before the final one, in order; for polling, only the last ones, and only if a report shows
        /// them.
        public var previousAttempts: [StepAttempt]
        /// The number of requests that a polling step has sent; 0 for a step that does not poll.
        public var polls = 0
        /// The time from the start of the run to the start of the step, in nanoseconds.
        public var start: Int64 = 0
        /// The duration of the step, including all attempts and delays, in nanoseconds.
        public var duration: Int64
        /// The source range of the step.
        public var range: SourceRange
        /// The expressions that the suite prints, with their values.
        public var printed: [UsedVariable] = []
        /// The source ranges of the calls that led to a step of a fragment, innermost first.
        public var calls: [SourceRange] = []

        /// The request line and the status, whether or not the exchange is kept; nil if no request was sent.
        public var sent: ExchangeOutline? { outline ?? exchange.map { ExchangeOutline($0) } }

        /// Creates the result of a step.
        public init(
            name: String, outcome: Outcome, findings: [Finding] = [], exchange: Exchange? = nil,
            previousAttempts: [StepAttempt] = [], duration: Int64 = 0, range: SourceRange
        ) {
            self.name = name
            self.outcome = outcome
            self.findings = findings
            self.exchange = exchange
            self.previousAttempts = previousAttempts
            self.duration = duration
            self.range = range
        }
    }

    @usableFromInline struct Values: Sendable {
        @usableFromInline var test: TestReference
        @usableFromInline var outcome: Outcome
        @usableFromInline var steps: [Step]
        @usableFromInline var previousAttempts: [Attempt]
        @usableFromInline var variables: [UsedVariable] = []
        @usableFromInline var start: Int64
        @usableFromInline var duration: Int64
        @usableFromInline var maskedSecrets: Int?
        @usableFromInline var isCutOff = false
    }

    /// The values, behind one reference, because a result is passed from the runner to every report.
    ///
    /// It is inlinable from other modules, so that reading one value does not copy the others.
    @usableFromInline var storage: CopyOnWrite<Values>

    /// The test.
    public var test: TestReference {
        @inlinable _read { yield storage.wrappedValue.test }
        _modify { yield &storage.wrappedValue.test }
    }

    /// The outcome of the test.
    public var outcome: Outcome {
        @inlinable _read { yield storage.wrappedValue.outcome }
        _modify { yield &storage.wrappedValue.outcome }
    }

    /// The steps that ran or were abandoned, in order; empty if the test did not run.
    public var steps: [Step] {
        @inlinable _read { yield storage.wrappedValue.steps }
        _modify { yield &storage.wrappedValue.steps }
    }

    /// The attempts before the final one, in order.
    public var previousAttempts: [Attempt] {
        @inlinable _read { yield storage.wrappedValue.previousAttempts }
        _modify { yield &storage.wrappedValue.previousAttempts }
    }

    /// The variables that a failed test used, in the order of their first use, with their values.
    public var variables: [UsedVariable] {
        @inlinable _read { yield storage.wrappedValue.variables }
        _modify { yield &storage.wrappedValue.variables }
    }

    /// The time from the start of the run to the start of the test, in nanoseconds.
    public var start: Int64 {
        @inlinable get { storage.wrappedValue.start }
        _modify { yield &storage.wrappedValue.start }
    }

    /// The duration of the test, including all attempts and delays, in nanoseconds.
    public var duration: Int64 {
        @inlinable get { storage.wrappedValue.duration }
        _modify { yield &storage.wrappedValue.duration }
    }

    /// The number of known secrets when the result was masked; nil if it is not masked.
    public var maskedSecrets: Int? {
        @inlinable get { storage.wrappedValue.maskedSecrets }
        _modify { yield &storage.wrappedValue.maskedSecrets }
    }

    /// The approximate size in bytes of the bodies and events of all steps and attempts.
    public var contentSize: Int {
        func size(_ exchange: Exchange?) -> Int {
            guard let exchange else { return 0 }
            return exchange.bodySize + (exchange.details?.events.count ?? 0) * 32
        }
        func size(_ steps: [Step]) -> Int {
            steps.reduce(0) { sum, step in
                sum + size(step.exchange) + step.previousAttempts.reduce(0) { $0 + size($1.exchange) }
            }
        }
        return size(steps) + previousAttempts.reduce(0) { $0 + size($1.steps) }
    }

    /// Whether an interruption, or the exit of the program, cut the test short.
    public var isCutOff: Bool {
        @inlinable get { storage.wrappedValue.isCutOff }
        _modify { yield &storage.wrappedValue.isCutOff }
    }

    /// Whether reports count the test: it is an ordinary test, or a setup or teardown that failed.
    public var isCounted: Bool { storage.wrappedValue.test.kind == .test || storage.wrappedValue.outcome.isFailure }

    /// Creates a result.
    public init(
        test: TestReference, outcome: Outcome, steps: [Step] = [], previousAttempts: [Attempt] = [], start: Int64 = 0,
        duration: Int64 = 0
    ) {
        storage = CopyOnWrite(
            wrappedValue: Values(
                test: test, outcome: outcome, steps: steps, previousAttempts: previousAttempts, start: start,
                duration: duration))
    }
}

/// A variable that a test used, and its value.
public struct UsedVariable: Sendable, Hashable {
    /// The name of a variable, a capture, or a column of a row.
    public var name: String
    /// The value as JSON; a value that JSON cannot represent is converted to a string.
    public var value: JSONValue

    /// Creates a variable.
    public init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// The request line of an exchange and the status of its response.
public struct ExchangeOutline: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The absolute URL of the last request; after redirects, this is the final one.
    public var url: String
    /// The status code; nil if there was no response.
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
