import CEL
import Diagnostics
import SuiteModel
import SuiteTestSupport
import Testing

/// Tests of the locations of expressions that fail during the run.
@Suite("Locations of failing expressions")
struct TemplateErrorLocationTests {
    private struct NoVariables: CELScope {
        func value(of name: String) throws(CELEvaluationError) -> CELValue? { nil }
    }

    /// Returns the text at the error location in the only assertion of a step.
    private func failingText(_ yaml: String) throws -> String {
        let step = try loadStep(yaml)
        let assertion = try #require(step.expectations.assertions.first)
        let error = #expect(throws: TemplateError.self) {
            try assertion.value(in: NoVariables(), context: CELContext())
        }
        return try #require(error).range.text
    }

    @Test(
        "The failing subexpression on one line is located",
        arguments: [
            ("assert: 1 + 2 == 3 / 0", "3 / 0"), ("assert: ['1 + 2 == 3 / 0']", "3 / 0"),
            ("assert: [\"${true && 1 % 0 == 1}\"]", "1 % 0"), ("assert: ['size(\"ä\") == int(\"x\")']", "int(\"x\")"),
        ])
    func subexpression(yaml: String, expected: String) throws {
        #expect(try failingText("request: GET /\n" + yaml) == expected)
    }

    @Test("An expression that differs from its text in the file is located as a whole")
    func escaped() throws {
        #expect(try failingText("request: GET /\nassert: [\"1 / 0 == size('\\x61')\"]").hasPrefix("1 / 0 =="))
        #expect(try failingText("request: GET /\nassert: |\n  1 / 0\n    == 2").contains("\n"))
    }
}
