import Diagnostics
import SuiteLoader
import SuiteTestSupport
import Testing

@testable import SuiteLint

/// Tests of reported, disabled and allowed findings.
struct SuiteLinterTests {
    private static let suite = """
        baseURL: http://localhost
        # apitest: allow-file duplicate-name
        variables:
          a: 1 # apitest: allow unused-variable
          # apitest: allow unused-variable, shadowed-name (it is for a colleague)

          # and a comment more
          b: 2
          c: 3
        tests:
          - { name: x, request: GET / }
          - { name: x, request: GET / }
        """

    @Test func comments() {
        let diagnostics = SuiteLinter().lint(load(Self.suite)).diagnostics
        #expect(
            diagnostics.map { "\($0.range?.start.line ?? 0) \($0.id) \($0.message)" } == [
                "5 unused-allowance \"shadowed-name\" suppresses nothing here",
                "9 unused-variable the variable \"c\" is not used",
            ])
    }

    @Test func disabled() {
        let options = LintOptions(disabled: ["unused-variable", "unused-allowance"])
        #expect(SuiteLinter(options).lint(load(Self.suite)).diagnostics.isEmpty)
        // A comment for a rule that is not checked may still be effective.
        #expect(
            SuiteLinter(LintOptions(disabled: ["unused-variable", "shadowed-name"])).lint(load(Self.suite)).diagnostics
                .isEmpty)
    }

    @Test func unknownRuleInAComment() throws {
        let suite =
            "baseURL: http://localhost\ntests: # apitest: allow unused-capure\n  - { name: x, request: GET / }\n"
        let diagnostic = try #require(SuiteLinter().lint(load(suite)).diagnostics.first)
        #expect(diagnostic.id == "unused-allowance")
        #expect(diagnostic.message == "unknown rule \"unused-capure\"")
        #expect(diagnostic.suggestion == "did you mean \"unused-capture\"?")
        #expect(diagnostic.range?.text == "unused-capure")
    }

    /// Suites with an error are not linted.
    @Test func errorsComeFirst() {
        let suite = "baseURL: http://localhost\nvariables: { a: 1 }\ntests: [{ name: x, requst: GET / }]\n"
        #expect(SuiteLinter().lint(load(suite)).diagnostics.map(\.id) == ["unknown-key"])
    }

    /// Warnings of the loader are reported too, and can be silenced like others.
    @Test func warningsOfLoading() {
        func suite(_ comment: String) -> String {
            "baseURL: http://localhost\nsecrets: [nothing]\(comment)\ntests: [{ name: x, request: GET / }]\n"
        }
        #expect(SuiteLinter().lint(load(suite(""))).diagnostics.map(\.id) == ["unknown-secret"])
        #expect(SuiteLinter(LintOptions(disabled: ["unknown-secret"])).lint(load(suite(""))).diagnostics.isEmpty)
        #expect(SuiteLinter().lint(load(suite(" # apitest: allow unknown-secret"))).diagnostics.isEmpty)
    }

    /// Columns and loop names are masked like variables.
    @Test(arguments: [
        "name: x, cases: [{ key: abcdef }, { key: ghijkl }], request: \"GET /${key}\"",
        "name: x, steps: [{ forEach: { in: [a, b], as: key }, request: \"GET /${key}\" }]",
        "name: x, steps: [{ forEach: { in: [a, b], index: key }, request: \"GET /${key}\" }]",
    ])
    func secretsOfRowsAndLoops(test: String) {
        let suite = "baseURL: http://localhost\nsecrets: [key]\ntests: [{ \(test) }]\n"
        let found = SuiteLinter().lint(load(suite)).diagnostics.map(\.id)
        #expect(!found.contains("unknown-secret"))
    }

    /// Each document in a file is linted separately.
    @Test func documents() {
        let document = "baseURL: http://localhost\nvariables: { a: 1 }\ntests: [{ name: x, request: GET / }]\n"
        let diagnostics = SuiteLinter().lint(load(document + "---\n" + document)).diagnostics
        #expect(diagnostics.map { $0.range?.start.line } == [2, 6])
    }

    @Test func secretsAreHandedOut() {
        let suite =
            "baseURL: https://api.example.org\ntests: [{ name: x, request: { url: /, auth: { bearer: q7w8e9r0t1y2 } } }]\n"
        #expect(SuiteLinter().lint(load(suite)).secrets == ["q7w8e9r0t1y2"])
    }

    @Test func rulesHaveNamesOfTheirOwn() {
        #expect(Set(LintRules.names).count == LintRules.names.count)
        for name in LintRules.names {
            #expect(name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x61...0x7A).contains($0) }, "\(name)")
        }
    }
}
