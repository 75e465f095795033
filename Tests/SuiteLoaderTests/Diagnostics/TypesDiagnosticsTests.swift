import Testing

/// Tests of errors in types of values, with their exact messages.
@Suite("Type diagnostics")
struct TypesDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "a sequence instead of a string",
            suite: #"""
                name: [Book, shop]
                baseURL: http://localhost
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:7: error: "name" must be a string, got a sequence [wrong-type]
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
                a.yaml:3:11: error: "name" must be a string, got an integer [wrong-type]
                    3 │   - name: 404
                      │           ^^^ quote it: "404"
                """#),
        BadSuite(
            "a string instead of a sequence",
            suite: #"""
                baseURL: http://localhost
                tests: GET /
                """#,
            expected: #"""
                a.yaml:2:8: error: "tests" must be a sequence, got a string [wrong-type]
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
                a.yaml:4:5: error: "request" must be a string or a mapping, got nothing [wrong-type]
                    4 │     request:
                      │     ^^^^^^^
                """#),
        BadSuite(
            "a mapping instead of text",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: { url: /, headers: { Accept: { a: b } } }
                """#,
            expected: #"""
                a.yaml:4:43: error: "Accept" must be a string or a sequence, got a mapping [wrong-type]
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
                      │                                  ^ quote it: "1"
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

                a.yaml:2:10: error: "baseURL" must start with "http://" or "https://" [invalid-url]
                    2 │ baseURL: localhost:8080
                      │          ^^^^^^^^^^^^^^ write "http://localhost:8080"

                a.yaml:5:14: error: methods are case-sensitive [invalid-method]
                    5 │     request: get /
                      │              ^^^ write "GET"

                a.yaml:6:23: error: "20" is not a status [invalid-status]
                    6 │     expect: { status: 20, json: { id: 1 } }
                      │                       ^^ for example, write 200, 2xx or 200-204

                a.yaml:6:35: error: a JSONPath must start with "$" [invalid-jsonpath]
                    6 │     expect: { status: 20, json: { id: 1 } }
                      │                                   ^ write "$.id"
                """#),
        BadSuite(
            "sequences and strings instead of mappings",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request:
                      url: /
                      headers:
                        - "Accept: text/plain"
                      query: page=1
                      cookies: [a]
                    expect:
                      headers: [Content-Type]
                      json:
                        - $.a
                    capture: [a]
                """#,
            expected: #"""
                a.yaml:7:9: error: "headers" must be a mapping, got a sequence [wrong-type]
                    7 │         - "Accept: text/plain"
                      │         ^^^^^^^^^^^^^^^^^^^^^^ write "name: value", without "-"

                a.yaml:8:14: error: "query" must be a mapping, got a string [wrong-type]
                    8 │       query: page=1
                      │              ^^^^^^

                a.yaml:9:16: error: "cookies" must be "none" or a mapping, got a sequence [wrong-type]
                    9 │       cookies: [a]
                      │                ^^^ write { name: value }

                a.yaml:11:16: error: "headers" must be a mapping, got a sequence [wrong-type]
                   11 │       headers: [Content-Type]
                      │                ^^^^^^^^^^^^^^ write { name: value }

                a.yaml:13:9: error: "json" must be a mapping, got a sequence [wrong-type]
                   13 │         - $.a
                      │         ^^^^^ write "name: value", without "-"

                a.yaml:14:14: error: "capture" must be a mapping, got a sequence [wrong-type]
                   14 │     capture: [a]
                      │              ^^^ write { name: value }
                """#),
        BadSuite(
            "tests as a mapping",
            suite: #"""
                baseURL: http://localhost
                tests:
                  first:
                    request: GET /
                """#,
            expected: #"""
                a.yaml:3:3: error: "tests" must be a sequence, got a mapping [wrong-type]
                    3 │   first:
                      │   ^^^^^^ start each with "- name:"
                """#),
        BadSuite(
            "steps as a mapping",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    steps:
                      request: GET /
                """#,
            expected: #"""
                a.yaml:5:7: error: "steps" must be a sequence, got a mapping [wrong-type]
                    5 │       request: GET /
                      │       ^^^^^^^^^^^^^^ start each with "- request:"
                """#),
        BadSuite(
            "websocket elements as a mapping",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    websocket: { send: hi }
                """#,
            expected: #"""
                a.yaml:5:16: error: "websocket" must be a sequence, got a mapping [wrong-type]
                    5 │     websocket: { send: hi }
                      │                ^^^^^^^^^^^^ start each with "- send:"
                """#),
        BadSuite(
            "a command as a string",
            suite: #"""
                serve: { command: "python3 app.py --port ${port}" }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:19: error: "command" must be a sequence, got a string [wrong-type]
                    1 │ serve: { command: "python3 app.py --port ${port}" }
                      │                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ write [python3, app.py, --port, '${port}']
                """#),
        BadSuite(
            "durations in other formats",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: { url: /, timeout: 2 sec, maxBodySize: 5MO }
                    expect: { duration: { lt: 1.5 minutes }, size: { gt: 3 kb } }
                  - name: b
                    request: { url: /, timeout: { connect: 1m 30s, firstByte: 1m30, total: 2 fortnights } }
                    expect: { duration: { lt: 1h30min }, size: { gt: 1KB 2KB } }
                """#,
            expected: #"""
                a.yaml:4:33: error: unknown unit "sec" of a duration [invalid-duration]
                    4 │     request: { url: /, timeout: 2 sec, maxBodySize: 5MO }
                      │                                 ^^^^^ write "2s"

                a.yaml:4:53: error: unknown unit "MO" of a size [invalid-size]
                    4 │     request: { url: /, timeout: 2 sec, maxBodySize: 5MO }
                      │                                                     ^^^ write "5MB"

                a.yaml:5:31: error: unknown unit "minutes" of a duration [invalid-duration]
                    5 │     expect: { duration: { lt: 1.5 minutes }, size: { gt: 3 kb } }
                      │                               ^^^^^^^^^^^ write "1.5m"

                a.yaml:5:58: error: unknown unit "kb" of a size [invalid-size]
                    5 │     expect: { duration: { lt: 1.5 minutes }, size: { gt: 3 kb } }
                      │                                                          ^^^^ write "3KB"

                a.yaml:7:44: error: a duration must not contain spaces [invalid-duration]
                    7 │     request: { url: /, timeout: { connect: 1m 30s, firstByte: 1m30, total: 2 fortnights } }
                      │                                            ^^^^^^ write "1m30s"

                a.yaml:7:63: error: "30" needs a unit [invalid-duration]
                    7 │     request: { url: /, timeout: { connect: 1m 30s, firstByte: 1m30, total: 2 fortnights } }
                      │                                                               ^^^^ for example, write "1m30s"

                a.yaml:7:76: error: unknown unit "fortnights" of a duration [invalid-duration]
                    7 │     request: { url: /, timeout: { connect: 1m 30s, firstByte: 1m30, total: 2 fortnights } }
                      │                                                                            ^^^^^^^^^^^^ write ns, us, ms, s, m, h or d

                a.yaml:8:31: error: unknown unit "min" of a duration [invalid-duration]
                    8 │     expect: { duration: { lt: 1h30min }, size: { gt: 1KB 2KB } }
                      │                               ^^^^^^^ write "1h30m"

                a.yaml:8:54: error: "1KB 2KB" is not a size [invalid-size]
                    8 │     expect: { duration: { lt: 1h30min }, size: { gt: 1KB 2KB } }
                      │                                                      ^^^^^^^ for example, write 500B, 64KB or 5MiB
                """#),
    ]
}
