import HTTPSession
import RunModel
import Testing

@testable import Runner

@Testing.Suite("A call of a fragment")
struct FragmentRunnerTests {
    private static let login = """
        fragments:
          login:
            parameters: { user: , role: { default: guest } }
            outputs: [token]
            steps:
              - { name: ask, request: "POST /login/${user}/${role}", expect: 200, capture: { token: $.token } }

        """

    @Test("A called fragment gets its arguments and defaults, returns outputs, and prefixes its steps")
    func call() async throws {
        let run = try ScriptedRun(
            Self.login + """
                tests:
                  - name: a
                    steps:
                      - { call: login, with: { user: ada } }
                      - { name: use, request: "GET /${token}" }
                """)
        run.transport.answer(.post, "/login/ada/guest", with: .json(#"{"token": "t"}"#))
        run.transport.answer(.get, "/t", with: .response(200))
        #expect(await run.outcomes() == ["a passed: login › ask passed, use passed"])
    }

    @Test("A call can capture outputs under other names and make assertions about them")
    func captures() async throws {
        let run = try ScriptedRun(
            Self.login + """
                tests:
                  - name: a
                    steps:
                      - { call: login, with: { user: ada, role: r }, capture: { key: "${token}" }, assert: token == "t" }
                      - { name: use, request: "GET /${key}" }
                """)
        run.transport.answer(.post, "/login/ada/r", with: .json(#"{"token": "t"}"#))
        run.transport.answer(.get, "/t", with: .response(200))
        #expect(await run.outcomes() == ["a passed: login › ask passed, login passed, use passed"])
    }

    @Test("A failed step of a fragment ends the test and reports the call")
    func failure() async throws {
        let run = try ScriptedRun(
            Self.login + """
                tests:
                  - name: a
                    steps:
                      - { call: login, with: { user: ada, role: r } }
                      - { name: use, request: "GET /${token}" }
                """)
        run.transport.answer(.post, "/login/ada/r", with: .response(401))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.failed])
        #expect(results[0].messages.first == "status: expected 200, got 401")
        #expect(results[0].steps[0].calls.count == 1)
        #expect(run.requests == ["POST /login/ada/r"])
    }

    @Test("A retried call repeats the whole fragment")
    func retry() async throws {
        let run = try ScriptedRun(
            """
            fragments:
              order:
                outputs: [id]
                steps:
                  - { name: make, request: POST /orders, capture: { id: $.id } }
                  - { name: read, request: "GET /orders/${id}", expect: 200 }
            tests:
              - name: a
                steps: [{ call: order, retry: { times: 1, delay: 1s } }]
            """)
        run.transport.answer(.post, "/orders", with: .json(#"{"id": 1}"#), .json(#"{"id": 2}"#))
        run.transport.answer(.get, "/orders/1", with: .response(404))
        run.transport.answer(.get, "/orders/2", with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.flaky])
        #expect(results[0].steps.map(\.outcome) == [.passed, .flaky])
        #expect(run.requests == ["POST /orders", "GET /orders/1", "POST /orders", "GET /orders/2"])
        #expect(run.waits == [1_000_000_000])
    }

    @Test("A fragment called once per run shares its outputs and cookies with every test")
    func once() async throws {
        let run = try ScriptedRun(
            Self.login + """
                tests:
                  - name: a
                    steps: [{ call: login, with: { user: ada, role: r }, once: run }, { request: "GET /${token}" }]
                  - name: b
                    steps: [{ call: login, with: { user: ada, role: r }, once: run }, { request: "GET /${token}" }]
                  - name: c
                    steps: [{ call: login, with: { user: bob, role: r }, once: run }, { request: "GET /${token}" }]
                """)
        run.transport.answer(
            .post, "/login/ada/r",
            with: .response(200, ["Content-Type": "application/json", "Set-Cookie": "s=1; Path=/"], #"{"token": "t"}"#))
        run.transport.answer(.post, "/login/bob/r", with: .json(#"{"token": "u"}"#))
        run.transport.answer(.get, with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.passed, .passed, .passed])
        #expect(results[1].steps.map(\.name).first == "login (shared)")
        #expect(run.requests == ["POST /login/ada/r", "GET /t", "GET /t", "POST /login/bob/r", "GET /u"])
        #expect(run.transport.requests.map { $0.headers["Cookie"] } == [nil, "s=1", "s=1", nil, nil])
    }

    @Test("A failed fragment that is called once per run blocks the other tests that call it")
    func onceFails() async throws {
        let run = try ScriptedRun(
            Self.login + """
                tests:
                  - { name: a, steps: [{ call: login, with: { user: ada, role: r }, once: run }] }
                  - { name: b, steps: [{ call: login, with: { user: ada, role: r }, once: run }] }
                """)
        run.transport.answer(with: .response(500))
        #expect(
            await run.outcomes() == [
                "a failed: login › ask failed", "b blocked by Suite › a: login (shared) blocked by Suite › a",
            ])
        #expect(run.requests.count == 1)
    }

    @Test("An output that cannot be evaluated is an error of the call")
    func outputFails() async throws {
        let run = try ScriptedRun(
            """
            fragments:
              read:
                outputs: { first: "${items[0]}" }
                steps: [{ name: get, request: GET /a, capture: { items: $.items } }]
            tests: [{ name: a, steps: [{ call: read }] }]
            """)
        run.transport.answer(with: .json(#"{"items": []}"#))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.errored])
        #expect(results[0].steps.last?.findings.map(\.subject) == ["output first"])
    }

    @Test("A secret argument is masked")
    func secrets() async throws {
        let run = try ScriptedRun(
            """
            fragments:
              send: { parameters: { key: { secret: true } }, steps: [{ request: "GET /${key}" }] }
            tests: [{ name: a, steps: [{ call: send, with: { key: hunter22 } }] }]
            """)
        run.transport.answer(with: .response(200))
        #expect(await run.results().map(\.outcome) == [.passed])
        #expect(run.secrets == ["hunter22"])
    }
}
