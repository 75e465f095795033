import HTTPSession
import RunModel
import Testing

@testable import Runner

@Testing.Suite("A step, with its retries, polls and loops")
struct StepRunnerTests {
    @Test("a step that is retried keeps its earlier attempts, and waits in between")
    func retry() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps:
                  - { name: first, request: GET /a, expect: 200, retry: { times: 3, delay: 10ms, backoff: exponential } }
                  - { name: second, request: GET /b }
            """)
        run.transport.answer(.get, "/a", with: .response(503), .failure(.connectionReset), .response(200))
        run.transport.answer(.get, "/b", with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.flaky])
        #expect(results[0].steps.map(\.outcome) == [.flaky, .passed])
        #expect(results[0].steps[0].earlierAttempts.map(\.outcome) == [.failed, .errored])
        #expect(run.waits == [10_000_000, 20_000_000])
    }

    @Test("Retry-After is how long a retry waits at least")
    func retryAfter() async throws {
        let run = try ScriptedRun("tests: [{ name: a, steps: [{ request: GET /a, retry: { times: 1, delay: 1ms } }] }]")
        run.transport.answer(with: .response(503, ["Retry-After": "2"]), .response(200))
        #expect(await run.results().map(\.outcome) == [.flaky])
        #expect(run.waits == [2_000_000_000])
    }

    @Test("a request that cannot be made is an error, and is not retried")
    func expression() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps: [{ request: "GET /${[1][n]}", variables: { n: "${size('x')}" }, retry: 2 }]
            """)
        let results = await run.results()
        #expect(results.map(\.outcome) == [.errored])
        #expect(results[0].steps[0].findings.map(\.subject) == [.expression])
        #expect(results[0].steps[0].earlierAttempts.isEmpty)
        #expect(run.requests.isEmpty)
    }

    @Test("an exchange without an answer says in which phase it failed, and why")
    func failure() async throws {
        let run = try ScriptedRun("tests: [{ name: a, request: GET /a }]")
        run.transport.answer(with: .failure(.connectionRefused, phase: .connect))
        let step = try #require(await run.results().first?.steps.first)
        #expect(step.outcome == .errored)
        #expect(step.findings.map(\.subject) == ["connect"])
        #expect(step.findings.map(\.type.rawValue) == ["connectionRefused"])
        #expect(step.exchange?.failure?.phase == .connect)
    }

    @Test("exchanges that are as expected are kept only when they are asked for", arguments: [false, true])
    func keeping(_ keeps: Bool) async throws {
        let run = try ScriptedRun("tests: [{ name: a, request: GET /a }]", keepsExchanges: keeps)
        run.transport.answer(with: .response(200))
        #expect(await run.results().map { $0.steps[0].exchange != nil } == [keeps])
    }

    @Test("a poll goes on until what is polled for holds, then checks and captures")
    func poll() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps:
                  - request: GET /job
                    until: { json: { $.state: done }, every: 5s, within: 1m }
                    expect: { json: { $.id: 7 } }
                    capture: { id: $.id }
                  - request: GET /result/${id}
            """)
        run.transport.answer(
            .get, "/job", with: .json(#"{"state": "open"}"#), .failure(.connectionReset),
            .json(#"{"state": "done", "id": 7}"#))
        run.transport.answer(.get, "/result/7", with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.passed])
        #expect(results[0].steps[0].polls == 3)
        #expect(run.waits == [5_000_000_000, 5_000_000_000])
        #expect(run.requests == ["GET /job", "GET /job", "GET /job", "GET /result/7"])
    }

    @Test("a poll ends with its time, or with an answer after which there is no hope")
    func pollInVain() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - { name: late, request: GET /slow, until: { json: { $.state: done }, every: 20s, within: 1m } }
              - name: broken
                request: GET /broken
                until: { json: { $.state: done }, every: 1s, abort: { json: { $.state: broken } } }
            """)
        run.transport.answer(.get, "/slow", with: .json(#"{"state": "open"}"#))
        run.transport.answer(.get, "/broken", with: .json(#"{"state": "open"}"#), .json(#"{"state": "broken"}"#))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.failed, .failed])
        #expect(results.map { $0.steps[0].findings[0].subject } == ["until", "abort"])
        #expect(results[0].steps[0].findings[0].message == "polled 3 times in 1m, but the condition did not hold")
        #expect(run.waits == [20_000_000_000, 20_000_000_000, 1_000_000_000])
    }

    @Test("a loop sends a request for each element, and captures lists")
    func loop() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps:
                  - { name: "read ${item}", forEach: [a, b, a], request: "GET /${item}", capture: { n: $.n } }
                  - { name: sum, request: GET /sum, assert: "n == [1, 2, 3]" }
            """)
        run.transport.answer(.get, "/a", with: .json(#"{"n": 1}"#), .json(#"{"n": 3}"#))
        run.transport.answer(.get, "/b", with: .json(#"{"n": 2}"#))
        run.transport.answer(.get, "/sum", with: .response(200))
        #expect(
            await run.outcomes() == [
                "a passed: read a passed, read b passed, read a [3] passed, sum passed"
            ])
    }

    @Test("the element at which a loop failed is told, and ends it")
    func failedLoop() async throws {
        let run = try ScriptedRun(
            "tests: [{ name: a, steps: [{ forEach: [1, 2, 3], request: \"GET /${item}\", expect: 200 }] }]")
        run.transport.answer(.get, "/1", with: .response(200))
        run.transport.answer(.get, "/2", with: .response(404))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.failed])
        #expect(results[0].steps[1].findings[0].details == ["element 2: item 2"])
        #expect(run.requests == ["GET /1", "GET /2"])
    }

    @Test("a delay is waited for before the request, and a condition skips a step alone")
    func flow() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps:
                  - { name: one, request: GET /a, delay: 3s }
                  - { name: two, request: GET /b, if: 1 > 2 }
                  - { name: three, request: GET /c }
            """)
        run.transport.answer(with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.passed])
        #expect(run.requests == ["GET /a", "GET /c"])
        #expect(run.waits == [3_000_000_000])
    }

    @Test("what is captured as a secret is masked")
    func secrets() async throws {
        let run = try ScriptedRun(
            "tests: [{ name: a, request: GET /a, capture: { t: { json: $.token, secret: true } } }]")
        run.transport.answer(with: .json(#"{"token": "hunter22"}"#))
        #expect(await run.results().map(\.outcome) == [.passed])
        #expect(run.secrets == ["hunter22"])
    }
}
