import CEL
import SuiteModel

/// Reports conditions that do not depend on anything.
enum ConstantCondition: LintCheck {
    static let rule = LintRule("constant-condition", "An `if` that is always true, or always false")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        for test in subject.suite.tests {
            check(test.condition, "the test", report)
            for step in test.steps { check(step.flow?.value.condition, "the step", report) }
        }
    }

    private static func check(_ condition: EmbeddedExpression?, _ what: String, _ report: (LintFinding) -> Void) {
        guard let condition, let value = condition.expression.constantValue else { return }
        let isTrue = if case .bool(true) = value { true } else { false }
        report(
            LintFinding(
                message: isTrue ? "the condition is always true" : "\(what) never runs: the condition is never true",
                range: condition.range, suggestion: isTrue ? "remove it" : "write \"skip\" with a reason"))
    }
}
