import HTTPSession
import RunModel
import Testing

@testable import Runner

@Testing.Suite("A step that is skipped or limited")
struct StepLimitTests {
    private static let second: Int64 = 1_000_000_000

    @Test("A skipped step sends nothing, and steps that use its captures are skipped")
    func skip() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: shop
                steps:
                  - { name: pay, skip: vouchers come later, request: POST /pay, capture: { id: $.id } }
                  - { name: each, skip: true, forEach: [1, 2], request: "GET /items/${item}" }
                  - { name: receipt, request: "GET /receipts/${id}" }
                  - { name: list, skip: false, request: GET /items }
            """)
        run.transport.answer(with: .response(200))
        #expect(
            await run.outcomes() == [
                "shop passed: pay skipped (vouchers come later), each skipped (), receipt skipped (\"id\" was not captured), list passed"
            ])
        #expect(run.requests == ["GET /items"])
    }

    @Test("The timeout of a step ends it and its test, or only the step with `continue`", arguments: [true, false])
    func timeout(continues: Bool) async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: slow
                steps:
                  - { name: wait, timeout: 2s, continue: \(continues), request: GET /slow }
                  - { name: next, request: GET /next }
            """)
        run.transport.answer(.get, "/slow", with: .never)
        run.transport.answer(.get, "/next", with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.errored])
        #expect(results[0].messages.count == 1)
        #expect(results[0].messages.first?.hasPrefix("timeout: the step's timeout of 2s expired") == true)
        #expect(results[0].steps[1].outcome == (continues ? .passed : .skipped(reason: "wait failed")))
        #expect(run.waits == [2 * Self.second])
    }

    @Test("The timeout of a test ends a step that has a longer one")
    func bothTimeouts() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - { name: slow, timeout: 2s, steps: [{ name: wait, timeout: 2h, request: GET /slow, continue: true }, { request: GET /b }] }
            """)
        run.transport.answer(with: .never)
        let results = await run.results()
        #expect(results[0].messages.count == 1)
        #expect(results[0].messages.first?.hasPrefix("timeout: the test's timeout of 2s expired") == true)
        #expect(!run.requests.contains("GET /b"))
    }

    @Test("A step that ends before its timeout keeps its result and its captures")
    func inTime() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: quick
                steps:
                  - { name: all, timeout: 2h, forEach: [1, 2], request: "GET /${item}", capture: { ids: $.id } }
                  - { name: then, request: "GET /${ids[0]}-${ids[1]}" }
            """)
        run.transport.answer(.get, "/1", with: .json(#"{"id": "a"}"#))
        run.transport.answer(.get, "/2", with: .json(#"{"id": "b"}"#))
        run.transport.answer(.get, "/a-b", with: .response(200))
        #expect(await run.outcomes() == ["quick passed: all [1] passed, all [2] passed, then passed"])
    }

    @Test("Polling ends after the maximum number of requests, and the failure says so")
    func times() async throws {
        let run = try ScriptedRun(
            "tests: [{ name: open, request: GET /state, until: { status: 200, times: 3, every: 50s } }]")
        run.transport.answer(with: .response(503))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.failed])
        #expect(
            results[0].messages.first == "until: polled 3 times, the maximum, but the condition did not hold")
        #expect(run.requests.count == 3)
        #expect(run.waits == [50 * Self.second, 50 * Self.second])
    }

    @Test("Polling ends at its time limit if that comes before the maximum number of requests")
    func timesAndTime() async throws {
        let run = try ScriptedRun(
            "tests: [{ name: open, request: GET /state, until: { status: 200, times: 30, every: 20s, within: 50s } }]")
        run.transport.answer(with: .response(503))
        let results = await run.results()
        #expect(results[0].messages.first == "until: polled 3 times in 50s, but the condition did not hold")
        #expect(run.requests.count == 3)
    }
}
