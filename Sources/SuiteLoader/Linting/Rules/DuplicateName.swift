import Diagnostics
import SuiteModel

/// Reports tests of a suite, and steps of a test, that have the same name.
enum DuplicateName: LintCheck {
    static let rule = LintRule("duplicate-name", "Two tests of a suite, or two steps of a test, with one name")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        var tests: [String: SourceRange] = [:]
        for test in subject.suite.tests where test.kind == .test {
            // A name that is made for each row says what differs.
            if ExpressionScan.mayHoldExpression(test.name[...]) { continue }
            if let first = tests[test.name], first.start != test.range.start {
                report(finding("two tests are named", test.name, test.range, first))
            } else {
                tests[test.name] = test.range
            }
        }
        for test in subject.suite.tests {
            var steps: [String: SourceRange] = [:]
            for step in test.steps {
                guard let name = step.name else { continue }
                if let first = steps[name], first.start != step.range.start {
                    report(finding("two steps of the test are named", name, step.range, first))
                } else {
                    steps[name] = step.range
                }
            }
        }
    }

    private static func finding(
        _ words: String, _ name: String, _ range: SourceRange, _ first: SourceRange
    ) -> LintFinding {
        LintFinding(
            message: "\(words) \"\(name)\", which reports cannot tell apart", range: range,
            related: [Diagnostic.Related(message: "the first one is here", range: first)],
            suggestion: "say in the name what differs")
    }
}
