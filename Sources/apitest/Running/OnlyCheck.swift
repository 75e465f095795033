import Diagnostics
import SuiteModel

/// Refuses a run of which `only` would leave tests out where nobody looks on.
enum OnlyCheck {
    /// What is wrong with running suites where the environment says that this is a service of continuous integration.
    static func problems(of suites: [Suite], environment: [String: String]) -> [Diagnostic] {
        guard let value = environment["CI"], !["", "0", "false"].contains(value) else { return [] }
        return suites.flatMap { suite in
            suite.tests.filter(\.isOnly).map { test in
                Diagnostic(
                    id: "only-in-ci",
                    message: "\"only\" of the test \"\(test.name)\" leaves out other tests, where CI is set",
                    range: test.range, suggestion: "remove \"only\", or allow it with --allow-only")
            }
        }
    }
}
