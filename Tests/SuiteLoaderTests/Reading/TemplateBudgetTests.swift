import Basics
import CEL
import Diagnostics
import JSON
import SuiteModel
import SuiteTestSupport
import Testing

/// Tests of the size limits for values with expressions.
@Suite("Template limits")
struct TemplateBudgetTests {
    private struct Values: CELScope {
        var values: [String: CELValue]

        func value(of name: String) throws(CELEvaluationError) -> CELValue? { values[name] }
    }

    /// Returns the value of a variable in a suite, where `a` and `name` are defined.
    private func value(_ variable: String, _ a: CELValue) throws -> JSONValue {
        let suite = try loadGood(
            "variables: { a: 1, name: Ada, v: \(variable) }\ntests: [{ name: a, request: GET http://a/ }]\n")
        let template = try #require(suite.variables.last?.value)
        return try template.json(in: Values(values: ["a": a, "name": .string("Ada")]), context: CELContext())
    }

    @Test("The size of strings is limited", arguments: ["'${a}${a}'", "['${a}', '${a}']", "{ x: '${a}', y: '-${a}' }"])
    func text(variable: String) throws {
        let text = String(repeating: "x", count: 40 << 20)
        let error = #expect(throws: TemplateError.self) { try value(variable, .string(text)) }
        #expect(error?.message == "the value exceeds 64 MiB of text; insert fewer or shorter strings")
        #expect(error?.range.text == "a")
    }

    @Test("The number of elements is limited")
    func elements() throws {
        let list = JSONValue.array(Array(repeating: .array(Array(repeating: .null, count: 1_000)), count: 6_000))
        #expect(throws: TemplateError.self) { try value("['${a}', '${a}']", CELValue(list)) }
        #expect(try value("['${a}']", CELValue(list)).arrayValue?.count == 1)
    }

    @Test("Keys that become equal are rejected")
    func keys() throws {
        let error = #expect(throws: TemplateError.self) { try value("{ 'k${name}': 1, kAda: 2 }", .null) }
        #expect(
            error?.message == "the keys \"k${name}\" and \"kAda\" are both \"kAda\"; rename one of them")
        #expect(error?.range.text == "name")
        #expect(try value("{ 'k${name}': 1, kBob: 2 }", .null).objectValue?.count == 2)
    }
}
