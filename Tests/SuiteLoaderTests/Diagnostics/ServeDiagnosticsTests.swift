import Testing

/// Tests of errors in `serve`, with their exact messages.
@Suite("Server diagnostics")
struct ServeDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "nothing",
            suite: #"""
                serve: {}
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:8: error: "serve" needs "mock" or "command" [missing-key]
                    1 │ serve: {}
                      │        ^^
                """#),
        BadSuite(
            "a mock and a command",
            suite: #"""
                serve: { mock: a.mock.yaml, command: [server] }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:29: error: "serve" starts either a mock or a command, not both [conflicting-keys]
                    1 │ serve: { mock: a.mock.yaml, command: [server] }
                      │                             ^^^^^^^
                a.yaml:1:10: note: the mock is here
                    1 │ serve: { mock: a.mock.yaml, command: [server] }
                      │          ^^^^
                """#),
        BadSuite(
            "a missing mock",
            suite: #"""
                serve: { mock: a.mock.yaml }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:16: error: "a.mock.yaml" does not exist [missing-file]
                    1 │ serve: { mock: a.mock.yaml }
                      │                ^^^^^^^^^^^
                """#),
        BadSuite(
            "a mock of an OpenAPI document",
            suite: #"""
                serve: { mock: openapi.yaml }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:16: error: "openapi.yaml" does not exist [missing-file]
                    1 │ serve: { mock: openapi.yaml }
                      │                ^^^^^^^^^^^^
                """#),
        BadSuite(
            "command options with a mock",
            suite: #"""
                serve: { mock: a.mock.yaml, within: 5s }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:16: error: "a.mock.yaml" does not exist [missing-file]
                    1 │ serve: { mock: a.mock.yaml, within: 5s }
                      │                ^^^^^^^^^^^

                a.yaml:1:29: error: "within" belongs to a command, not to a mock [conflicting-keys]
                    1 │ serve: { mock: a.mock.yaml, within: 5s }
                      │                             ^^^^^^
                """#),
        BadSuite(
            "a missing directory",
            suite: #"""
                serve: { command: [server], directory: none }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:40: error: the directory "none" does not exist [missing-file]
                    1 │ serve: { command: [server], directory: none }
                      │                                        ^^^^
                """#),
        BadSuite(
            "an empty command",
            suite: #"""
                serve: { command: [], ready: /health }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:19: error: a command needs a program [invalid-command]
                    1 │ serve: { command: [], ready: /health }
                      │                   ^^

                a.yaml:1:30: error: a request must be "METHOD url" or a mapping [invalid-request]
                    1 │ serve: { command: [], ready: /health }
                      │                              ^^^^^^^ write "GET /health"
                """#),
        BadSuite(
            "a ready request without a slash",
            suite: #"""
                serve: { command: [a], ready: GET health }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:35: error: the URL of "ready" must be absolute or start with "/" [invalid-url]
                    1 │ serve: { command: [a], ready: GET health }
                      │                                   ^^^^^^ write "GET /health"
                """#),
        BadSuite(
            "a ready request with a wrong URL",
            suite: #"""
                serve: { command: [a], ready: "GET http://localhost:99999/${port}" }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:53: error: "99999" is not a valid port [invalid-url]
                    1 │ serve: { command: [a], ready: "GET http://localhost:99999/${port}" }
                      │                                                     ^^^^^ use a number from 1 to 65535
                """#),
    ]
}
