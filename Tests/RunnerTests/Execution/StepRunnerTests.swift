import Basics
import HTTPSession
import RunModel
import Testing

@testable import Runner

@Testing.Suite("A step, with its retries, polls and loops")
struct StepRunnerTests {
    @Test("A retried step records its previous attempts and waits between them")
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
        #expect(results[0].steps[0].previousAttempts.map(\.outcome) == [.failed, .errored])
        #expect(run.waits == [10_000_000, 20_000_000])
    }

    @Test("Retry-After is the minimum wait before a retry")
    func retryAfter() async throws {
        let run = try ScriptedRun("tests: [{ name: a, steps: [{ request: GET /a, retry: { times: 1, delay: 1ms } }] }]")
        run.transport.answer(with: .response(503, ["Retry-After": "2"]), .response(200))
        #expect(await run.results().map(\.outcome) == [.flaky])
        #expect(run.waits == [2_000_000_000])
    }

    @Test("A request that cannot be built is an error and is not retried")
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
        #expect(results[0].steps[0].previousAttempts.isEmpty)
        #expect(run.requests.isEmpty)
    }

    @Test("An exchange without a response reports the phase and reason of the failure")
    func failure() async throws {
        let run = try ScriptedRun("tests: [{ name: a, request: GET /a }]")
        run.transport.answer(with: .failure(.connectionRefused, phase: .connect))
        let step = try #require(await run.results().first?.steps.first)
        #expect(step.outcome == .errored)
        #expect(step.findings.map(\.subject) == ["connect"])
        #expect(step.findings.map(\.type.rawValue) == ["connectionRefused"])
        #expect(step.exchange?.failure?.phase == .connect)
    }

    @Test("Exchanges of passed steps are kept only on request", arguments: [false, true])
    func keeping(_ keeps: Bool) async throws {
        let run = try ScriptedRun("tests: [{ name: a, request: GET /a }]", keepsExchanges: keeps)
        run.transport.answer(with: .response(200))
        #expect(await run.results().map { $0.steps[0].exchange != nil } == [keeps])
    }

    @Test("Polling continues until its condition is met and then checks and captures")
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

    @Test("Polling ends at its time limit or when its abort condition is met")
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

    @Test("A loop sends a request for each element and captures arrays")
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

    @Test("A failed iteration is reported with its element and ends the loop")
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

    @Test("A delay precedes the request, and a condition skips only its step")
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

    @Test("Values captured as secrets are masked")
    func secrets() async throws {
        let run = try ScriptedRun(
            "tests: [{ name: a, request: GET /a, capture: { t: { json: $.token, secret: true } } }]")
        run.transport.answer(with: .json(#"{"token": "hunter22"}"#))
        #expect(await run.results().map(\.outcome) == [.passed])
        #expect(run.secrets == ["hunter22"])
    }
}
