import Basics
import HTTPSession
import RunModel
import Testing

@testable import Runner

@Testing.Suite("A test, with its steps and attempts")
struct TestRunnerTests {
    @Test("Steps share captures and cookies and stop at the first failure")
    func steps() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: buy
                steps:
                  - { name: log in, request: POST /login, capture: { token: $.token } }
                  - { name: add, request: "PUT /cart/${token}", expect: 200 }
                  - { name: pay, request: POST /pay }
            """)
        run.transport.answer(
            .post, "/login",
            with: .response(200, ["Content-Type": "application/json", "Set-Cookie": "id=7"], #"{"token": "t1"}"#))
        run.transport.answer(.put, "/cart/t1", with: .response(500))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.failed])
        #expect(results[0].steps.map(\.name) == ["log in", "add", "pay"])
        #expect(results[0].steps.map(\.outcome).first == .passed)
        #expect(results[0].messages == ["status: expected 200, got 500"])
        #expect(run.requests == ["POST /login", "PUT /cart/t1"])
        #expect(run.transport.requests[1].headers["Cookie"] == "id=7")
    }

    @Test("A retry starts without the captures and cookies of the previous attempt")
    func retry() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: flaky
                retry: { times: 2, delay: 1s }
                steps:
                  - { request: GET /a, capture: { n: $.n } }
                  - { request: "GET /b/${n}" }
            """)
        run.transport.answer(
            .get, "/a",
            with: .response(200, ["Content-Type": "application/json", "Set-Cookie": "a=1"], #"{"n": 1}"#),
            .json(#"{"n": 2}"#))
        run.transport.answer(.get, "/b/1", with: .response(503))
        run.transport.answer(.get, "/b/2", with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.flaky])
        #expect(results[0].previousAttempts.map(\.outcome) == [.failed])
        #expect(run.requests == ["GET /a", "GET /b/1", "GET /a", "GET /b/2"])
        #expect(run.transport.requests[2].headers["Cookie"] == nil)
        #expect(run.waits == [1_000_000_000])
        #expect(results[0].duration == 1_000_000_000)
    }

    @Test(
        "The retries of the run replace those of the suite, and 0 disables them", arguments: [(nil, 1), (2, 3), (0, 1)])
    func retriesOfTheRun(_ retries: Int?, _ requests: Int) async throws {
        let run = try ScriptedRun("tests: [{ name: a, request: GET /a }]", retries: retries)
        run.transport.answer(with: .response(500))
        #expect(await run.results().map(\.outcome) == [.failed])
        #expect(run.requests.count == requests)
    }

    @Test("The conditions of a retry decide whether the test is retried")
    func conditions() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - { name: refused, request: GET /a, retry: { times: 2, on: [connect] } }
              - { name: not found, request: GET /b, retry: { times: 2, on: [connect] } }
            """)
        run.transport.answer(.get, "/a", with: .failure(.connectionRefused, phase: .connect), .response(200))
        run.transport.answer(.get, "/b", with: .response(404))
        #expect(await run.results().map(\.outcome) == [.flaky, .failed])
        #expect(run.requests == ["GET /a", "GET /a", "GET /b"])
    }

    @Test("An unmet condition skips the test, and one that cannot be evaluated is an error")
    func ifCondition() async throws {
        let run = try ScriptedRun(
            """
            variables: { stage: test }
            tests:
              - { name: skipped, if: stage == "live", request: GET /a }
              - { name: errored, if: stage, request: GET /a }
              - { name: done, if: stage == "test", request: GET /a }
            """)
        run.transport.answer(with: .response(200))
        let results = await run.results()
        guard case .skipped = results[0].outcome else { return #expect(Bool(false), "\(results[0].outcome)") }
        #expect(results[1].outcome == .errored)
        #expect(results[1].steps.map { $0.findings.map(\.type.rawValue) } == [["type"]])
        #expect(results[2].outcome == .passed)
        #expect(run.requests.count == 1)
    }

    @Test("A test uses captures of another test and is blocked if a test that it needs failed")
    func captures() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - { name: make, request: POST /a, capture: { id: $.id } }
              - { name: read, request: "GET /a/${id}" }
              - { name: breaks, request: GET /broken }
              - { name: after, needs: breaks, request: GET /never }
            """)
        run.transport.answer(.post, "/a", with: .json(#"{"id": 7}"#))
        run.transport.answer(.get, "/a/7", with: .response(200))
        run.transport.answer(.get, "/broken", with: .response(500))
        #expect(
            await run.outcomes() == [
                "make passed: make passed", "read passed: read passed", "breaks failed: breaks failed",
                "after blocked by breaks: ",
            ])
        #expect(run.requests == ["POST /a", "GET /broken", "GET /a/7"])
    }

    @Test("A failed row is identified in the first finding by the values that were used")
    func rows() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: book
                cases: [{ id: 1, title: Dune }, { id: 2, title: Emma }]
                request: "GET /books/${id}"
                expect: 200
            """)
        run.transport.answer(.get, "/books/1", with: .response(200))
        run.transport.answer(.get, "/books/2", with: .response(404))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.passed, .failed])
        #expect(
            results[1].steps[0].findings[0].details.map(\.text).contains {
                $0.hasPrefix("row 2") && $0.hasSuffix("id 2")
            })
    }

    @Test("A test that waits for a response ends at its timeout")
    func timeout() async throws {
        let run = try ScriptedRun("tests: [{ name: slow, timeout: 2s, request: GET /slow }]")
        run.transport.answer(with: .never)
        let results = await run.results()
        #expect(results.map(\.outcome) == [.errored])
        #expect(results[0].steps[0].findings.map(\.subject) == [.timeout])
        #expect(results[0].steps[0].findings[0].type == .timeout)
        #expect(run.waits == [2_000_000_000])
    }

    @Test("Setup and teardown surround the tests, and a failed setup blocks them")
    func setup() async throws {
        let run = try ScriptedRun(
            """
            setup: [{ request: POST /start }]
            teardown: [{ request: POST /stop }]
            tests: [{ name: a, request: GET /a }]
            """)
        run.transport.answer(.post, "/start", with: .response(500))
        run.transport.answer(.post, "/stop", with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.failed, .blocked(by: results[0].test.name), .passed])
        #expect(run.requests == ["POST /start", "POST /stop"])
    }

    @Test(
        "A setup is retried by the retries of the run and of the suite's defaults, a teardown is not",
        arguments: [(nil, "defaults: { retry: 1 }"), (1, "tags: []"), (1, "defaults: { retry: 0 }")])
    func setupRetries(_ retries: Int?, _ key: String) async throws {
        let run = try ScriptedRun(
            """
            \(key)
            setup: [{ request: POST /start, capture: { id: $.id } }]
            tests: [{ name: a, request: "GET /a/${id}" }]
            teardown: [{ request: POST /stop }]
            """, retries: retries)
        run.transport.answer(.post, "/start", with: .response(503), .json(#"{"id": 7}"#))
        run.transport.answer(.get, "/a/7", with: .response(200))
        run.transport.answer(.post, "/stop", with: .response(500))
        let results = await run.results()
        if key == "defaults: { retry: 0 }" {
            #expect(results.map(\.outcome) == [.failed, .blocked(by: "setup"), .failed])
            #expect(run.requests == ["POST /start", "POST /stop"])
        } else {
            #expect(results.map(\.outcome) == [.flaky, .passed, .failed])
            #expect(run.requests == ["POST /start", "POST /start", "GET /a/7", "POST /stop"])
        }
    }
}
