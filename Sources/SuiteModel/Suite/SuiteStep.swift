public import Basics
public import Diagnostics
public import JSONPath
public import RegularExpressions

/// A step of a test: an exchange or a command with its expectations and captures, a call of a fragment, or a group of
/// steps.
public struct SuiteStep: Sendable {
    /// The action of a step.
    public enum Action: Sendable {
        /// Sends a request, merged with the suite's defaults, and checks the response.
        case exchange(CopyOnWrite<RequestSpec>)
        /// Runs the steps of a fragment.
        case call(FragmentCall)
        /// Runs a program, and checks its output.
        indirect case command(CommandSpec)
        /// Runs the steps that follow as one unit.
        indirect case group(StepGroup)
    }

    /// The name of the step; nil if the suite does not set one.
    public var name: String?
    /// The variables of the step.
    public var variables: [Variable]
    /// The action of the step.
    public var action: Action
    /// The expectations, merged with the suite's defaults.
    @CopyOnWrite public var expectations: ExpectationSet
    /// The captures, in order.
    public var captures: [Capture]
    /// The WebSocket exchange after the request; nil if the request does not open a WebSocket.
    @Indirect public var webSocket: WebSocketSpec?
    /// The retry rule of the step.
    @Indirect public var retry: Templated<RetryRule>?
    /// The condition, delay, polling, and iteration of the step; nil for a step that simply runs once.
    @Indirect public var flow: StepFlow?
    /// The saved body and printed values of the step; nil for a step with neither.
    @Indirect public var output: StepOutput?
    /// Captures that the step uses and that may be missing when the step runs.
    public var uncertainCaptures: [String] = []
    /// Whether the test continues after this step fails.
    public var continuesAfterFailure: Bool
    /// Whether a later step reads this step's exchange as `steps.NAME`, so that the exchange is kept.
    public var isReferenced: Bool
    /// The source range of the step's name, or of its request.
    public var range: SourceRange

    /// Creates a step.
    public init(
        name: String? = nil, variables: [Variable] = [], action: Action,
        expectations: ExpectationSet = ExpectationSet(), captures: [Capture] = [],
        retry: Templated<RetryRule>? = nil, flow: StepFlow? = nil, continuesAfterFailure: Bool = false,
        isReferenced: Bool = false, range: SourceRange
    ) {
        self.name = name
        self.variables = variables
        self.action = action
        self.expectations = expectations
        self.captures = captures
        self.retry = retry
        self.flow = flow
        self.continuesAfterFailure = continuesAfterFailure
        self.isReferenced = isReferenced
        self.range = range
    }

    /// The request; nil for a call or a group.
    public var request: RequestSpec? {
        switch action {
        case .exchange(let request): request.wrappedValue
        case .call, .command, .group: nil
        }
    }

    /// The command; nil for a request and a call.
    public var command: CommandSpec? {
        if case .command(let command) = action { command } else { nil }
    }

    /// The call; nil for a request.
    public var call: FragmentCall? {
        if case .call(let call) = action { call } else { nil }
    }

    /// The group; nil for a request or a call.
    public var group: StepGroup? {
        if case .group(let group) = action { group } else { nil }
    }

    /// Returns the name of the step in reports: its own, the test's for a single exchange, or its request line as written.
    public func name(in test: SuiteTest) -> String {
        if let name { return name }
        guard test.hasSteps else { return test.name }
        if let call { return call.fragment.name }
        if let command { return "run \(command.source)" }
        if group != nil { return "group" }
        return request.map { "\($0.method) \($0.url.source)" } ?? ""
    }

    /// Whether later steps may run although this step recorded no exchange and no captures.
    public var mayLeaveNothing: Bool {
        if continuesAfterFailure || !uncertainCaptures.isEmpty { return true }
        return flow?.mayNotRun == true
    }

    /// Whether the step defines names that later steps and tests can read.
    public var definesNames: Bool {
        if !captures.isEmpty || webSocket != nil { return true }
        if case .call = action { return true }
        return false
    }

    /// The names that the step defines for later steps and tests, with their source ranges, in order.
    ///
    /// A call without its own captures defines the outputs of the fragment.
    public var definedNames: [(name: String, range: SourceRange)] {
        if captures.isEmpty, case .call(let call) = action {
            return call.fragment.outputs.map { ($0.name, call.range) }
        }
        return (captures + (webSocket?.captures ?? [])).map { ($0.name, $0.range) }
    }
}

/// The control flow of a step: its condition, delay, polling, and iteration.
public struct StepFlow: Sendable {
    /// The condition; the step is skipped if it is false.
    public var condition: EmbeddedExpression?
    /// The delay before the step, in nanoseconds.
    public var delay: Templated<Int64>
    /// The polling rule.
    @Indirect public var until: UntilRule?
    /// The iteration rule, which runs the step once per element.
    @Indirect public var forEach: ForEachRule?
    /// The reason why the step is skipped: empty if none is stated, nil if the step is not skipped.
    public var skip: String?
    /// The failure that is expected of the step; nil if it is expected to pass.
    @Indirect public var expectedFailure: ExpectedFailure?
    /// The rule that repeats the step as long as a condition holds.
    @Indirect public var whileRule: WhileRule?
    /// The time limit of the step with all of its requests, waits and iterations, in nanoseconds.
    public var timeout: Templated<Int64>?

    /// Creates control flow; the defaults run the step once.
    public init(
        condition: EmbeddedExpression? = nil, delay: Templated<Int64> = 0, until: UntilRule? = nil,
        forEach: ForEachRule? = nil
    ) {
        self.condition = condition
        self.delay = delay
        self.until = until
        self.forEach = forEach
    }

    /// Whether the step simply runs once.
    public var isPlain: Bool {
        condition == nil && delay == 0 && until == nil && forEach == nil && whileRule == nil && skip == nil
            && timeout == nil && expectedFailure == nil
    }

    /// Whether the step may run several times, each with a result of its own.
    public var isLoop: Bool { forEach != nil || whileRule != nil }

    /// Whether the test may continue although the step was not run or failed, so that its captures may be missing.
    public var mayNotRun: Bool { condition != nil || forEach != nil || skip != nil || expectedFailure != nil }
}

/// The iteration of a step over the elements of a collection.
public struct ForEachRule: Sendable {
    /// The maximum number of elements.
    public static let maximumCount = 10_000

    /// The array or object to iterate over, or an expression for it.
    public var source: ValueTemplate
    /// The name of the variable for the element; for an object, the element is `{ key, value }`.
    public var elementName: String
    /// The name of the variable for the index of the element, from 0.
    public var indexName: String
    /// The name of each iteration, if it contains expressions.
    public var name: Template?
    /// The source range of ``source``.
    public var range: SourceRange

    /// Creates a rule.
    public init(
        source: ValueTemplate, elementName: String = "item", indexName: String = "index", name: Template? = nil,
        range: SourceRange
    ) {
        self.source = source
        self.elementName = elementName
        self.indexName = indexName
        self.name = name
        self.range = range
    }
}

/// The polling rule of a step: the conditions, the interval, and the limits.
public struct UntilRule: Sendable {
    /// The time limit of a rule that has no limit of its own, in nanoseconds.
    public static let standardLimit: Int64 = 60_000_000_000
    /// The maximum number of requests that a rule can allow.
    public static let maximumTimes = 10_000

    /// The expectations that end the polling when a response satisfies them.
    public var expectations: ExpectationSet
    /// The expectations that make the polling fail immediately when a response satisfies all of them.
    public var abort: ExpectationSet?
    /// The source range of the `abort` key.
    public var abortRange: SourceRange?
    /// The interval and the limits of the polling.
    public var pace: Templated<Pace>
    /// The source range of the key.
    public var range: SourceRange

    /// The interval and the limits of polling.
    public struct Pace: Sendable, Hashable {
        /// The interval between a response and the next request, in nanoseconds.
        public var every: Int64
        /// The time limit of the polling, in nanoseconds; nil if only the number of requests is limited.
        public var within: Int64?
        /// The maximum number of requests; nil if only the time is limited.
        public var times: Int?
        /// The growth of the interval.
        public var backoff: RetryRule.Backoff
        /// The maximum interval, in nanoseconds.
        public var maximumDelay: Int64

        /// Creates a pace.
        public init(
            every: Int64 = 1_000_000_000, within: Int64? = standardLimit, times: Int? = nil,
            backoff: RetryRule.Backoff = .constant, maximumDelay: Int64 = 60_000_000_000
        ) {
            self.every = every
            self.within = within
            self.times = times
            self.backoff = backoff
            self.maximumDelay = maximumDelay
        }
    }

    /// Creates a rule.
    public init(
        expectations: ExpectationSet, abort: ExpectationSet? = nil, pace: Templated<Pace> = .constant(Pace()),
        range: SourceRange
    ) {
        self.expectations = expectations
        self.abort = abort
        self.pace = pace
        self.range = range
    }
}

/// The retry rule of a test or a step.
public struct RetryRule: Sendable, Hashable {
    /// The growth of the delay from one retry to the next.
    public enum Backoff: String, Sendable, CaseIterable {
        /// The delay stays the same.
        case constant
        /// The delay doubles with each retry.
        case exponential
    }

    /// A result of an attempt that allows a retry.
    public enum Condition: Sendable, Hashable {
        /// The status of the response is in this range.
        case status(ClosedRange<Int>)
        /// The attempt exceeded a time limit.
        case timeout
        /// The connection failed or was lost.
        case connect
        /// An expectation, an assertion, or a capture failed.
        case expect
    }

    /// The maximum number of retries.
    public var times: Int
    /// The delay before the first retry, in nanoseconds.
    public var delay: Int64
    /// The growth of the delay.
    public var backoff: Backoff
    /// The random fraction of each delay, from 0 to 1.
    public var jitter: Double
    /// The maximum delay, in nanoseconds.
    public var maximumDelay: Int64
    /// The results that allow a retry; nil retries after any failure.
    public var conditions: [Condition]?
    /// Whether the `Retry-After` header of a response (RFC 9110, section 10.2.3) extends the delay.
    public var honorsRetryAfter: Bool

    /// Creates a rule.
    public init(
        times: Int, delay: Int64 = 0, backoff: Backoff = .constant, jitter: Double = 0,
        maximumDelay: Int64 = 60_000_000_000, conditions: [Condition]? = nil, honorsRetryAfter: Bool = true
    ) {
        self.times = times
        self.delay = delay
        self.backoff = backoff
        self.jitter = jitter
        self.maximumDelay = maximumDelay
        self.conditions = conditions
        self.honorsRetryAfter = honorsRetryAfter
    }

    /// Returns the delay before a retry, in nanoseconds.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, from 1.
    ///   - retryAfter: The delay that the response requests, in nanoseconds.
    ///   - random: A random number in the range `0..<1`.
    public func wait(before retry: Int, retryAfter: Int64? = nil, random: Double) -> Int64 {
        var wait = min(delay, maximumDelay)
        if backoff == .exponential {
            for _ in 1..<max(1, retry) where wait < maximumDelay {
                let (doubled, isOver) = wait.multipliedReportingOverflow(by: 2)
                wait = isOver ? maximumDelay : min(doubled, maximumDelay)
            }
        }
        if jitter > 0 {
            let part = Double(wait) * min(jitter, 1) * max(0, min(random, 1))
            wait = max(0, wait - Int64(part))
        }
        guard honorsRetryAfter, let retryAfter else { return wait }
        return min(maximumDelay, max(wait, retryAfter))
    }
}

/// A variable whose value comes from a response.
public struct Capture: Sendable {
    /// The source of a captured value.
    public enum Source: Sendable {
        /// The value that a singular JSONPath selects, or the array of all values that another one selects.
        case json(Templated<JSONPath>)
        /// An expression that is evaluated with the response.
        case expression(EmbeddedExpression)
        /// The value of a header; the first one if the response has several.
        case header(Templated<String>)
        /// The array of all values of a header; empty if the response does not have it.
        case headers(Templated<String>)
        /// The value of a cookie.
        case cookie(Templated<String>)
        /// The text of the body, decoded by its charset.
        case text
        /// The result of an XPath expression. The body is parsed as HTML if its media type says so, otherwise as XML.
        case xpath(XPathQuery)
        /// The status code.
        case status
        /// The whole body: the parsed value of a JSON body, otherwise the text.
        case body
    }

    /// The target type of a captured value.
    public enum Conversion: String, Sendable, CaseIterable {
        /// An integer.
        case integer
        /// A number.
        case number
        /// A string.
        case string
        /// A Boolean.
        case boolean
    }

    /// The name of the variable.
    public var name: String
    /// The source of the value.
    public var source: Source
    /// The pattern that is searched for in the value, which must be a string; nil keeps the whole value.
    ///
    /// The captured value is the first group of the match, or the whole match of a pattern without groups.
    public var pattern: RegularExpression?
    /// The value if nothing is found; without a default, the step fails.
    public var defaultValue: ValueTemplate?
    /// Whether the value is masked in all output.
    public var isSecret: Bool
    /// The type that the value is converted to; nil keeps its type.
    public var conversion: Conversion?
    /// The source range of the capture's name.
    public var range: SourceRange
    /// The source range of the source.
    public var sourceRange: SourceRange

    /// Creates a capture.
    public init(
        name: String, source: Source, pattern: RegularExpression? = nil, defaultValue: ValueTemplate? = nil,
        isSecret: Bool = false, conversion: Conversion? = nil, range: SourceRange, sourceRange: SourceRange
    ) {
        self.name = name
        self.source = source
        self.pattern = pattern
        self.defaultValue = defaultValue
        self.isSecret = isSecret
        self.conversion = conversion
        self.range = range
        self.sourceRange = sourceRange
    }
}
