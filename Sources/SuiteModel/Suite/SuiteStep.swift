public import Diagnostics

/// A step: an exchange with what is expected of it and what is captured from it, or the call of a fragment.
public struct SuiteStep: Sendable {
    /// What a step does.
    public enum Action: Sendable {
        /// Sends a request, with the suite's defaults merged in, and checks the answer.
        case exchange(Boxed<RequestSpec>)
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
    public var webSocket: Boxed<WebSocketExchange>?
    /// How often the step is tried again when it did not pass.
    public var retry: Boxed<RetryRule>?
    /// Whether, when and how often the step is done, where it is not simply once.
    public var flow: Boxed<StepFlow>?
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
        retry: Boxed<RetryRule>? = nil, flow: Boxed<StepFlow>? = nil, continuesAfterFailure: Bool = false,
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
        case .exchange(let request): request.value
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
        guard let flow = flow?.value else { return false }
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
        return (captures + (webSocket?.value.captures ?? [])).map { ($0.name, $0.range) }
    }
}
