public import Basics
public import Diagnostics
public import JSONPath
public import RegularExpressions

/// A step: an exchange with what is expected of it and what is captured from it, or the call of a fragment.
public struct SuiteStep: Sendable {
    /// What a step does.
    public enum Action: Sendable {
        /// Sends a request, with the suite's defaults merged in, and checks the answer.
        indirect case exchange(RequestSpec)
        /// Runs the steps of a fragment.
        case call(FragmentCall)
    }

    /// The step's name; nil when it has none of its own.
    public var name: String?
    /// The step's variables.
    public var variables: [Variable]
    /// What the step does.
    public var action: Action
    /// What is expected, with the suite's defaults merged in.
    public var expectations: ExpectationSet
    /// What is captured, in order.
    public var captures: [Capture]
    /// What goes over the WebSocket that the request opens; nil when it opens none.
    @Indirect public var webSocket: WebSocketExchange?
    /// How often the step is tried again when it did not pass.
    @Indirect public var retry: RetryRule?
    /// Whether, when and how often the step is done, where it is not simply once.
    @Indirect public var flow: StepFlow?
    /// Captures that the step uses, but that may not have been made when it is its turn.
    public var uncertainCaptures: [String] = []
    /// True when the test goes on after this step has failed.
    public var continuesAfterFailure: Bool
    /// True when a later step reads this one's exchange as `steps.NAME`, so that it is kept.
    public var isReferenced: Bool
    /// The place of the step's name, or of its request.
    public var range: SourceRange

    /// Creates a step.
    public init(
        name: String? = nil, variables: [Variable] = [], action: Action,
        expectations: ExpectationSet = ExpectationSet(), captures: [Capture] = [],
        retry: RetryRule? = nil, flow: StepFlow? = nil, continuesAfterFailure: Bool = false,
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

    /// The request of a step that sends one.
    public var request: RequestSpec? {
        switch action {
        case .exchange(let request): request
        case .call: nil
        }
    }

    /// The call of a step that makes one.
    public var call: FragmentCall? {
        if case .call(let call) = action { call } else { nil }
    }

    /// Whether the step may leave no exchange, and no captures, though the steps behind it are done.
    public var mayLeaveNothing: Bool {
        if continuesAfterFailure || !uncertainCaptures.isEmpty { return true }
        guard let flow = flow else { return false }
        return flow.condition != nil || flow.forEach != nil
    }

    /// Whether the step adds names to what later steps and tests see.
    public var definesNames: Bool {
        if !captures.isEmpty || webSocket != nil { return true }
        if case .call = action { return true }
        return false
    }

    /// The names that the step adds to what later steps and tests see, with their places, in order.
    ///
    /// A call without captures of its own adds the fragment's outputs.
    public var definedNames: [(name: String, range: SourceRange)] {
        if captures.isEmpty, case .call(let call) = action {
            return call.fragment.outputs.map { ($0.name, call.range) }
        }
        return (captures + (webSocket?.captures ?? [])).map { ($0.name, $0.range) }
    }
}

/// Whether, when and how often a step is done.
public struct StepFlow: Sendable {
    /// What must be true, or the step is skipped.
    public var condition: EmbeddedExpression?
    /// What the step waits for before it does anything, in nanoseconds.
    public var delay: Int64
    /// What the step polls for.
    public var until: UntilRule?
    /// What the step is done for, once each.
    public var forEach: ForEachRule?

    /// Creates the flow of a step that is simply done once.
    public init(
        condition: EmbeddedExpression? = nil, delay: Int64 = 0, until: UntilRule? = nil, forEach: ForEachRule? = nil
    ) {
        self.condition = condition
        self.delay = delay
        self.until = until
        self.forEach = forEach
    }
}

/// The elements for each of which a step is done.
public struct ForEachRule: Sendable {
    /// The most elements that a list may have.
    public static let maximumCount = 10_000

    /// The list or map, or what gives it.
    public var source: ValueTemplate
    /// The variable that holds the element; of a map, `{ key, value }`.
    public var elementName: String
    /// The variable that holds the element's index, from 0.
    public var indexName: String
    /// The name of each iteration, when it holds expressions.
    public var name: Template?
    /// The place of ``source``.
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

/// What a step polls for, how often, and for how long.
public struct UntilRule: Sendable {
    /// What must hold of an answer, so that polling ends.
    public var expectations: ExpectationSet
    /// What an answer must not be: polling fails at once when all of it holds.
    public var abort: ExpectationSet?
    /// The place of the key `abort`.
    public var abortRange: SourceRange?
    /// The wait between an answer and the next request, in nanoseconds.
    public var every: Int64
    /// How long is polled, in nanoseconds.
    public var within: Int64
    /// How the wait grows.
    public var backoff: RetryRule.Backoff
    /// The longest wait, in nanoseconds.
    public var maximumDelay: Int64
    /// The place of the key.
    public var range: SourceRange

    /// Creates a rule.
    public init(
        expectations: ExpectationSet, abort: ExpectationSet? = nil, every: Int64 = 1_000_000_000,
        within: Int64 = 60_000_000_000, backoff: RetryRule.Backoff = .constant,
        maximumDelay: Int64 = 60_000_000_000, range: SourceRange
    ) {
        self.expectations = expectations
        self.abort = abort
        self.every = every
        self.within = within
        self.backoff = backoff
        self.maximumDelay = maximumDelay
        self.range = range
    }
}

/// How often something that did not pass is tried again, and when.
public struct RetryRule: Sendable, Hashable {
    /// How the wait grows from one retry to the next.
    public enum Backoff: String, Sendable, CaseIterable {
        /// It does not.
        case constant
        /// It doubles.
        case exponential
    }

    /// What an attempt must have come to so that another one is made.
    public enum Condition: Sendable, Hashable {
        /// The response has a status in this range.
        case status(ClosedRange<Int>)
        /// A time limit was reached.
        case timeout
        /// There was no connection, or it was lost.
        case connect
        /// An expectation, an assertion or a capture does not hold.
        case expect
    }

    /// Retries at most.
    public var times: Int
    /// The wait before the first retry, in nanoseconds.
    public var delay: Int64
    /// How the wait grows.
    public var backoff: Backoff
    /// The part of each wait, from 0 to 1, that is random.
    public var jitter: Double
    /// The longest wait, in nanoseconds.
    public var maximumDelay: Int64
    /// What is retried; nil for whatever did not pass.
    public var conditions: [Condition]?
    /// Whether a response's `Retry-After` (RFC 9110, section 10.2.3) makes a wait longer.
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

    /// The wait before a retry, in nanoseconds.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, from 1.
    ///   - retryAfter: What the response asks for, in nanoseconds.
    ///   - random: A number from 0 up to 1.
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

/// A value taken from a response and kept under a name.
public struct Capture: Sendable {
    /// Where a captured value comes from.
    public enum Source: Sendable {
        /// The first match of a JSONPath (the list of matches when the path is not singular and gives several).
        case json(JSONPath)
        /// An expression over the response.
        case expression(EmbeddedExpression)
        /// The value of a header (the first, when it was sent several times).
        case header(String)
        /// The value of a cookie.
        case cookie(String)
        /// The first group (or the whole match) of a regular expression in the body's text.
        case regex(RegularExpression)
        /// What an XPath gives, in a body that is HTML by its content type, otherwise XML.
        case xpath(XPathQuery)
        /// The status code.
        case status
        /// The whole body: parsed when it is JSON, else text.
        case body
    }

    /// What a captured value is turned into.
    public enum Conversion: String, Sendable, CaseIterable {
        /// A whole number.
        case integer
        /// Any number.
        case number
        /// Text.
        case string
        /// True or false.
        case boolean
    }

    /// The variable's name.
    public var name: String
    /// Where the value comes from.
    public var source: Source
    /// The value when nothing is found; without one, finding nothing fails the step.
    public var defaultValue: ValueTemplate?
    /// True when the value is masked in every output.
    public var isSecret: Bool
    /// What the value is turned into.
    public var conversion: Conversion?
    /// The place of the capture's name.
    public var range: SourceRange
    /// The place of the source.
    public var sourceRange: SourceRange

    /// Creates a capture.
    public init(
        name: String, source: Source, defaultValue: ValueTemplate? = nil, isSecret: Bool = false,
        conversion: Conversion? = nil, range: SourceRange, sourceRange: SourceRange
    ) {
        self.name = name
        self.source = source
        self.defaultValue = defaultValue
        self.isSecret = isSecret
        self.conversion = conversion
        self.range = range
        self.sourceRange = sourceRange
    }
}
