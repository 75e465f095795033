import Testing

@testable import SuiteLint

/// Tests of the rules about variables and captures.
struct NameRuleTests {
    @Test(arguments: [
        LintCase(
            "an unused capture",
            """
            baseURL: http://localhost
            tests:
              - name: a
                request: GET /a
                capture: { id: $.id }
            """, "5:16 the capture \"id\" is not used"),
        LintCase(
            "a capture with the name of one that only its own step uses",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: GET /a, capture: { id: $.id } }
              - { name: b, request: GET /b, capture: { id: $.id }, assert: [id > 0] }
              - { name: c, request: GET /c, capture: { n: $.n } }
              - { name: d, request: GET /d, capture: { old: "${n}", n: $.n }, assert: [n > old] }
            """, "3:44 the capture \"id\" is not used"),
        LintCase(
            "captures that only their own step uses",
            """
            baseURL: http://localhost
            tests:
              - name: a
                request: GET /a
                expect: { json: { $.copy: "${id}" } }
                assert: [size(name) > 0]
                capture: { id: $.id, name: $.name, base: $.base, derived: "${base}", own: "${own}" }
              - name: b
                request: GET /b
                websocket:
                  - receive: { capture: { member: $.id }, assert: [member == 1] }
            variables: { own: 1 }
            """,
            "7:54 the capture \"derived\" is not used", "7:74 the capture \"own\" is not used"),
        LintCase(
            "a capture that another test uses",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: GET /a, capture: { id: $.id } }
              - { name: b, request: "GET /b/${id}" }
            """),
        LintCase(
            "a capture that a previous test uses",
            """
            baseURL: http://localhost
            tests:
              - { name: b, request: "GET /b/${id}" }
              - { name: a, request: GET /a, capture: { id: $.id } }
            """),
        LintCase(
            "a capture that is replaced before it is used",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: GET /a, capture: { id: $.id } }
              - { name: b, request: GET /b, capture: { id: $.id } }
              - { name: c, request: "GET /c/${id}" }
            """, "3:44 the capture \"id\" is not used"),
        LintCase(
            "a capture of a step that only a previous step uses",
            """
            baseURL: http://localhost
            variables: { id: 1 }
            tests:
              - name: a
                steps:
                  - { request: "GET /a/${id}" }
                  - { request: GET /b, capture: { id: $.id } }
            """, "7:39 the capture \"id\" is not used"),
        LintCase(
            "captures that an assertion, a default, a variable and a later step use",
            """
            baseURL: http://localhost
            variables: { header: "Bearer ${b}" }
            defaults: { headers: { X-A: "${a}", X-H: "${header}" } }
            tests:
              - name: a
                steps:
                  - { request: { url: /a, headers: { X-A: null, X-H: null } }, capture: { a: $.a, b: $.b, c: $.c, d: $.d } }
                  - { request: "GET /${c}", assert: "body.d == d" }
            """),
        LintCase(
            "a secret capture masks a value",
            """
            baseURL: http://localhost
            tests:
              - name: a
                request: GET /a
                capture: { token: { json: $.token, secret: true } }
            """),
        LintCase(
            "a capture that its own source uses",
            """
            baseURL: http://localhost
            variables: { n: 1 }
            tests:
              - { name: a, request: GET /a, capture: { n: "${n + 1}" } }
            """, "4:44 the capture \"n\" is not used"),
        LintCase(
            "a capture repeated by an alias is unused only if none of its copies is used",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: GET /a, capture: &captured { id: $.id } }
              - { name: b, request: "GET /b/${id}", capture: *captured }
            """),
    ])
    func unusedCapture(_ test: LintCase) throws {
        let findings = try test.findings(of: "unused-capture")
        #expect(findings == test.expected)
    }

    /// WebSocket messages use captures of their step and of previous messages.
    @Test(arguments: [
        LintCase(
            "captures of and in a WebSocket exchange",
            """
            baseURL: http://localhost
            tests:
              - name: a
                request: GET /chat
                capture: { user: { header: X-User } }
                websocket:
                  - send: ${user}
                  - receive: { capture: { id: $.id, later: $.later }, assert: body.x == 1 }
                  - send: ${id}
                  - receive: { capture: { last: $.last } }
              - name: b
                request: GET /${later}
            """,
            "10:31 the capture \"last\" is not used")
    ])
    func unusedCapturesOfMessages(_ test: LintCase) throws {
        let findings = try test.findings(of: "unused-capture")
        #expect(findings == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "unused variables of the suite, a test and a step",
            """
            baseURL: http://localhost
            variables: { a: 1 }
            tests:
              - name: a
                variables: { b: 2 }
                steps: [{ request: GET /, variables: { c: 3 } }]
            """,
            "2:14 the variable \"a\" is not used", "5:18 the variable \"b\" is not used",
            "6:44 the variable \"c\" is not used"),
        LintCase(
            "variables that a URL, a body, an assertion, a default and another variable use",
            """
            baseURL: http://localhost/${a}
            variables: { a: 1, b: 2, c: "${d}", d: 4, e: 5 }
            defaults: { headers: { X-E: "${e}" } }
            tests:
              - name: a
                variables: { f: 6 }
                request: { method: POST, url: "/${b}", json: { "${c}": "${f}" } }
            """),
        LintCase(
            "a variable that only its own value uses",
            """
            baseURL: http://localhost
            variables: { a: 1 }
            tests:
              - { name: a, variables: { b: "${a}" }, request: GET / }
            """, "4:29 the variable \"b\" is not used"),
        LintCase(
            "a variable of one test that another test uses",
            """
            baseURL: http://localhost
            variables: { a: 1 }
            tests:
              - { name: a, request: "GET /${a}" }
              - { name: b, variables: { a: 2 }, request: GET / }
            """, "5:29 the variable \"a\" is not used"),
        LintCase(
            "a variable of a test that a variable of the suite uses",
            """
            baseURL: http://localhost
            variables: { a: 1, path: "/x/${a}" }
            tests:
              - { name: a, variables: { a: 2 }, request: "GET ${path}" }
            """),
        LintCase(
            "a variable of an environment that is not chosen",
            """
            baseURL: http://localhost
            variables: { user: ada }
            environments: { staging: { variables: { user: eve, extra: 1 } } }
            tests: [{ name: a, request: "GET /${user}" }]
            """, "3:52 the variable \"extra\" is not used"),
        LintCase(
            "a variable that exists to be masked",
            """
            baseURL: http://localhost
            secrets: [key]
            variables: { key: abcdef-secret }
            tests: [{ name: a, request: GET / }]
            """),
        LintCase(
            "values under x- keys are ignored",
            """
            baseURL: http://localhost
            variables: { a: 1 }
            x-note: ${a}
            tests: [{ name: a, request: GET / }]
            """, "2:14 the variable \"a\" is not used"),
    ])
    func unusedVariable(_ test: LintCase) throws {
        let findings = try test.findings(of: "unused-variable")
        #expect(findings == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "a test's variable shadows the suite's, and a step's the test's",
            """
            baseURL: http://localhost
            variables: { a: 1 }
            tests:
              - name: a
                variables: { a: 2 }
                steps: [{ variables: { a: 3 }, request: "GET /${a}" }]
            """,
            "5:18 the test's variable \"a\" hides the suite's variable of the same name",
            "6:28 the step's variable \"a\" hides the test's variable of the same name"),
        LintCase(
            "a test's variable shadows an environment's",
            """
            baseURL: http://localhost
            environments: { staging: { variables: { a: 1 } } }
            tests: [{ name: a, variables: { a: 2 }, request: "GET /${a}" }]
            """, "3:33 the test's variable \"a\" hides the environment's variable of the same name"),
        LintCase(
            "an environment may replace variables of the suite",
            """
            baseURL: http://localhost
            variables: { a: 1 }
            environments: { staging: { variables: { a: 2 } } }
            tests: [{ name: a, request: "GET /${a}" }]
            """),
        LintCase(
            "a capture shadows a variable of the suite",
            """
            baseURL: http://localhost
            variables: { a: 1 }
            tests:
              - { name: a, request: GET /, capture: { a: $.a } }
              - { name: b, request: "GET /${a}" }
            """, "4:43 the capture \"a\" hides the suite's variable of the same name"),
        LintCase(
            "a capture of a previous test shadows a test's variable",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: GET /, capture: { a: $.a } }
              - { name: b, variables: { a: 1 }, request: "GET /${a}" }
            """, "4:29 the capture \"a\" hides the test's variable of the same name"),
        LintCase(
            "a capture of a later test shadows nothing",
            """
            baseURL: http://localhost
            tests:
              - { name: b, variables: { a: 1 }, request: "GET /${a}" }
              - { name: a, request: GET /, capture: { a: $.a } }
            """),
        LintCase(
            "two tests with variables of the same name",
            """
            baseURL: http://localhost
            tests:
              - { name: a, variables: { a: 1 }, request: "GET /${a}" }
              - { name: b, variables: { a: 2 }, request: "GET /${a}" }
            """),
    ])
    func shadowedName(_ test: LintCase) throws {
        let findings = try test.findings(of: "shadowed-name")
        #expect(findings == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "an unused prefix",
            """
            baseURL: http://localhost
            namespaces: { a: urn:a, b: urn:b }
            tests: [{ name: a, request: GET /, expect: { xml: { "/a:root/ab": x } } }]
            """, "2:25 no XPath uses the prefix \"b\""),
        LintCase(
            "prefixes of a capture and within a predicate",
            """
            baseURL: http://localhost
            namespaces: { a: urn:a, b: urn:b }
            tests:
              - name: a
                request: GET /
                expect: { xml: { "/x[@a:id]": 1 } }
                capture: { c: { xpath: //b:c } }
            """),
    ])
    func unusedNamespace(_ test: LintCase) throws {
        let findings = try test.findings(of: "unused-namespace")
        #expect(findings == test.expected)
    }
}
