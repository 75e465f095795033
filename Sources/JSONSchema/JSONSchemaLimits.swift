/// What compiling and evaluating a schema may cost at most.
public struct JSONSchemaLimits: Sendable, Hashable {
    /// How many schemas may be evaluated inside one another; values over 1,536 count as 1,536.
    ///
    /// Each level of a value's nesting takes one, and each `allOf`, `anyOf`, `oneOf`, `not`, `if` and `$ref` on the way.
    public var maximumDepth: Int
    /// How many steps an evaluation may take: one for each schema applied, member and element looked at.
    public var maximumSteps: Int
    /// How many violations are kept, at the top and inside of each one.
    public var maximumViolations: Int
    /// How many schemas a compiled schema may consist of, those it refers to included.
    public var maximumSchemas: Int

    /// Makes limits; the defaults fit any API's schemas and responses.
    public init(
        maximumDepth: Int = 1_024, maximumSteps: Int = 50_000_000, maximumViolations: Int = 100,
        maximumSchemas: Int = 250_000
    ) {
        self.maximumDepth = maximumDepth
        self.maximumSteps = maximumSteps
        self.maximumViolations = maximumViolations
        self.maximumSchemas = maximumSchemas
    }

    /// The depth beyond which a limit has no effect, so that recursion always fits a thread's stack.
    static let deepestNesting = 1_536
}
