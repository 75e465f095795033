import SuiteModel

/// Reports tests that expect nothing.
enum NoExpectation: LintCheck {
    static let rule = LintRule(
        "no-expectation", "A test that expects nothing, so that any status below 400 passes", isOnByDefault: false)

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        for test in subject.suite.tests where test.kind == .test && test.skip == nil {
            let isPlain = test.steps.allSatisfy { step in
                step.request != nil && step.expectations.isDefault && step.captures.isEmpty
                    && step.flow?.value.until == nil && step.webSocket == nil
            }
            guard isPlain, !test.steps.isEmpty else { continue }
            report(
                LintFinding(
                    message: "the test expects nothing: any status below 400 passes", range: test.range,
                    suggestion: "add \"expect\" or \"assert\""))
        }
    }
}
