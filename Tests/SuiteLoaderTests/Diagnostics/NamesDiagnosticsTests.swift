import Diagnostics
import SuiteLoader
import SuiteTestSupport
import Testing

/// Tests of errors in names, with their exact messages.
@Suite("Name diagnostics")
struct NamesDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    private static func chain(_ count: Int, _ value: (Int) -> String) -> String {
        let variables = (0..<count).map { "  v\($0): \(value($0 + 1))\n" }.joined()
        return "baseURL: http://localhost\nvariables:\n\(variables)  v\(count): 1\n"
            + "tests: [{ name: a, request: 'GET /${v0}' }]\n"
    }

    @Test("Variables refer to each other at most 250 levels deep")
    func depth() {
        #expect(load(Self.chain(249) { "${v\($0)}" }).diagnostics.isEmpty)
        for count in [250, 20_000] {
            let problems = load(Self.chain(count) { "${v\($0)}" }).diagnostics
            #expect(problems.map(\.id) == ["too-deep"])
            #expect(
                problems.first?.message == "the variable \"v\(count - 250)\" refers to others more than 250 levels deep"
            )
        }
    }

    @Test(
        "Nesting inside variables counts toward the depth",
        arguments: ["[[[['${v%}']]]]", "'${[[[[v%]]]]}'", "'${1 + (2 + v%)}'"])
    func nestedDepth(value: String) {
        func problems(_ count: Int) -> [String] {
            load(Self.chain(count) { value.replacing("%", with: String($0)) }).diagnostics.map(\.id)
        }
        #expect(problems(50).isEmpty)
        #expect(problems(200) == ["too-deep"])
    }

    @Test("Variables of a test count toward the depth together with those of the suite")
    func depthInTests() {
        let suite = Self.chain(200) { "${v\($0)}" }
        let variables = (0..<100).map { "w\($0): '${\($0 == 99 ? "v0" : "w\($0 + 1)")}'" }.joined(separator: ", ")
        let problems = load(suite.replacing("name: a,", with: "name: a, variables: { \(variables) },")).diagnostics
        #expect(problems.map(\.id) == ["too-deep"])
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "an undefined variable",
            suite: #"""
                baseURL: http://localhost
                variables: { title: Dune }
                tests:
                  - name: a
                    request: { url: /, json: { title: "${titel}" } }
                """#,
            expected: #"""
                a.yaml:5:42: error: undefined variable "titel" [undefined-variable]
                    5 │     request: { url: /, json: { title: "${titel}" } }
                      │                                          ^^^^^ did you mean "title"?
                """#),
        BadSuite(
            "an undefined variable without a similar one",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: "GET /${wibble}" }]
                """#,
            expected: #"""
                a.yaml:2:37: error: undefined variable "wibble" [undefined-variable]
                    2 │ tests: [{ name: a, request: "GET /${wibble}" }]
                      │                                     ^^^^^^ define it under "variables", capture it, or pass --variable wibble=…
                """#),
        BadSuite(
            "an undefined variable in a default",
            suite: #"""
                baseURL: http://localhost
                defaults: { headers: { Authorization: "Bearer ${token}" } }
                tests:
                  - { name: a, request: GET / }
                  - { name: b, request: GET / }
                """#,
            expected: #"""
                a.yaml:2:49: error: undefined variable "token" [undefined-variable]
                    2 │ defaults: { headers: { Authorization: "Bearer ${token}" } }
                      │                                                 ^^^^^ define it under "variables", capture it, or pass --variable token=…
                """#),
        BadSuite(
            "an undefined variable in an unused variable",
            suite: #"""
                baseURL: http://localhost
                variables: { a: "${b}" }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:2:20: error: undefined variable "b" [undefined-variable]
                    2 │ variables: { a: "${b}" }
                      │                    ^ define it under "variables", capture it, or pass --variable b=…
                """#),
        BadSuite(
            "a part of the response too early",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: "GET /${status}" }]
                """#,
            expected: #"""
                a.yaml:2:37: error: "status" is available only after a response [undefined-variable]
                    2 │ tests: [{ name: a, request: "GET /${status}" }]
                      │                                     ^^^^^^ use it in "expect", "assert" or "capture" of a request
                """#),
        BadSuite(
            "a capture too early",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /books/${id}
                    capture: { id: $.id }
                """#,
            expected: #"""
                a.yaml:4:27: error: "id" is used before it is captured [undefined-variable]
                    4 │     request: GET /books/${id}
                      │                           ^^
                a.yaml:5:16: note: "a" captures it here
                    5 │     capture: { id: $.id }
                      │                ^^
                """#),
        BadSuite(
            "captures of the own step, where they are not available yet",
            suite: #"""
                baseURL: http://localhost
                variables: { path: "/${next}" }
                tests:
                  - name: a
                    if: id == 1
                    request: GET ${path}
                    capture: { first: "${second + body.x}", second: $.id, id: $.id, next: "${next}" }
                    until: { json: { $.id: "${id}" } }
                """#,
            expected: #"""
                a.yaml:2:24: error: "next" is used before it is captured [undefined-variable]
                    2 │ variables: { path: "/${next}" }
                      │                        ^^^^
                a.yaml:7:69: note: "a" captures it here
                    7 │     capture: { first: "${second + body.x}", second: $.id, id: $.id, next: "${next}" }
                      │                                                                     ^^^^

                a.yaml:5:9: error: "id" is used before it is captured [undefined-variable]
                    5 │     if: id == 1
                      │         ^^
                a.yaml:7:59: note: "a" captures it here
                    7 │     capture: { first: "${second + body.x}", second: $.id, id: $.id, next: "${next}" }
                      │                                                           ^^

                a.yaml:7:26: error: "second" is captured after the capture that uses it [undefined-variable]
                    7 │     capture: { first: "${second + body.x}", second: $.id, id: $.id, next: "${next}" }
                      │                          ^^^^^^ write the capture "second" first
                a.yaml:7:45: note: it is captured here
                    7 │     capture: { first: "${second + body.x}", second: $.id, id: $.id, next: "${next}" }
                      │                                             ^^^^^^

                a.yaml:7:78: error: "next" is used before it is captured [undefined-variable]
                    7 │     capture: { first: "${second + body.x}", second: $.id, id: $.id, next: "${next}" }
                      │                                                                              ^^^^
                a.yaml:7:69: note: "a" captures it here
                    7 │     capture: { first: "${second + body.x}", second: $.id, id: $.id, next: "${next}" }
                      │                                                                     ^^^^

                a.yaml:8:31: error: "id" is used before it is captured [undefined-variable]
                    8 │     until: { json: { $.id: "${id}" } }
                      │                               ^^
                a.yaml:7:59: note: "a" captures it here
                    7 │     capture: { first: "${second + body.x}", second: $.id, id: $.id, next: "${next}" }
                      │                                                           ^^
                """#),
        BadSuite(
            "a capture of a later step",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    steps:
                      - request: GET /books/${id}
                      - request: GET /books
                        capture: { id: $.id }
                """#,
            expected: #"""
                a.yaml:5:31: error: "id" is captured only by a later step [undefined-variable]
                    5 │       - request: GET /books/${id}
                      │                               ^^
                a.yaml:7:20: note: "a" captures it here
                    7 │         capture: { id: $.id }
                      │                    ^^
                """#),
        BadSuite(
            "a capture of several later tests",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - { name: a, request: "GET /books/${id}" }
                  - { name: b, request: GET /, capture: { id: $.id } }
                  - { name: c, request: GET /, capture: { id: $.id } }
                """#,
            expected: #"""
                a.yaml:3:39: error: "id" is captured by several later tests [ambiguous-capture]
                    3 │   - { name: a, request: "GET /books/${id}" }
                      │                                       ^^ move this test after the test whose capture it should use
                a.yaml:4:43: note: "b" captures it here
                    4 │   - { name: b, request: GET /, capture: { id: $.id } }
                      │                                           ^^
                a.yaml:5:43: note: "c" captures it here
                    5 │   - { name: c, request: GET /, capture: { id: $.id } }
                      │                                           ^^
                """#),
        BadSuite(
            "a capture before any test",
            suite: #"""
                baseURL: http://localhost/${id}
                tests:
                  - { name: b, request: GET /, capture: { id: $.id } }
                """#,
            expected: #"""
                a.yaml:1:29: error: "id" is captured by a test, and is not available before the tests run [undefined-variable]
                    1 │ baseURL: http://localhost/${id}
                      │                             ^^
                """#),
        BadSuite(
            "a port without a server",
            suite: #"""
                baseURL: http://localhost:${port}/
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:29: error: undefined variable "port" [undefined-variable]
                    1 │ baseURL: http://localhost:${port}/
                      │                             ^^^^ "${port}" is available only with "serve: { command: … }"
                """#),
        BadSuite(
            "a port in a test without a server",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - { name: b, request: "GET /${port}" }
                """#,
            expected: #"""
                a.yaml:3:33: error: "port" is available only in a suite with "serve" [undefined-variable]
                    3 │   - { name: b, request: "GET /${port}" }
                      │                                 ^^^^
                """#),
        BadSuite(
            "a variable that refers to itself",
            suite: #"""
                baseURL: http://localhost
                variables: { a: "${a}x" }
                tests: [{ name: a, request: "GET /${a}" }]
                """#,
            expected: #"""
                a.yaml:2:14: error: the variable "a" refers to itself [variable-cycle]
                    2 │ variables: { a: "${a}x" }
                      │              ^
                """#),
        BadSuite(
            "variables that refer to each other",
            suite: #"""
                baseURL: http://localhost
                variables:
                  a: ${b}
                  b: ${c}
                  c: ${a}
                tests: [{ name: a, request: "GET /${b}" }]
                """#,
            expected: #"""
                a.yaml:3:3: error: variables refer to each other: a → b → c → a [variable-cycle]
                    3 │   a: ${b}
                      │   ^
                a.yaml:4:3: note: "b" is here
                    4 │   b: ${c}
                      │   ^
                a.yaml:5:3: note: "c" is here
                    5 │   c: ${a}
                      │   ^
                """#),
        BadSuite(
            "an invalid name",
            suite: #"""
                baseURL: http://localhost
                variables: { book-id: 1, in: 2, steps: 3 }
                tests: [{ name: a, request: GET /, capture: { "1st": $.id } }]
                """#,
            expected: #"""
                a.yaml:2:14: error: "book-id" is not a valid name in expressions [invalid-name]
                    2 │ variables: { book-id: 1, in: 2, steps: 3 }
                      │              ^^^^^^^ write "book_id"

                a.yaml:2:26: error: "in" is a reserved word of the expression language [invalid-name]
                    2 │ variables: { book-id: 1, in: 2, steps: 3 }
                      │                          ^^

                a.yaml:2:33: error: "steps" refers to earlier exchanges and cannot name a variable [invalid-name]
                    2 │ variables: { book-id: 1, in: 2, steps: 3 }
                      │                                 ^^^^^ choose another name

                a.yaml:3:47: error: "1st" is not a valid name in expressions [invalid-name]
                    3 │ tests: [{ name: a, request: GET /, capture: { "1st": $.id } }]
                      │                                               ^^^^^ write "_1st"
                """#),
        BadSuite(
            "an unknown step",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    steps:
                      - { name: login, request: GET / }
                      - { name: next, request: "GET /${steps.logn.body.id}" }
                      - { name: last, request: "GET /${steps.last.body.id}" }
                """#,
            expected: #"""
                a.yaml:6:40: error: no earlier step is named "logn" [undefined-step]
                    6 │       - { name: next, request: "GET /${steps.logn.body.id}" }
                      │                                        ^^^^^^^^^^ did you mean "login"?

                a.yaml:7:40: error: the step "last" has not run yet [undefined-step]
                    7 │       - { name: last, request: "GET /${steps.last.body.id}" }
                      │                                        ^^^^^^^^^^
                """#),
        BadSuite(
            "an unknown test",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - { name: a, id: login, request: GET / }
                  - { name: b, request: "GET /${tests.logi.body.id}" }
                  - { name: c, request: "GET /${tests.b.body.id}" }
                  - { name: d, id: d, request: "GET /${tests.d.body.id}" }
                """#,
            expected: #"""
                a.yaml:4:33: error: no test has the id "logi" [undefined-test]
                    4 │   - { name: b, request: "GET /${tests.logi.body.id}" }
                      │                                 ^^^^^^^^^^ did you mean "login"?

                a.yaml:5:33: error: no test has the id "b" [undefined-test]
                    5 │   - { name: c, request: "GET /${tests.b.body.id}" }
                      │                                 ^^^^^^^ add an "id" to the test with that name

                a.yaml:6:40: error: a test cannot refer to its own exchange [undefined-test]
                    6 │   - { name: d, id: d, request: "GET /${tests.d.body.id}" }
                      │                                        ^^^^^^^ use the members of the response, or steps.NAME
                """#),
        BadSuite(
            "variables and captures with reserved names",
            suite: #"""
                baseURL: http://localhost
                variables: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: 80 }
                tests: [{ name: a, request: GET /, capture: { text: $.id, as: $.b } }]
                """#,
            expected: #"""
                a.yaml:2:14: error: "status" is set by a response and cannot name a variable [invalid-name]
                    2 │ variables: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: …
                      │              ^^^^^^ choose another name

                a.yaml:2:27: error: "headers" is set by a response and cannot name a variable [invalid-name]
                    2 │ variables: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: …
                      │                           ^^^^^^^ choose another name

                a.yaml:2:39: error: "body" is set by a response and cannot name a variable [invalid-name]
                    2 │ variables: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: …
                      │                                       ^^^^ choose another name

                a.yaml:2:48: error: "cookies" is set by a response and cannot name a variable [invalid-name]
                    2 │ variables: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: …
                      │                                                ^^^^^^^ choose another name

                a.yaml:2:60: error: "duration" is set by a response and cannot name a variable [invalid-name]
                    2 │ …bles: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: 80 }
                      │                                                        ^^^^^^^^ choose another name

                a.yaml:2:73: error: "response" is set by a response and cannot name a variable [invalid-name]
                    2 │ …bles: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: 80 }
                      │                                                                     ^^^^^^^^ choose another name

                a.yaml:2:86: error: "steps" refers to earlier exchanges and cannot name a variable [invalid-name]
                    2 │ …bles: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: 80 }
                      │                                                                                  ^^^^^ choose another name

                a.yaml:2:96: error: "tests" refers to earlier exchanges and cannot name a variable [invalid-name]
                    2 │ …bles: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: 80 }
                      │                                                                                            ^^^^^ choose another name

                a.yaml:2:106: error: "port" is the port of the server that "serve" starts and cannot name a variable [invalid-name]
                    2 │ …bles: { status: 200, headers: 1, body: 1, cookies: 1, duration: 1, response: 1, steps: 1, tests: 1, port: 80 }
                      │                                                                                                      ^^^^ choose another name

                a.yaml:3:47: error: "text" is set by a response and cannot name a capture [invalid-name]
                    3 │ tests: [{ name: a, request: GET /, capture: { text: $.id, as: $.b } }]
                      │                                               ^^^^ choose another name

                a.yaml:3:59: error: "as" is a reserved word of the expression language [invalid-name]
                    3 │ tests: [{ name: a, request: GET /, capture: { text: $.id, as: $.b } }]
                      │                                                           ^^
                """#),
    ]
}
