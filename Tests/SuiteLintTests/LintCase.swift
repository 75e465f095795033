import Diagnostics
import SuiteLint
import SuiteLoader
import SuiteTestSupport
import Testing

/// A suite and the expected findings of a lint rule.
struct LintCase: CustomTestStringConvertible, Sendable {
    let name: String
    let suite: String
    /// Each finding as `line:column message`.
    let expected: [String]

    init(_ name: String, _ suite: String, _ expected: String...) {
        self.name = name
        self.suite = suite
        self.expected = expected
    }

    var testDescription: String { name }

    /// Returns the findings of a rule. The suite must not have any other diagnostics.
    func findings(of rule: String) throws -> [String] {
        let result = load(suite)
        try #require(!result.hasErrors, "\(TextRenderer(color: false).render(result.diagnostics))")
        let diagnostics = SuiteLinter(LintOptions(enabled: [rule])).lint(result).diagnostics
        return diagnostics.filter { $0.id == rule }.map { diagnostic in
            let start = diagnostic.range?.start
            return "\(start?.line ?? 0):\(start?.column ?? 0) \(diagnostic.message)"
        }
    }
}
