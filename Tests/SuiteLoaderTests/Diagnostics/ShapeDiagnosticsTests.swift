import Testing

/// Tests of errors in the structure of a file, with their exact messages.
@Suite("Diagnostics of the structure of a file")
struct ShapeDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "a root that is a sequence",
            suite: #"""
                - name: one
                  request: GET /
                """#,
            expected: #"""
                a.yaml:1:1: error: expected a mapping, got a sequence [wrong-type]
                    1 │ - name: one
                      │ ^^^^^^^^^^^ move the sequence under "tests"
                """#),
        BadSuite(
            "a root that is a string",
            suite: #"""
                just text
                """#,
            expected: #"""
                a.yaml:1:1: error: expected a mapping, got a string [wrong-type]
                    1 │ just text
                      │ ^^^^^^^^^
                """#),
        BadSuite(
            "an empty file",
            suite: #"""

                """#,
            expected: #"""
                a.yaml:1:1: error: the file contains no suite [empty-suite]
                    1 │
                      │ ^ a suite must be a mapping with "tests"
                """#),
        BadSuite(
            "a file of comments",
            suite: #"""
                # nothing here
                """#,
            expected: #"""
                a.yaml:1:1: error: the file contains no suite [empty-suite]
                    1 │ # nothing here
                      │ ^ a suite must be a mapping with "tests"
                """#),
        BadSuite(
            "an empty document",
            suite: #"""
                ---
                baseURL: http://localhost
                tests: [{ name: a, request: GET / }]
                ---
                ---
                baseURL: http://localhost
                tests: [{ name: b, request: GET / }]
                ---
                """#,
            expected: #"""
                a.yaml:5:1: error: the document is empty [empty-suite]
                    5 │ ---
                      │ ^ a suite must be a mapping with "tests"
                """#),
        BadSuite(
            "no tests",
            suite: #"""
                name: Bookshop
                baseURL: http://localhost
                """#,
            expected: #"""
                a.yaml:1:1: error: a suite needs "tests" [missing-key]
                    1 │ name: Bookshop
                      │ ^^^^ add "tests: …"
                """#),
        BadSuite(
            "an empty sequence of tests",
            suite: #"""
                name: Bookshop
                tests: []
                """#,
            expected: #"""
                a.yaml:2:1: error: the suite has no tests [empty-suite]
                    2 │ tests: []
                      │ ^^^^^ for example, add "- { name: home, request: GET / }"
                """#),
        BadSuite(
            "a mock file",
            suite: #"""
                routes:
                  - GET /books
                """#,
            expected: #"""
                a.yaml:1:1: error: unknown key "routes" [unknown-key]
                    1 │ routes:
                      │ ^^^^^^ this is a mock file; a suite names it in "serve: { mock: … }"
                """#),
        BadSuite(
            "a test that is a string",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - GET /books
                """#,
            expected: #"""
                a.yaml:3:5: error: expected a mapping, got a string [wrong-type]
                    3 │   - GET /books
                      │     ^^^^^^^^^^ for example, write "- name: …"
                """#),
        BadSuite(
            "a test without a request",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: one
                    expect: 200
                """#,
            expected: #"""
                a.yaml:3:5: error: a test needs "request", "run", "call" or "steps" [missing-key]
                    3 │   - name: one
                      │     ^^^^ for example, add "request: GET /books"
                """#),
        BadSuite(
            "a test without a name",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - request: GET /
                """#,
            expected: #"""
                a.yaml:3:5: error: a test needs "name" [missing-key]
                    3 │   - request: GET /
                      │     ^^^^^^^ add "name: …"
                """#),
        BadSuite(
            "steps and a request",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: one
                    request: GET /
                    steps:
                      - request: GET /
                """#,
            expected: #"""
                a.yaml:4:5: error: a test has either "steps" or a single request, not both [conflicting-keys]
                    4 │     request: GET /
                      │     ^^^^^^^ move "request" into a step
                a.yaml:5:5: note: the steps are here
                    5 │     steps:
                      │     ^^^^^
                """#),
        BadSuite(
            "no steps",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: one
                    steps: []
                """#,
            expected: #"""
                a.yaml:4:5: error: a test needs at least one step [empty-steps]
                    4 │     steps: []
                      │     ^^^^^
                """#),
        BadSuite(
            "a step that is a string",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: one
                    steps:
                      - GET /books
                """#,
            expected: #"""
                a.yaml:5:9: error: expected a mapping, got a string [wrong-type]
                    5 │       - GET /books
                      │         ^^^^^^^^^^ write "- request: GET /books"
                """#),
        BadSuite(
            "several documents",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET / }]
                ---
                baseURL: http://localhost
                test: []
                """#,
            expected: #"""
                a.yaml:5:1: error: unknown key "test" [unknown-key]
                    5 │ test: []
                      │ ^^^^ did you mean "tests"?
                """#),
        BadSuite(
            "invalid YAML",
            suite: #"""
                name: "Bookshop
                tests: []
                """#,
            expected: #"""
                a.yaml:1:7: error: the string that starts here is not closed [unterminated-string]
                    1 │ name: "Bookshop
                      │       ^^^^^^^^^ add the closing "
                """#),
        BadSuite(
            "empty names",
            suite: #"""
                baseURL: http://localhost
                name: ""
                tests:
                  - { name: "", request: GET /, tags: [""], needs: "" }
                  - name: " "
                    id: ""
                    lock: ""
                    steps: [{ name: "", request: GET / }]
                """#,
            expected: #"""
                a.yaml:2:7: error: the name of a suite is empty [empty-name]
                    2 │ name: ""
                      │       ^^

                a.yaml:4:13: error: the name of a test is empty [empty-name]
                    4 │   - { name: "", request: GET /, tags: [""], needs: "" }
                      │             ^^

                a.yaml:4:40: error: a tag is empty [empty-name]
                    4 │   - { name: "", request: GET /, tags: [""], needs: "" }
                      │                                        ^^

                a.yaml:4:52: error: the name of a test is empty [empty-name]
                    4 │   - { name: "", request: GET /, tags: [""], needs: "" }
                      │                                                    ^^

                a.yaml:5:11: error: the name of a test is empty [empty-name]
                    5 │   - name: " "
                      │           ^^^

                a.yaml:6:9: error: an id is empty [empty-name]
                    6 │     id: ""
                      │         ^^

                a.yaml:7:11: error: the name of a lock is empty [empty-name]
                    7 │     lock: ""
                      │           ^^

                a.yaml:8:21: error: the name of a step is empty [empty-name]
                    8 │     steps: [{ name: "", request: GET / }]
                      │                     ^^
                """#),
        BadSuite(
            "an undefined alias",
            suite: #"""
                baseURL: http://localhost
                defaults: { headers: *common }
                tests:
                  - { name: a, request: *r, expect: { headers: { A: *b }, json: { $.a: *c } } }
                """#,
            expected: #"""
                a.yaml:2:22: error: no anchor "&common" precedes this alias [undefined-alias]
                    2 │ defaults: { headers: *common }
                      │                      ^^^^^^^ define &common earlier, or quote the value if "*" is part of it

                a.yaml:4:25: error: no anchor "&r" precedes this alias [undefined-alias]
                    4 │   - { name: a, request: *r, expect: { headers: { A: *b }, json: { $.a: *c } } }
                      │                         ^^ define &r earlier, or quote the value if "*" is part of it

                a.yaml:4:53: error: no anchor "&b" precedes this alias [undefined-alias]
                    4 │   - { name: a, request: *r, expect: { headers: { A: *b }, json: { $.a: *c } } }
                      │                                                     ^^ define &b earlier, or quote the value if "*" is part of it

                a.yaml:4:72: error: no anchor "&c" precedes this alias [undefined-alias]
                    4 │   - { name: a, request: *r, expect: { headers: { A: *b }, json: { $.a: *c } } }
                      │                                                                        ^^ define &c earlier, or quote the value if "*" is part of it
                """#),
    ]
}
