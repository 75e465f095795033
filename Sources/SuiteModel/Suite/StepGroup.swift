public import Diagnostics

/// The steps of a group, which directly follow the group's own step in the list of all steps.
///
/// The list is flat, so that code that looks at every step needs to know nothing of groups.
public struct StepGroup: Sendable {
    /// The maximum nesting depth of groups.
    public static let maximumDepth = 8

    /// The number of steps that belong to the group, including those of groups within it.
    public var count: Int

    /// Creates a group.
    public init(count: Int) {
        self.count = count
    }
}

/// The repetition of a step or a group as long as a condition holds after it.
public struct WhileRule: Sendable {
    /// The maximum number of iterations of a rule that does not set one.
    public static let standardTimes = 100
    /// The maximum number of iterations that a rule can allow.
    public static let maximumTimes = 10_000

    /// The condition for another iteration, evaluated after each one with its captures.
    public var condition: EmbeddedExpression
    /// The maximum number of iterations; if the condition still holds after them, the step fails.
    public var times: Templated<Int>
    /// The source range of the key.
    public var range: SourceRange

    /// Creates a rule.
    public init(condition: EmbeddedExpression, times: Templated<Int> = .constant(standardTimes), range: SourceRange) {
        self.condition = condition
        self.times = times
        self.range = range
    }
}

extension [SuiteStep] {
    /// Returns whether a group that satisfies a condition contains the step at an index.
    public func hasGroup(around index: Int, where condition: (SuiteStep) -> Bool) -> Bool {
        for position in indices.prefix(index) {
            guard let group = self[position].group, index <= position + group.count else { continue }
            if condition(self[position]) { return true }
        }
        return false
    }
}
