import Testing

/// Mistakes in types of values, and the exact words that they are told with.
@Suite("Diagnostics of types of values")
struct TypesDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "a list instead of a string",
            suite: #"""
                name: [Book, shop]
                baseURL: http://localhost
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:7: error: expected a string, got a list [wrong-type]
                    1 │ name: [Book, shop]
                      │       ^^^^^^^^^^^^
                """#),
        BadSuite(
            "a number instead of a string",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: 404
                    request: GET /
                """#,
            expected: #"""
                a.yaml:3:11: error: expected a string, got an integer [wrong-type]
                    3 │   - name: 404
                      │           ^^^ write it in quotes: "404"
                """#),
        BadSuite(
            "a string instead of a list",
            suite: #"""
                baseURL: http://localhost
                tests: GET /
                """#,
            expected: #"""
                a.yaml:2:8: error: expected a list, got a string [wrong-type]
                    2 │ tests: GET /
                      │        ^^^^^
                """#),
        BadSuite(
            "nothing instead of a request",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request:
                """#,
            expected: #"""
                a.yaml:4:5: error: expected a string or a map, got nothing [wrong-type]
                    4 │     request:
                      │     ^^^^^^^
                """#),
        BadSuite(
            "a map instead of text",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: { url: /, headers: { Accept: { a: b } } }
                """#,
            expected: #"""
                a.yaml:4:43: error: expected text or a list, got a map [wrong-type]
                    4 │     request: { url: /, headers: { Accept: { a: b } } }
                      │                                           ^^^^^^^^
                """#),
        BadSuite(
            "an unknown mode",
            suite: #"""
                baseURL: http://localhost
                mode: serail
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:2:7: error: unknown value "serail" [unknown-value]
                    2 │ mode: serail
                      │       ^^^^^^ did you mean "serial"?
                """#),
        BadSuite(
            "a tag that is a number",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, tags: [smoke, 1], request: GET / }]
                """#,
            expected: #"""
                a.yaml:2:34: error: expected a string, got an integer [wrong-type]
                    2 │ tests: [{ name: a, tags: [smoke, 1], request: GET / }]
                      │                                  ^ write it in quotes: "1"
                """#),
        BadSuite(
            "several problems at once",
            suite: #"""
                nam: Bookshop
                baseURL: localhost:8080
                tests:
                  - name: a
                    request: get /
                    expect: { status: 20, json: { id: 1 } }
                """#,
            expected: #"""
                a.yaml:1:1: error: unknown key "nam" [unknown-key]
                    1 │ nam: Bookshop
                      │ ^^^ did you mean "name"?

                a.yaml:2:10: error: a baseURL begins with "http://" or "https://" [invalid-url]
                    2 │ baseURL: localhost:8080
                      │          ^^^^^^^^^^^^^^ write "http://localhost:8080"

                a.yaml:5:14: error: methods are case-sensitive [invalid-method]
                    5 │     request: get /
                      │              ^^^ write "GET"

                a.yaml:6:23: error: "20" is no status [invalid-status]
                    6 │     expect: { status: 20, json: { id: 1 } }
                      │                       ^^ write for example 200, 2xx or 200-204

                a.yaml:6:35: error: a JSONPath begins with "$" [invalid-jsonpath]
                    6 │     expect: { status: 20, json: { id: 1 } }
                      │                                   ^ write "$.id"
                """#),
    ]
}
