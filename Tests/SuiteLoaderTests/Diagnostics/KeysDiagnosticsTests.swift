import Testing

/// Mistakes in keys, and the exact words that they are told with.
@Suite("Diagnostics of keys")
struct KeysDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "an unknown key of a suite",
            suite: #"""
                nmae: Bookshop
                baseURL: http://localhost
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:1: error: unknown key "nmae" [unknown-key]
                    1 │ nmae: Bookshop
                      │ ^^^^ did you mean "name"?
                """#),
        BadSuite(
            "an unknown key of a request",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: add a book
                    request:
                      metod: POST
                      url: /books
                """#,
            expected: #"""
                a.yaml:5:7: error: unknown key "metod" [unknown-key]
                    5 │       metod: POST
                      │       ^^^^^ did you mean "method"?
                """#),
        BadSuite(
            "a key that is like none",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    wibble: 1
                    request: GET /
                """#,
            expected: #"""
                a.yaml:4:5: error: unknown key "wibble" [unknown-key]
                    4 │     wibble: 1
                      │     ^^^^^^ a test has the keys name, id, description, tags, skip, needs, lock, variables, request, expect, assert, capture, steps, continue
                """#),
        BadSuite(
            "keys that belong elsewhere",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: { url: /, expect: 200, body: x }
                    status: 200
                    expect: { assert: [true] }
                """#,
            expected: #"""
                a.yaml:4:24: error: unknown key "expect" [unknown-key]
                    4 │     request: { url: /, expect: 200, body: x }
                      │                        ^^^^^^ it stands beside "request"

                a.yaml:4:37: error: unknown key "body" [unknown-key]
                    4 │     request: { url: /, expect: 200, body: x }
                      │                                     ^^^^ write one of "json", "form", "text" or "file"

                a.yaml:5:5: error: unknown key "status" [unknown-key]
                    5 │     status: 200
                      │     ^^^^^^ it stands under "expect"

                a.yaml:6:15: error: unknown key "assert" [unknown-key]
                    6 │     expect: { assert: [true] }
                      │               ^^^^^^ it stands beside "expect"
                """#),
        BadSuite(
            "keys that are not supported yet",
            suite: #"""
                baseURL: http://localhost
                contract: openapi.yaml
                x-team: shop
                tests:
                  - name: a
                    x-owner: ada
                    retry: 2
                    request: { url: /, auth: none }
                    expect: { snapshot: true }
                """#,
            expected: #"""
                a.yaml:2:1: error: "contract" is not supported yet [unsupported-key]
                    2 │ contract: openapi.yaml
                      │ ^^^^^^^^ remove it for now

                a.yaml:7:5: error: "retry" is not supported yet [unsupported-key]
                    7 │     retry: 2
                      │     ^^^^^ remove it for now

                a.yaml:8:24: error: "auth" is not supported yet [unsupported-key]
                    8 │     request: { url: /, auth: none }
                      │                        ^^^^ remove it for now

                a.yaml:9:15: error: "snapshot" is not supported yet [unsupported-key]
                    9 │     expect: { snapshot: true }
                      │               ^^^^^^^^ remove it for now
                """#),
        BadSuite(
            "an extension where none is allowed",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: { url: /, x-note: hello }
                """#,
            expected: #"""
                a.yaml:4:24: error: unknown key "x-note" [unknown-key]
                    4 │     request: { url: /, x-note: hello }
                      │                        ^^^^^^ a request has the keys method, url, query, queryStyle, headers, cookies, json, form, text, file, contentType, timeout, redirects, maxBodySize
                """#),
        BadSuite(
            "a duplicate key",
            suite: #"""
                name: a
                name: b
                baseURL: http://localhost
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:2:1: error: the key "name" is given twice [duplicate-key]
                    2 │ name: b
                      │ ^^^^ the second "name"
                a.yaml:1:1: note: first given here
                    1 │ name: a
                      │ ^^^^
                """#),
    ]
}
