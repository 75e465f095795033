public import Diagnostics

/// The statement that a test or a step fails for a known reason.
public struct ExpectedFailure: Sendable {
    /// The reason for the failure.
    public var reason: String
    /// Whether it is a failure if the test or the step passes.
    public var isStrict: Bool
    /// The condition; the test or the step must pass if it is false.
    public var condition: EmbeddedExpression?
    /// The source range of the key.
    public var range: SourceRange

    /// Creates a statement.
    public init(reason: String, isStrict: Bool = true, condition: EmbeddedExpression? = nil, range: SourceRange) {
        self.reason = reason
        self.isStrict = isStrict
        self.condition = condition
        self.range = range
    }
}
