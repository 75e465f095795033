import Diagnostics
import SuiteLoader
import SuiteTestSupport
import Testing

/// Tests of errors in expressions, with their exact messages.
@Suite("Expression diagnostics")
struct ExpressionsDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    @Test(
        "The fixed part of a JSONPath with expressions is checked",
        arguments: [("$.a[${i}]", nil), ("${i}", nil), ("a[${i}]", "a JSONPath must start with \"$\"")])
    func expressionInJSONPath(path: String, message: String?) {
        let problems = load(
            "variables: { i: 1 }\ntests: [{ name: a, request: GET http://a/, expect: { json: { '\(path)': 1 } } }]\n"
        ).diagnostics
        #expect(problems.map(\.message) == (message.map { [$0] } ?? []))
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "a syntax error",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /books/${1 + }
                """#,
            expected: #"""
                a.yaml:4:31: error: expected a value, found the end of the expression [invalid-expression]
                    4 │     request: GET /books/${1 + }
                      │                               ^
                """#),
        BadSuite(
            "a syntax error in quotes",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: { url: /, text: "é \u00e9 ${size(1, 2)}" }
                """#,
            expected: #"""
                a.yaml:4:42: error: size() takes 1 argument, got 2 [invalid-expression]
                    4 │     request: { url: /, text: "é \u00e9 ${size(1, 2)}" }
                      │                                          ^^^^^^^^^^
                """#),
        BadSuite(
            "a syntax error in a block scalar",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request:
                      url: /
                      text: |
                        Dear reader,
                          you owe ${1 +* 2} books.
                """#,
            expected: #"""
                a.yaml:8:24: error: expected a value, found "*" [invalid-expression]
                    8 │           you owe ${1 +* 2} books.
                      │                        ^
                """#),
        BadSuite(
            "an unknown function",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: "GET /${uuidd()}" }]
                """#,
            expected: #"""
                a.yaml:2:37: error: unknown function "uuidd"; did you mean "uuid"? [invalid-expression]
                    2 │ tests: [{ name: a, request: "GET /${uuidd()}" }]
                      │                                     ^^^^^
                """#),
        BadSuite(
            "an unclosed expression",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /books/${"}"
                """#,
            expected: #"""
                a.yaml:4:25: error: the expression is not closed [unterminated-expression]
                    4 │     request: GET /books/${"}"
                      │                         ^^ close it with "}", or write "$${" for a literal "${"
                """#),
        BadSuite(
            "an empty expression",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /books/${ }
                """#,
            expected: #"""
                a.yaml:4:25: error: the expression is empty [invalid-expression]
                    4 │     request: GET /books/${ }
                      │                         ^^^^
                """#),
        BadSuite(
            "an expression in a name",
            suite: #"""
                baseURL: http://localhost
                variables: { b: 1 }
                tests:
                  - name: a ${b}
                    request: GET /
                """#,
            expected: #"""
                a.yaml:4:11: error: the name of a test cannot contain an expression [expression-not-allowed]
                    4 │   - name: a ${b}
                      │           ^^^^^^ only a test with "cases", "matrix" or "repeat" can have an expression in its name
                """#),
        BadSuite(
            "an expression that YAML splits",
            suite: #"""
                baseURL: http://localhost
                variables: { b: 1 }
                tests:
                  - name: a
                    request: { url: /, json: { b: ${b} } }
                """#,
            expected: #"""
                a.yaml:5:35: error: "${…}" must be quoted inside brackets, where braces and commas have a special meaning [unquoted-template]
                    5 │     request: { url: /, json: { b: ${b} } }
                      │                                   ^^^^ write "${b}"
                """#),
        BadSuite(
            "an error in an assertion",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    assert:
                      - status = 200
                      - ${body.id == 1} and more
                      - status: 200
                """#,
            expected: #"""
                a.yaml:6:16: error: "=" is not an operator; for equality, write == [invalid-expression]
                    6 │       - status = 200
                      │                ^

                a.yaml:7:9: error: an assertion must be a single expression [invalid-expression]
                    7 │       - ${body.id == 1} and more
                      │         ^^^^^^^^^^^^^^^^^^^^^^^^ write it without "${" and "}"

                a.yaml:8:9: error: expected an expression, got a mapping [wrong-type]
                    8 │       - status: 200
                      │         ^^^^^^^^^^^ quote it; ": " and braces have a special meaning in YAML
                """#),
    ]
}
