import Testing

/// Tests of errors in keys, with their exact messages.
@Suite("Key diagnostics")
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
            "a key without a similar one",
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
                      │     ^^^^^^ a test has the keys name, id, description, owner, tags, skip, xfail, only, if, needs, lock, cookieJar, cases, matrix, repeat, variables, request, run, call, with, once, expect, assert, capture, websocket, save, print, verbose, steps, finally, retry, until, delay, forEach, while, timeout, continue
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
                      │                        ^^^^^^ it belongs next to "request"

                a.yaml:4:37: error: unknown key "body" [unknown-key]
                    4 │     request: { url: /, expect: 200, body: x }
                      │                                     ^^^^ write one of "json", "form", "multipart", "text" or "file"

                a.yaml:5:5: error: unknown key "status" [unknown-key]
                    5 │     status: 200
                      │     ^^^^^^ it belongs under "expect"

                a.yaml:6:15: error: unknown key "assert" [unknown-key]
                    6 │     expect: { assert: [true] }
                      │               ^^^^^^ it belongs next to "expect"
                """#),
        BadSuite(
            "an extension that is not allowed",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: { url: /, x-note: hello }
                """#,
            expected: #"""
                a.yaml:4:24: error: unknown key "x-note" [unknown-key]
                    4 │     request: { url: /, x-note: hello }
                      │                        ^^^^^^ a request has the keys method, url, query, queryStyle, headers, cookies, json, form, multipart, text, xml, graphql, file, base64, contentType, compress, auth, timeout, redirects, maxBodySize, http, tls, proxy, unixSocket, resolve, trace, stream
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
                a.yaml:2:1: error: duplicate key "name" [duplicate-key]
                    2 │ name: b
                      │ ^^^^ the second "name"
                a.yaml:1:1: note: first defined here
                    1 │ name: a
                      │ ^^^^
                """#),
        BadSuite(
            "keys near required ones",
            suite: #"""
                baseUrl: http://localhost
                serve: { comand: [a] }
                tests:
                  - name: a
                    requst: GET /
                  - name: b
                    url: /
                  - name: c
                    step: [{ request: GET / }]
                  - nam: d
                    request: GET /
                  - name: e
                    request: { method: GET, path: / }
                    capture: { id: { jsno: $.id }, x: { json: 5 } }
                  - name: f
                    steps: [{ call: login }, { requets: GET / }]
                """#,
            expected: #"""
                a.yaml:1:1: error: unknown key "baseUrl" [unknown-key]
                    1 │ baseUrl: http://localhost
                      │ ^^^^^^^ did you mean "baseURL"?

                a.yaml:2:10: error: unknown key "comand" [unknown-key]
                    2 │ serve: { comand: [a] }
                      │          ^^^^^^ did you mean "command"?

                a.yaml:5:5: error: unknown key "requst" [unknown-key]
                    5 │     requst: GET /
                      │     ^^^^^^ did you mean "request"?

                a.yaml:7:5: error: unknown key "url" [unknown-key]
                    7 │     url: /
                      │     ^^^ it belongs under "request"

                a.yaml:9:5: error: unknown key "step" [unknown-key]
                    9 │     step: [{ request: GET / }]
                      │     ^^^^ did you mean "steps"?

                a.yaml:10:5: error: unknown key "nam" [unknown-key]
                   10 │   - nam: d
                      │     ^^^ did you mean "name"?

                a.yaml:13:29: error: unknown key "path" [unknown-key]
                   13 │     request: { method: GET, path: / }
                      │                             ^^^^ did you mean "url"?

                a.yaml:14:22: error: unknown key "jsno" [unknown-key]
                   14 │     capture: { id: { jsno: $.id }, x: { json: 5 } }
                      │                      ^^^^ did you mean "json"?

                a.yaml:14:47: error: "json" must be a string, got an integer [wrong-type]
                   14 │     capture: { id: { jsno: $.id }, x: { json: 5 } }
                      │                                               ^ quote it: "5"

                a.yaml:16:21: error: unknown fragment "login" [unknown-fragment]
                   16 │     steps: [{ call: login }, { requets: GET / }]
                      │                     ^^^^^ define it under "fragments", or include its file under "use"

                a.yaml:16:32: error: unknown key "requets" [unknown-key]
                   16 │     steps: [{ call: login }, { requets: GET / }]
                      │                                ^^^^^^^ did you mean "request"?
                """#),
        BadSuite(
            "a baseURL near another key",
            suite: #"""
                baseUrl: http://localhost
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:1: error: unknown key "baseUrl" [unknown-key]
                    1 │ baseUrl: http://localhost
                      │ ^^^^^^^ did you mean "baseURL"?
                """#),
        BadSuite(
            "a suite with misspelled tests",
            suite: #"""
                test: [{ name: a, request: GET http://localhost }]
                """#,
            expected: #"""
                a.yaml:1:1: error: unknown key "test" [unknown-key]
                    1 │ test: [{ name: a, request: GET http://localhost }]
                      │ ^^^^ did you mean "tests"?
                """#),
    ]
}
