import CEL
import RunModel
import SuiteModel
import SuiteTestSupport
import Testing

/// Tests of the keys that control whether, when, and how often a test or step runs.
@Suite("Reading conditions, polling, and time limits")
struct FlowReadingTests {
    private static let second: Int64 = 1_000_000_000

    @Test(
        "A condition is an expression, with or without delimiters",
        arguments: [
            ("x == 1", "x == 1"), ("${x == 1}", "x == 1"), ("'x == 1'", "x == 1"), ("true", "true"),
            ("False", "false"), ("'${ y.startsWith(\"t\") }'", " y.startsWith(\"t\") "),
        ])
    func conditions(_ written: String, _ expression: String) throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            variables: { x: 1, y: two }
            tests:
              - name: a
                if: \(written)
                request: GET /
            """)
        #expect(suite.tests.first?.condition?.expression.source == expression)
    }

    @Test func plainStepHasNoFlow() throws {
        let step = try loadStep("request: GET /\ndelay: 0s")
        #expect(step.flow == nil)
    }

    @Test func delayAndTimeout() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - { name: a, timeout: 1m30s, delay: 500ms, only: true, request: GET / }
              - { name: b, only: false, request: GET / }
            """)
        #expect(suite.tests.map { $0.timeout?.known } == [90 * Self.second, nil])
        #expect(suite.tests.map(\.isOnly) == [true, false])
        #expect(suite.tests.first?.steps.first?.flow?.delay.known == Self.second / 2)
    }

    @Test func polling() throws {
        let step = try loadStep(
            """
            request: GET /
            until:
              status: 200
              json: { $.state: open }
              assert: [body.a == x, body.b == 2]
              every: 2s
              within: 3m
              backoff: exponential
              maxDelay: 20s
              abort: { status: 5xx, assert: body.broken }
            """)
        let rule = try #require(step.flow?.until)
        #expect(rule.expectations.status?.text == "200")
        #expect(rule.expectations.json.count == 1)
        #expect(rule.expectations.assertions.count == 2)
        let pace = try #require(rule.pace.known)
        #expect(pace.every == 2 * Self.second)
        #expect(pace.within == 180 * Self.second)
        #expect(pace.backoff == .exponential)
        #expect(pace.maximumDelay == 20 * Self.second)
        #expect(rule.abort?.status?.text == "5xx")
        #expect(rule.abort?.assertions.count == 1)
        // With `until`, a status below 400 is not also required.
        #expect(!step.expectations.isDefault)
        #expect(step.expectations.status == nil)
    }

    @Test(
        "Polling has default intervals and limits",
        arguments: [
            ("until: 204", 1, 60, 60), ("until: { status: 200, every: 2m }", 120, 60, 120),
            ("until: { status: 200, within: 5s }", 1, 5, 60),
        ] as [(String, Int64, Int64, Int64)])
    func standardPolling(_ until: String, _ every: Int64, _ within: Int64, _ maximum: Int64) throws {
        let rule = try #require(loadStep("request: GET /\n" + until).flow?.until)
        let pace = try #require(rule.pace.known)
        #expect(pace.every == every * Self.second)
        #expect(pace.within == within * Self.second)
        #expect(pace.maximumDelay == maximum * Self.second)
        #expect(pace.backoff == .constant)
        #expect(rule.abort == nil)
    }

    @Test func longDelayOfRetries() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - { name: a, retry: { times: 1, delay: 2m }, request: GET / }
              - { name: b, retry: { times: 1, delay: 2s }, request: GET / }
            """)
        #expect(suite.tests.map { $0.retry?.known?.maximumDelay } == [120 * Self.second, 60 * Self.second])
    }

    // MARK: Setup and teardown

    private static let framed = """
        baseURL: http://localhost
        setup:
          - request: GET /
            capture: { session: $.id }
        tests:
          - name: a
            request: GET /${session}
            capture: { id: $.id }
          - name: b
            request: GET /
            capture: { id: $.id, other: $.id }
        teardown:
          - request: DELETE /${id}
          - request: DELETE /${session}/${other}
        """

    @Test func setupAndTeardown() throws {
        let suite = try loadGood(Self.framed)
        #expect(suite.tests.map(\.name) == ["setup", "a", "b", "teardown"])
        #expect(suite.tests.map(\.kind) == [.setup, .test, .test, .teardown])
        #expect(
            suite.tests.map(\.dependencies) == [
                [], [.init(test: 0, reason: .capture(name: "session")), .init(test: 0, reason: .setup)],
                [.init(test: 0, reason: .setup)],
                [
                    .init(test: 1, reason: .capture(name: "id")), .init(test: 2, reason: .capture(name: "id")),
                    .init(test: 0, reason: .capture(name: "session")), .init(test: 2, reason: .capture(name: "other")),
                ],
            ])
        #expect(suite.tests.last?.steps.map(\.uncertainCaptures) == [["id"], ["session", "other"]])
    }

    @Test func serialOrder() throws {
        let suite = try loadGood("mode: serial\n" + Self.framed)
        #expect(suite.tests[2].dependencies.contains(.init(test: 1, reason: .order)))
        #expect(!suite.tests[1].dependencies.contains { $0.reason == .order })
        #expect(suite.tests.last?.dependencies.contains { $0.reason == .order } == false)
    }

    @Test("A capture of a conditional step is optional, and so are captures that depend on it")
    func uncertainCaptures() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            variables: { x: 1 }
            tests:
              - name: a
                steps:
                  - request: GET /
                    capture: { sure: $.id }
                  - if: x == 1
                    request: GET /
                    capture: { first: $.id }
                  - request: GET /${first}/${sure}
                    capture: { second: $.id }
                  - request: GET /${sure}
              - name: b
                request: GET /${second}
            """)
        #expect(suite.tests.map { $0.steps.map(\.uncertainCaptures) } == [[[], [], ["first"], []], [["second"]]])
    }

    @Test("The exchange of a conditional step is optional, but a step's own captures are not")
    func uncertainExchanges() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            variables: { x: 1 }
            tests:
              - name: a
                steps:
                  - { name: sure, request: GET / }
                  - { name: first, if: x == 1, request: GET / }
                  - { name: second, continue: true, request: GET / }
                  - request: GET /${steps.sure.status}
                  - forEach: ["${steps.first.status}", "${steps.second.status}"]
                    request: GET /${item}
              - name: b
                if: x == 1
                steps:
                  - if: x == 1
                    request: GET /
                    websocket:
                      - receive: { capture: { id: $.id } }
                      - send: "${id}"
                  - request: GET /${id}
              - { name: c, call: f }
            fragments:
              f:
                steps:
                  - { name: first, if: x == 1, request: GET /, capture: { id: $.id } }
                  - { name: second, forEach: "${id}", request: GET /, capture: { item: $.id } }
                  - { if: steps.first.status == 200, request: "GET /${item[0]}" }
            """)
        #expect(
            suite.tests.map { $0.steps.map(\.uncertainCaptures) } == [
                [[], [], [], [], ["steps.first", "steps.second"]], [[], ["id"]], [[]],
            ])
        #expect(
            suite.fragments.first?.steps.map { Set($0.uncertainCaptures) } == [[], ["id"], ["steps.first", "item"]])
    }
}
