import Testing

/// Tests of errors in the graph of tests, with their exact messages.
@Suite("Test graph diagnostics")
struct GraphDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "a cycle of captures",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /${y}
                    capture: { x: $.x }
                  - name: b
                    request: GET /${x}
                    capture: { y: $.y }
                """#,
            expected: #"""
                a.yaml:3:11: error: tests depend on each other: "a" → "b" → "a" [dependency-cycle]
                    3 │   - name: a
                      │           ^
                a.yaml:3:11: note: "a" uses "y", which "b" captures
                    3 │   - name: a
                      │           ^
                a.yaml:6:11: note: "b" uses "x", which "a" captures
                    6 │   - name: b
                      │           ^
                """#),
        BadSuite(
            "a cycle of needs",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - { name: a, needs: c, request: GET / }
                  - { name: b, needs: a, request: GET / }
                  - { name: c, needs: [b], request: GET / }
                  - { name: d, needs: [a], request: GET / }
                """#,
            expected: #"""
                a.yaml:3:13: error: tests depend on each other: "a" → "c" → "b" → "a" [dependency-cycle]
                    3 │   - { name: a, needs: c, request: GET / }
                      │             ^
                a.yaml:3:13: note: "a" needs "c"
                    3 │   - { name: a, needs: c, request: GET / }
                      │             ^
                a.yaml:5:13: note: "c" needs "b"
                    5 │   - { name: c, needs: [b], request: GET / }
                      │             ^
                a.yaml:4:13: note: "b" needs "a"
                    4 │   - { name: b, needs: a, request: GET / }
                      │             ^
                """#),
        BadSuite(
            "a serial suite that depends on a later test",
            suite: #"""
                baseURL: http://localhost
                mode: serial
                tests:
                  - { name: a, request: "GET /${x}" }
                  - { name: b, request: GET /, capture: { x: $.x } }
                """#,
            expected: #"""
                a.yaml:4:13: error: tests depend on each other: "a" → "b" → "a" [dependency-cycle]
                    4 │   - { name: a, request: "GET /${x}" }
                      │             ^
                a.yaml:4:13: note: "a" uses "x", which "b" captures
                    4 │   - { name: a, request: "GET /${x}" }
                      │             ^
                a.yaml:5:13: note: "b" runs after "a" because the suite is serial
                    5 │   - { name: b, request: GET /, capture: { x: $.x } }
                      │             ^
                """#),
        BadSuite(
            "a test that depends on itself",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, needs: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:2:27: error: a test cannot depend on itself [dependency-cycle]
                    2 │ tests: [{ name: a, needs: a, request: GET / }]
                      │                           ^
                """#),
        BadSuite(
            "an unknown test in needs",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - { name: add a book, request: GET / }
                  - { name: b, needs: add a bok, request: GET / }
                """#,
            expected: #"""
                a.yaml:4:23: error: no test has the id or name "add a bok" [unknown-test]
                    4 │   - { name: b, needs: add a bok, request: GET / }
                      │                       ^^^^^^^^^ did you mean "add a book"?
                """#),
        BadSuite(
            "an ambiguous name in needs",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - { name: a, request: GET / }
                  - { name: a, request: GET / }
                  - { name: b, needs: a, request: GET / }
                """#,
            expected: #"""
                a.yaml:5:23: error: several tests are named "a" [ambiguous-test]
                    5 │   - { name: b, needs: a, request: GET / }
                      │                       ^ add an "id" to the one you mean
                a.yaml:3:13: note: one of them is here
                    3 │   - { name: a, request: GET / }
                      │             ^
                a.yaml:4:13: note: one of them is here
                    4 │   - { name: a, request: GET / }
                      │             ^
                """#),
        BadSuite(
            "a duplicate id",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - { name: a, id: x, request: GET / }
                  - { name: b, id: x, request: GET / }
                """#,
            expected: #"""
                a.yaml:4:20: error: duplicate test id "x" [duplicate-id]
                    4 │   - { name: b, id: x, request: GET / }
                      │                    ^
                a.yaml:3:20: note: the other one is here
                    3 │   - { name: a, id: x, request: GET / }
                      │                    ^
                """#),
    ]
}
