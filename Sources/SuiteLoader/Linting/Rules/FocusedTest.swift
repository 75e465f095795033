import SuiteModel
import YAML

/// Reports tests that keep all others from running.
enum FocusedTest: LintCheck {
    static let rule = LintRule("focused-test", "A test with `only`, which keeps the others from running")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        for unit in subject.names.units where unit.kind == .test {
            guard let key = unit.node.mapping?.keyNode("only"), unit.node["only"]?.isTrue == true else { continue }
            report(
                LintFinding(
                    message: "the tests without \"only\" do not run", range: key.range,
                    suggestion: "remove it before the suite is committed"))
        }
    }
}
