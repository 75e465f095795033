import Testing

/// Tests of errors in captures, with their exact messages.
@Suite("Capture diagnostics")
struct CaptureDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "a source that is not a JSONPath",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, capture: { id: body.id, b: id } }]
                """#,
            expected: #"""
                a.yaml:2:51: error: a capture must be a JSONPath, an expression in ${…}, or a mapping [invalid-capture]
                    2 │ tests: [{ name: a, request: GET /, capture: { id: body.id, b: id } }]
                      │                                                   ^^^^^^^ write "${body.id}"

                a.yaml:2:63: error: a capture must be a JSONPath, an expression in ${…}, or a mapping [invalid-capture]
                    2 │ tests: [{ name: a, request: GET /, capture: { id: body.id, b: id } }]
                      │                                                               ^^ for example, write "$.id"
                """#),
        BadSuite(
            "an invalid JSONPath",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, capture: { id: "$.a..", b: { json: "$[" } } }]
                """#,
            expected: #"""
                a.yaml:2:57: error: expected a name, "*" or "[" after "..", found the end of the JSONPath [invalid-jsonpath]
                    2 │ tests: [{ name: a, request: GET /, capture: { id: "$.a..", b: { json: "$[" } } }]
                      │                                                         ^

                a.yaml:2:74: error: expected a name in quotation marks, an index, a slice, "*" or a filter "?", found the end of the JSONPath [invalid-jsonpath]
                    2 │ tests: [{ name: a, request: GET /, capture: { id: "$.a..", b: { json: "$[" } } }]
                      │                                                                          ^
                """#),
        BadSuite(
            "all values of a source that has no others",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, capture: { id: { cookie: a, all: true } } }]
                """#,
            expected: #"""
                a.yaml:2:64: error: "all" applies only to a header [invalid-capture]
                    2 │ tests: [{ name: a, request: GET /, capture: { id: { cookie: a, all: true } } }]
                      │                                                                ^^^ remove it; a JSONPath such as $.items[*].id and an XPath yield all values
                """#),
        BadSuite(
            "two sources",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, capture: { id: { header: A, cookie: b } } }]
                """#,
            expected: #"""
                a.yaml:2:64: error: a capture has only one source [conflicting-keys]
                    2 │ tests: [{ name: a, request: GET /, capture: { id: { header: A, cookie: b } } }]
                      │                                                                ^^^^^^
                a.yaml:2:53: note: the first source is here
                    2 │ tests: [{ name: a, request: GET /, capture: { id: { header: A, cookie: b } } }]
                      │                                                     ^^^^^^
                """#),
        BadSuite(
            "no source",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, capture: { id: { as: integer } } }]
                """#,
            expected: #"""
                a.yaml:2:51: error: a capture needs a source [missing-key]
                    2 │ tests: [{ name: a, request: GET /, capture: { id: { as: integer } } }]
                      │                                                   ^^^^^^^^^^^^^^^ add json, xpath, header, cookie, text, regex, status or body
                """#),
        BadSuite(
            "an unknown conversion",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, capture: { id: { header: A, as: int } } }]
                """#,
            expected: #"""
                a.yaml:2:68: error: unknown value "int" [unknown-value]
                    2 │ tests: [{ name: a, request: GET /, capture: { id: { header: A, as: int } } }]
                      │                                                                    ^^^ write integer, number, string or boolean
                """#),
        BadSuite(
            "a source that cannot become a JSONPath",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, capture: { a: plain text, b: .id, c: "[0]", d: status.x } }]
                """#,
            expected: #"""
                a.yaml:2:50: error: a capture must be a JSONPath, an expression in ${…}, or a mapping [invalid-capture]
                    2 │ tests: [{ name: a, request: GET /, capture: { a: plain text, b: .id, c: "[0]", d: status.x } }]
                      │                                                  ^^^^^^^^^^ for example, write "$.id"

                a.yaml:2:65: error: a capture must be a JSONPath, an expression in ${…}, or a mapping [invalid-capture]
                    2 │ tests: [{ name: a, request: GET /, capture: { a: plain text, b: .id, c: "[0]", d: status.x } }]
                      │                                                                 ^^^ for example, write "$.id"

                a.yaml:2:73: error: a capture must be a JSONPath, an expression in ${…}, or a mapping [invalid-capture]
                    2 │ tests: [{ name: a, request: GET /, capture: { a: plain text, b: .id, c: "[0]", d: status.x } }]
                      │                                                                         ^^^^^ for example, write "$[0]"

                a.yaml:2:83: error: a capture must be a JSONPath, an expression in ${…}, or a mapping [invalid-capture]
                    2 │ tests: [{ name: a, request: GET /, capture: { a: plain text, b: .id, c: "[0]", d: status.x } }]
                      │                                                                                   ^^^^^^^^ write "${status.x}"
                """#),
    ]
}
