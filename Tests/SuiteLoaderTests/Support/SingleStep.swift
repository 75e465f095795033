import SuiteModel
import SuiteTestSupport
import Testing

/// Loads a suite with one test of one exchange, and returns its step.
func loadStep(_ lines: String) throws -> SuiteStep {
    let indented = lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    let suite = try loadGood(
        "baseURL: http://localhost\nvariables: { x: 1, y: two }\ntests:\n  - name: a\n"
            + indented.joined(separator: "\n") + "\n")
    return try #require(suite.tests.first?.steps.first)
}

/// Returns the request of the only step in a suite.
func loadRequest(_ lines: String) throws -> RequestSpec {
    try #require(loadStep(lines).request)
}
