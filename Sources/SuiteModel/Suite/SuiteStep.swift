public import Diagnostics

/// A step: one exchange with what is expected of it and what is captured from it.
public struct SuiteStep: Sendable {
    /// The step's name; nil when it has none of its own.
    public var name: String?
    /// The step's variables.
    public var variables: [Variable]
    /// The request, with the suite's defaults merged in.
    public var request: RequestSpec
    /// What is expected, with the suite's defaults merged in.
    public var expectations: ExpectationSet
    /// What is captured, in order.
    public var captures: [Capture]
    /// How often the step is tried again when it did not pass.
    public var retry: Boxed<RetryRule>?
    /// True when the test goes on after this step has failed.
    public var continuesAfterFailure: Bool
    /// True when a later step reads this one's exchange as `steps.NAME`, so that it is kept.
    public var isReferenced: Bool
    /// The place of the step's name, or of its request.
    public var range: SourceRange

    /// Creates a step.
    public init(
        name: String? = nil, variables: [Variable] = [], request: RequestSpec,
        expectations: ExpectationSet = ExpectationSet(), captures: [Capture] = [],
        retry: Boxed<RetryRule>? = nil, continuesAfterFailure: Bool = false, isReferenced: Bool = false,
        range: SourceRange
    ) {
        self.name = name
        self.variables = variables
        self.request = request
        self.expectations = expectations
        self.captures = captures
        self.retry = retry
        self.continuesAfterFailure = continuesAfterFailure
        self.isReferenced = isReferenced
        self.range = range
    }
}
