import CEL
import Diagnostics
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("Status matchers") struct StatusMatcherTests {
    private func messages(status matcher: Matcher, _ actual: Int) -> [String] {
        let status = ExpectationSet.Status(pattern: .matcher(matcher), text: "", range: Fixture.range())
        return Fixture.check(ExpectationSet(status: status, isDefault: false), Fixture.exchange(status: actual))
            .map(\.message)
    }

    @Test(
        arguments: [
            (.not(Fixture.matcher(.equal("5xx"), domain: .status)), 404, 503, "expected anything but 5xx, got 503"),
            (
                .not(Fixture.matcher(.oneOf([.constant("2xx"), .constant(404)]), domain: .status)), 500, 201,
                "expected none of 2xx, 404, got 201 (integer)"
            ),
            (
                .oneOf([.constant("200-204"), .constant(404)]), 203, 205,
                "expected one of 200-204, 404, got 205 (integer)"
            ),
            (
                .either([
                    Fixture.matcher(.equal("2xx"), domain: .status), Fixture.matcher(.equal("5xx"), domain: .status),
                ]), 500, 404, "expected one of 2 alternatives to match, got 404 (integer)"
            ),
            (.equal("5xx"), 599, 600, "expected 5xx, got 600"),
            (.equal(404), 404, 405, "expected 404 (integer), got 405 (integer)"),
        ] as [(Matcher.Operator, Int, Int, String)])
    func classesInStatusMatchers(_ operator: Matcher.Operator, _ right: Int, _ wrong: Int, _ message: String) {
        let matcher = Fixture.matcher(`operator`, domain: .status)
        #expect(messages(status: matcher, right).isEmpty)
        #expect(messages(status: matcher, wrong) == [message])
    }

    @Test(
        arguments: [
            ("'2xx'", 204, "expected 2xx, got 500"), ("'204'", 204, "expected 204 (integer), got 500 (integer)"),
            ("[200, '204-206']", 205, "expected 200 or 204-206, got 500"),
            ("204", 204, "expected 204 (integer), got 500 (integer)"),
            ("'OK'", nil, #"expected a status such as 200, 2xx or 200-204, got "OK" (string)"#),
            ("[200, null]", nil, "expected a status such as 200, 2xx or 200-204, got null"),
            ("[]", nil, "expected a status such as 200, 2xx or 200-204, got [] (array)"),
        ] as [(String, Int?, String)])
    func expressionsGiveStatuses(_ expression: String, _ right: Int?, _ message: String) throws {
        let matcher = Fixture.matcher(.equals(.template(try Fixture.template(expression))), domain: .status)
        if let right { #expect(messages(status: matcher, right).isEmpty) }
        #expect(messages(status: matcher, 500) == [message])
    }

    @Test func statusesHaveNoOrderWithClasses() throws {
        let inner = Fixture.matcher(.lt(.template(try Fixture.template("'5xx'"))), domain: .status)
        let matcher = Fixture.matcher(.not(inner), domain: .status)
        #expect(messages(status: matcher, 200) == [#"lt requires a number, got "5xx" (string)"#])
    }
}
