import Testing

@testable import SuiteLint

/// Tests of the rules about fragments.
struct FragmentRuleTests {
    @Test(arguments: [
        LintCase(
            "an unused fragment",
            """
            baseURL: http://localhost
            fragments:
              login: { outputs: [token], steps: [{ request: POST /login, capture: { token: $.token } }] }
              logout: { steps: [{ request: POST /logout }] }
            tests:
              - { name: a, steps: [{ call: login }, { request: "GET /a?token=${token}" }] }
            """, "4:3 the fragment \"logout\" is never called"),
        LintCase(
            "a fragment that another fragment calls",
            """
            baseURL: http://localhost
            fragments:
              all: { steps: [{ call: one }] }
              one: { steps: [{ request: GET /one }] }
            tests: [{ name: a, call: all }]
            """),
    ])
    func unusedFragment(_ test: LintCase) throws {
        let findings = try test.findings(of: "unused-fragment")
        #expect(findings == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "captures of a fragment are used by its steps and outputs, not by its caller",
            """
            baseURL: http://localhost
            fragments:
              login:
                outputs: { session: "${id}" }
                steps:
                  - { request: POST /login, capture: { id: $.id, key: $.key, lost: $.lost } }
                  - { request: "GET /session?key=${key}" }
            tests:
              - { name: a, steps: [{ call: login, capture: { mine: "${session}" } }, { request: "GET /${mine}" }] }
            """, "6:66 the capture \"lost\" is not used")
    ])
    func unusedCapture(_ test: LintCase) throws {
        let findings = try test.findings(of: "unused-capture")
        #expect(findings == test.expected)
    }
}
