import Testing

@testable import SuiteLint

/// Tests of the rules in the presence of rows, conditions, loops, setup, teardown and fragments.
struct FlowRuleTests {
    /// Returns the findings of all rules in a suite, each with the ID of its rule.
    private static func findings(_ suite: String) throws -> [String] {
        let test = LintCase("", suite)
        return try LintRules.all.map(\.id).filter { $0 != "no-expectation" }.flatMap { rule in
            try test.findings(of: rule).map { "\(rule) \($0)" }
        }
    }

    @Test(arguments: [
        LintCase(
            "columns, loops and matrices are used",
            """
            baseURL: http://localhost
            variables: { shelf: 1 }
            tests:
              - name: add ${title} to ${place}
                id: add
                cases: [{ title: Dune }, { title: Emma }]
                matrix: { place: ["${shelf}", 2] }
                request: { method: PUT, url: "/books/${title}" }
                capture: { added: $.id }
              - name: read them
                needs: add
                forEach: { in: "${added}", as: book }
                request: GET /books/${book}
            """),
        LintCase(
            "the words of the schemas of generated columns are not names",
            """
            baseURL: http://localhost
            variables: { rows: 4, integer: 1 }
            tests:
              - name: a
                cases: { generate: { id: { schema: { type: integer } } }, count: "${rows}" }
                request: GET /books/${id}
            """, "unused-variable 2:23 the variable \"integer\" is not used"),
        LintCase(
            "each row is its own resource",
            """
            baseURL: http://localhost
            tests:
              - name: change ${id}
                cases: [{ id: 1 }]
                request: PUT /books/${id}
              - name: read ${id}
                cases: [{ id: 2 }]
                request: GET /books/${id}
            """),
        LintCase(
            "a loop may use its captures",
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps:
                  - { request: GET /a, forEach: [1, 2], capture: { a: $.id } }
                  - { request: GET /b, continue: true, forEach: [1, 2], assert: size(a) == 2 }
            """),
        LintCase(
            "captures of the setup that the teardown uses",
            """
            baseURL: http://localhost
            setup:
              - { request: POST /sessions, capture: { token: $.token, id: $.id, other: $.other } }
            tests:
              - { name: a, request: "GET /a?token=${token}", capture: { made: $.id } }
            teardown:
              - { request: "DELETE /sessions/${id}" }
              - { request: "DELETE /a/${made}" }
            """, "unused-capture 3:69 the capture \"other\" is not used"),
        LintCase(
            "constant conditions",
            """
            baseURL: http://localhost
            tests:
              - { name: a, if: "1 == 1", request: GET /a }
              - { name: b, if: "false", request: GET /b }
              - { name: c, if: "env('CI', '') == ''", request: GET /c }
            """,
            "constant-condition 3:21 the condition is always true",
            "constant-condition 4:21 the test never runs: the condition is never true"),
        LintCase(
            "a test that prevents others from running",
            """
            baseURL: http://localhost
            tests:
              - { name: a, only: true, request: GET /a }
              - { name: b, request: GET /b }
            """, "focused-test 3:16 tests without \"only\" do not run"),
        LintCase(
            "a poll whose expectation always holds",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: GET /a, until: { json: { $.items: { length: { gte: 0 } } }, within: 1s } }
            """, "never-fails 3:69 every length is at least 0"),
    ])
    func flow(_ test: LintCase) throws {
        let findings = try Self.findings(test.suite)
        #expect(findings == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "a loop that uses its own capture",
            """
            baseURL: http://localhost
            tests:
              - name: pages
                steps:
                  - { request: GET /a, capture: { next: $.next } }
                  - forEach: [1, 2]
                    request: { url: /a, query: { after: "${next}" } }
                    capture: { next: $.next }
            """, "8:20 each iteration uses \"next\" as it was before the loop"),
        LintCase(
            "a loop over a group that captures at its end",
            """
            baseURL: http://localhost
            tests:
              - name: pages
                variables: { next: null }
                steps:
                  - forEach: [1, 2]
                    steps:
                      - request: { url: /a, query: { after: "${next}" } }
                      - { request: GET /b, capture: { next: $.next } }
            """, "9:43 each iteration uses \"next\" as it was before the loop"),
        LintCase(
            "captures that the same iteration uses, a loop over its own name, and a repetition",
            """
            baseURL: http://localhost
            variables: { ids: [1], next: null }
            tests:
              - name: a
                steps:
                  - forEach: [1, 2]
                    steps:
                      - { request: POST /a, capture: { id: $.id } }
                      - { request: "GET /a/${id}" }
                  - { forEach: "${ids}", request: GET /b, capture: { ids: $.id } }
                  - { forEach: [1], request: GET /c, capture: { seen: $.id }, assert: seen > 0 }
              - name: b
                request: { url: /a, query: { after: "${next}" } }
                capture: { next: $.next }
                while: next != null
            """),
    ])
    func unchangedCapture(_ test: LintCase) throws {
        #expect(try test.findings(of: "unchanged-capture") == test.expected)
    }
}
