import SuiteModel
import YAML

/// Reports keys that change nothing where they stand.
enum NoEffect: LintCheck {
    static let rule = LintRule("no-effect", "A key that changes nothing where it stands")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        if let retry = subject.root["defaults"]?["retry"] { check(retry: retry, report) }
        for unit in subject.names.units {
            if unit.hasSteps, let retry = unit.node["retry"] { check(retry: retry, report) }
            for (index, step) in unit.steps.enumerated() {
                if let retry = step["retry"] { check(retry: retry, report) }
                guard index == unit.steps.count - 1, step["forEach"] == nil,
                    let key = step.mapping?.keyNode("continue"), step["continue"]?.isTrue == true
                else { continue }
                report(
                    LintFinding(
                        message: "\"continue\" changes nothing: no step follows", range: key.range,
                        suggestion: "remove it; the test fails all the same when the step does"))
            }
        }
    }

    private static func check(retry: YAMLNode, _ report: (LintFinding) -> Void) {
        guard let mapping = retry.mapping, let times = mapping["times"]?.scalar?.text else { return }
        for (key, value) in mapping {
            guard let name = key.scalar?.text, name != "times" else { continue }
            let reason: String? =
                switch name {
                case _ where times == "0": "nothing is tried again"
                case "backoff" where value.scalar?.text == RetryRule.Backoff.exponential.rawValue && times == "1":
                    "there is one retry, and no wait after it"
                default: nil
                }
            guard let reason else { continue }
            report(
                LintFinding(
                    message: "\"\(name)\" changes nothing: \(reason)", range: key.range,
                    suggestion: times == "0" ? "write \"retry: 0\"" : "remove it, or add what it changes"))
        }
    }
}
