import Testing

/// Tests of errors in types of values, with their exact messages.
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
                a.yaml:1:7: error: "name" takes a string, got a list [wrong-type]
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
                a.yaml:3:11: error: "name" takes a string, got an integer [wrong-type]
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
                a.yaml:2:8: error: "tests" takes a list, got a string [wrong-type]
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
                a.yaml:4:5: error: "request" takes a string or a map, got nothing [wrong-type]
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
                a.yaml:4:43: error: "Accept" takes text or a list, got a map [wrong-type]
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
        BadSuite(
            "lists and strings instead of maps",
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
                a.yaml:7:9: error: "headers" takes a map, got a list [wrong-type]
                    7 │         - "Accept: text/plain"
                      │         ^^^^^^^^^^^^^^^^^^^^^^ write "name: value", without "-"

                a.yaml:8:14: error: "query" takes a map, got a string [wrong-type]
                    8 │       query: page=1
                      │              ^^^^^^

                a.yaml:9:16: error: "cookies" takes a map, got a list [wrong-type]
                    9 │       cookies: [a]
                      │                ^^^ write { name: value }

                a.yaml:11:16: error: "headers" takes a map, got a list [wrong-type]
                   11 │       headers: [Content-Type]
                      │                ^^^^^^^^^^^^^^ write { name: value }

                a.yaml:13:9: error: "json" takes a map, got a list [wrong-type]
                   13 │         - $.a
                      │         ^^^^^ write "name: value", without "-"

                a.yaml:14:14: error: "capture" takes a map, got a list [wrong-type]
                   14 │     capture: [a]
                      │              ^^^ write { name: value }
                """#),
        BadSuite(
            "tests as a map",
            suite: #"""
                baseURL: http://localhost
                tests:
                  first:
                    request: GET /
                """#,
            expected: #"""
                a.yaml:3:3: error: "tests" takes a list, got a map [wrong-type]
                    3 │   first:
                      │   ^^^^^^ begin each with "- name:"
                """#),
        BadSuite(
            "steps as a map",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    steps:
                      request: GET /
                """#,
            expected: #"""
                a.yaml:5:7: error: "steps" takes a list, got a map [wrong-type]
                    5 │       request: GET /
                      │       ^^^^^^^^^^^^^^ begin each with "- request:"
                """#),
        BadSuite(
            "elements of websocket as a map",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    websocket: { send: hi }
                """#,
            expected: #"""
                a.yaml:5:16: error: "websocket" takes a list, got a map [wrong-type]
                    5 │     websocket: { send: hi }
                      │                ^^^^^^^^^^^^ begin each with "- send:"
                """#),
        BadSuite(
            "a command as a string",
            suite: #"""
                serve: { command: "python3 app.py --port ${port}" }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:19: error: "command" takes a list, got a string [wrong-type]
                    1 │ serve: { command: "python3 app.py --port ${port}" }
                      │                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ write [python3, app.py, --port, '${port}']
                """#),
        BadSuite(
            "durations in other words",
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
                a.yaml:4:33: error: "sec" is no unit of a duration [invalid-duration]
                    4 │     request: { url: /, timeout: 2 sec, maxBodySize: 5MO }
                      │                                 ^^^^^ write "2s"

                a.yaml:4:53: error: "MO" is no unit of a size [invalid-size]
                    4 │     request: { url: /, timeout: 2 sec, maxBodySize: 5MO }
                      │                                                     ^^^ write "5MB"

                a.yaml:5:31: error: "minutes" is no unit of a duration [invalid-duration]
                    5 │     expect: { duration: { lt: 1.5 minutes }, size: { gt: 3 kb } }
                      │                               ^^^^^^^^^^^ write "1.5m"

                a.yaml:5:58: error: "kb" is no unit of a size [invalid-size]
                    5 │     expect: { duration: { lt: 1.5 minutes }, size: { gt: 3 kb } }
                      │                                                          ^^^^ write "3KB"

                a.yaml:7:44: error: a duration is written without spaces [invalid-duration]
                    7 │     request: { url: /, timeout: { connect: 1m 30s, firstByte: 1m30, total: 2 fortnights } }
                      │                                            ^^^^^^ write "1m30s"

                a.yaml:7:63: error: "30" needs a unit [invalid-duration]
                    7 │     request: { url: /, timeout: { connect: 1m 30s, firstByte: 1m30, total: 2 fortnights } }
                      │                                                               ^^^^ write for example "1m30s"

                a.yaml:7:76: error: "fortnights" is no unit of a duration [invalid-duration]
                    7 │     request: { url: /, timeout: { connect: 1m 30s, firstByte: 1m30, total: 2 fortnights } }
                      │                                                                            ^^^^^^^^^^^^ write ns, us, ms, s, m, h or d

                a.yaml:8:31: error: "min" is no unit of a duration [invalid-duration]
                    8 │     expect: { duration: { lt: 1h30min }, size: { gt: 1KB 2KB } }
                      │                               ^^^^^^^ write "1h30m"

                a.yaml:8:54: error: "1KB 2KB" is no size [invalid-size]
                    8 │     expect: { duration: { lt: 1h30min }, size: { gt: 1KB 2KB } }
                      │                                                      ^^^^^^^ write for example 500B, 64KB or 5MiB
                """#),
    ]
}
