import Testing

@testable import SuiteLint

/// Tests of the rules about names, with groups of steps, loops with conditions, and cleanups.
struct GroupRuleTests {
    @Test(arguments: [
        LintCase(
            "captures that the next iteration, the condition, a later step and the cleanup use",
            """
            baseURL: http://localhost
            tests:
              - name: a
                variables: { next: /a, items: [] }
                steps:
                  - while: next != null
                    steps:
                      - { request: "GET ${next}", capture: { id: $.id } }
                      - { request: "GET /${id}", capture: { next: $.next, items: "${items + [id]}" } }
                  - { request: POST /b, capture: { last: $.id } }
                finally:
                  - { request: "DELETE /${last}" }
            """),
        LintCase(
            "captures that nothing uses, in a group and in a cleanup",
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps:
                  - steps:
                      - { request: GET /a, capture: { id: $.id } }
                finally:
                  - { request: DELETE /a, capture: { gone: $.id } }
            """, "6:43 the capture \"id\" is not used", "8:42 the capture \"gone\" is not used"),
    ])
    func unusedCapture(_ test: LintCase) throws {
        #expect(try test.findings(of: "unused-capture") == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "a variable of a group that its steps and its condition use",
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps:
                  - variables: { a: 1, b: 2, c: 3 }
                    until: { assert: n == b }
                    steps:
                      - { request: "GET /${a}", capture: { n: $.n } }
                  - { request: GET / }
            """, "5:34 the variable \"c\" is not used"),
        LintCase(
            "a variable of a group that only a later step names",
            """
            baseURL: http://localhost
            variables: { a: 1 }
            tests:
              - name: a
                steps:
                  - variables: { a: 2 }
                    steps: [{ request: GET / }]
                  - { request: "GET /${a}" }
            """, "6:22 the variable \"a\" is not used"),
    ])
    func unusedVariable(_ test: LintCase) throws {
        #expect(try test.findings(of: "unused-variable") == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "a variable that is the value of the first iteration",
            """
            baseURL: http://localhost
            tests:
              - name: a
                variables: { next: /a }
                request: GET ${next}
                while: next != null
                capture: { next: $.next }
              - name: b
                steps:
                  - request: GET ${next}
                    variables: { next: /b }
                    while: next != null
                    capture: { next: $.next }
            """),
        LintCase(
            "a variable that a capture hides without a loop",
            """
            baseURL: http://localhost
            tests:
              - name: a
                variables: { next: /a }
                steps: [{ request: "GET ${next}", capture: { next: $.next } }, { request: "GET ${next}" }]
            """, "4:18 the capture \"next\" hides the test's variable of the same name"),
    ])
    func shadowedName(_ test: LintCase) throws {
        #expect(try test.findings(of: "shadowed-name") == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "`continue` of the last step, although a cleanup follows",
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps:
                  - { request: GET /, continue: true }
                  - { steps: [{ request: GET /, continue: true }, { request: GET / }], continue: true }
                finally: [{ request: GET / }]
            """, "6:76 \"continue\" has no effect: no step follows")
    ])
    func noEffect(_ test: LintCase) throws {
        #expect(try test.findings(of: "no-effect") == test.expected)
    }
}
