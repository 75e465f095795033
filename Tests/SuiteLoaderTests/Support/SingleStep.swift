import SuiteModel
import SuiteTestSupport
import Testing

/// Loads a suite with one test that has one exchange, and gives its step.
func loadStep(_ lines: String) throws -> SuiteStep {
    let indented = lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    let suite = try loadGood(
        "baseURL: http://localhost\nvariables: { x: 1, y: two }\ntests:\n  - name: a\n"
            + indented.joined(separator: "\n") + "\n")
    return try #require(suite.tests.first?.steps.first)
}

/// The request of the only step of a suite that has nothing else.
func loadRequest(_ lines: String) throws -> RequestSpec {
    try #require(loadStep(lines).request)
}
