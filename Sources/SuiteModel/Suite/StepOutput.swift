public import Diagnostics

/// The output of a step besides its result: a saved body, and printed values.
public struct StepOutput: Sendable {
    /// The path of the file for the body of the response, relative to the output directory.
    public var path: Template?
    /// The source range of ``path``.
    public var pathRange: SourceRange?
    /// The expressions whose values reports show, with their source text.
    public var printed: [(source: String, expression: EmbeddedExpression)] = []

    /// Creates an empty output.
    public init() {}
}
