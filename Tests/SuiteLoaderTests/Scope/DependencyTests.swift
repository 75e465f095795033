import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Names and the test graph")
struct DependencyTests {
    /// Returns the edges of a suite, as `test ← test: reason`.
    private func edges(_ suite: Suite) -> [String] {
        suite.tests.flatMap { test in
            test.dependencies.map { edge in
                let reason =
                    switch edge.reason {
                    case .capture(let name): name
                    case .exchange(let id): "tests.\(id)"
                    case .needs: "needs"
                    case .setup: "setup"
                    case .order: "order"
                    }
                return "\(test.name) ← \(suite.tests[edge.test].name): \(reason)"
            }
        }
    }

    private func edges(_ tests: String, before: String = "", variables: [String: String] = [:]) throws -> [String] {
        edges(try loadGood("baseURL: http://localhost\n\(before)\ntests:\n\(tests)", variables: variables))
    }

    @Test("A test depends on the nearest preceding test that captures a name it uses")
    func nearest() throws {
        #expect(
            try edges(
                """
                  - { name: a, request: GET /, capture: { id: $.id } }
                  - { name: b, request: GET /, capture: { id: $.id } }
                  - { name: c, request: "GET /${id}/${id}" }
                  - { name: d, request: GET /, capture: { id: $.id } }
                  - { name: e, request: GET /, assert: ["body.id == id"] }
                """) == ["c ← b: id", "e ← d: id"])
    }

    @Test("The expectations, assertions and later captures of a step see its own captures before those of other tests")
    func own() throws {
        #expect(
            try edges(
                """
                  - { name: a, request: GET /, capture: { id: $.id } }
                  - name: b
                    request: GET /b
                    expect: { json: { $.id: "${id}" }, headers: { Location: "${path}" } }
                    assert: [id > 0]
                    capture: { id: $.id, next: "${id + 1}" }
                  - { name: c, request: "GET /${id}", capture: { id: $.id }, assert: [id > 0] }
                  - { name: d, request: GET /d, capture: { old: "${id}", id: $.id } }
                  - { name: e, request: GET /e, capture: { id: $.id }, until: { json: { $.id: "${id}" } } }
                """, before: "variables: { path: \"/${id}\" }") == ["c ← b: id", "d ← c: id", "e ← d: id"])
    }

    @Test("Captures are visible in their own step in calls, WebSocket elements, loops, fragments and defaults")
    func ownEverywhere() throws {
        #expect(
            try edges(
                """
                  - name: a
                    call: f
                    capture: { found: "${id}", next: "${found + 1}" }
                    assert: [found < next]
                  - name: b
                    request: GET /
                    capture: { user: { header: X-User } }
                    expect: { headers: { X-Name: "${user}" } }
                    websocket:
                      - receive: { json: { $.id: "${member}" }, capture: { member: $.id, copy: "${member + user}" } }
                      - send: "${copy}"
                  - { name: c, forEach: [1], request: "GET /${item}", capture: { one: $.id }, assert: [one == item] }
                """,
                before: """
                    defaults: { expect: { headers: { X-Copy: { not: "${copied}" } } } }
                    variables: { copied: 1 }
                    fragments:
                      f:
                        outputs: [id]
                        steps:
                          - request: GET /
                            capture: { id: $.id, words: "${string(id)}" }
                            expect: { body: "${words}" }
                            assert: [id > 0]
                    """) == [])
    }

    @Test("If no preceding test captures the name, a test depends on the only later one that does")
    func later() throws {
        #expect(
            try edges(
                """
                  - { name: a, request: "GET /${id}" }
                  - { name: b, request: GET /, capture: { id: $.id } }
                """) == ["a ← b: id"])
    }

    @Test("Captures are used through variables, at any depth, and through defaults")
    func indirect() throws {
        #expect(
            try edges(
                """
                  - name: login
                    request: { url: /, headers: { Authorization: null } }
                    capture: { token: $.token }
                  - { name: a, request: GET / }
                  - { name: b, variables: { user: "${path}" }, request: { url: "/${user}", headers: { authorization: x } } }
                """,
                before: """
                    variables: { bearer: "Bearer ${token}", path: "${bearer}/x" }
                    defaults: { headers: { Authorization: "${bearer}" } }
                    """) == ["a ← login: token", "b ← login: token"])
    }

    @Test("A default expectation that is replaced or removed causes no dependency")
    func replacedExpectations() throws {
        #expect(
            try edges(
                """
                  - { name: a, request: GET /, capture: { id: $.id }, expect: { json: null } }
                  - { name: b, request: GET / }
                  - { name: c, request: GET /, expect: { json: { $: 1 } } }
                  - { name: d, request: GET /, expect: 200 }
                """, before: "defaults: { expect: { json: { $.id: '${id}' } } }") == ["b ← a: id", "d ← a: id"])
    }

    @Test("Captures of previous steps take precedence over those of previous tests, and those over variables")
    func precedence() throws {
        #expect(
            try edges(
                """
                  - { name: a, request: GET /, capture: { id: $.id } }
                  - name: b
                    steps:
                      - { request: "GET /${id}", capture: { other: $.id } }
                      - { request: GET /, capture: { id: $.id } }
                      - { request: "GET /${id}/${other}" }
                  - { name: c, variables: { id: 1 }, request: "GET /${id}" }
                """) == ["b ← a: id", "c ← b: id"])
        #expect(
            try edges(
                """
                  - { name: a, request: "GET /${id}/${x}/${y}" }
                  - { name: b, request: GET /, capture: { id: $.id, x: $.x, y: $.y } }
                """, before: "variables: { id: 1, y: '${z}', z: 1 }", variables: ["x": "1"]) == [])
    }

    @Test("A variable of a test may use captures of its steps")
    func testVariables() throws {
        #expect(
            try edges(
                """
                  - name: a
                    variables: { path: "/${id}" }
                    steps:
                      - { request: GET /, capture: { id: $.id } }
                      - { request: "GET ${path}" }
                """) == [])
    }

    @Test("An inner variable shadows an outer one, also for the outer variables that use it")
    func shadowing() throws {
        #expect(
            try edges(
                "  - { name: a, variables: { b: 2 }, request: 'GET /${a}' }", before: "variables: { a: '${b}', b: 1 }")
                == [])
        #expect(
            try edges("  - { name: a, variables: { b: 2 }, request: 'GET /${a}' }", before: "variables: { a: '${b}' }")
                == [])
    }

    @Test("Type names are not variables unless one is captured with that name")
    func typeNames() throws {
        #expect(try edges("  - { name: a, request: GET /, assert: ['type(status) == int'] }") == [])
        #expect(
            try edges(
                """
                  - { name: a, request: GET /, capture: { type: $.type } }
                  - { name: b, request: 'GET /${type}' }
                """) == ["b ← a: type"])
    }

    @Test("Parts of the response are available in expect, assert, and capture")
    func responseNames() throws {
        #expect(
            try edges(
                """
                  - name: a
                    request: GET /
                    expect: { headers: { Location: "/books/${body.id}" } }
                    assert: headers["a"] == text && cookies.size() == 0 && duration < duration("1s") && status == 200
                    capture: { a: "${response}" }
                """) == [])
    }

    @Test("tests.ID keeps the exchange of the other test and depends on it")
    func exchanges() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: "GET /${tests.b.body.id}/${tests['c d'].status}" }
              - { name: b, id: b, request: GET / }
              - { name: c, id: c d, request: GET / }
            """)
        #expect(edges(suite) == ["a ← b: tests.b", "a ← c: tests.c d"])
        #expect(suite.tests.map(\.isReferenced) == [false, true, true])
    }

    @Test("Needs refers to tests by id or name")
    func needs() throws {
        #expect(
            try edges(
                """
                  - { name: a, id: first, request: GET / }
                  - { name: b, needs: first, request: GET / }
                  - { name: c, needs: [b, a, b], request: GET / }
                """) == ["b ← a: needs", "c ← b: needs", "c ← a: needs"])
    }

    @Test("A serial suite runs in file order")
    func serial() throws {
        #expect(
            try edges(
                """
                  - { name: a, request: GET /, capture: { id: $.id } }
                  - { name: b, request: 'GET /${id}' }
                  - { name: c, request: GET / }
                """, before: "mode: serial") == ["b ← a: id", "b ← a: order", "c ← b: order"])
    }

    @Test("Long chains of variables and tests do not overflow the stack")
    func chains() throws {
        let count = 20_000
        // The maximum number of nested uses.
        let depth = 240
        let variables = (0..<depth).map { "  v\($0): \"${v\($0 + 1)}\"" }.joined(separator: "\n")
        let tests = (0..<count).map {
            "  - { name: t\($0), request: \"GET /${c\($0)}\", capture: { c\($0 + 1): $.a } }"
        }
        let suite = try loadGood(
            "baseURL: http://localhost\nvariables:\n\(variables)\n  v\(depth): 1\n  c0: \"${v0}\"\ntests:\n"
                + tests.joined(separator: "\n"))
        #expect(
            suite.tests[count - 1].dependencies == [.init(test: count - 2, reason: .capture(name: "c\(count - 1)"))])
    }
}
