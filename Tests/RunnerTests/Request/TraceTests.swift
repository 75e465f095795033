import HTTPSession
import RunModel
import Testing

@testable import Runner

@Testing.Suite("The trace context of requests")
struct TraceTests {
    private func traces(of run: ScriptedRun) -> [TraceContext?] {
        run.transport.requests.map { $0.headers["traceparent"].flatMap { TraceContext(traceparent: $0) } }
    }

    @Test("Each attempt starts a trace of its own, which is recorded")
    func attempts() async throws {
        let run = try ScriptedRun(
            """
            defaults: { trace: true }
            tests: [{ name: a, steps: [{ request: GET /a, retry: 1 }, { request: GET /b }] }]
            """)
        run.transport.answer(.get, "/a", with: .response(503), .response(200))
        run.transport.answer(.get, "/b", with: .response(200))
        #expect(await run.results().map(\.outcome) == [.flaky])
        let traces = traces(of: run).compactMap(\.self)
        #expect(traces.count == 3)
        #expect(Set(traces.map(\.traceID)).count == 3)
        #expect(traces.allSatisfy { $0.isSampled && $0.traceparent.hasPrefix("00-") })
    }

    @Test("The IDs depend on the seed alone")
    func seed() async throws {
        func ids() async throws -> [String?] {
            let run = try ScriptedRun("tests: [{ name: a, request: { url: /a, trace: true } }]")
            run.transport.answer(with: .response(200))
            _ = await run.results()
            return traces(of: run).map { $0?.traceID }
        }
        let first = try await ids()
        #expect(first.count == 1 && first[0] != nil)
        #expect(try await ids() == first)
    }

    @Test("A redirect keeps the trace, also to another origin")
    func redirect() async throws {
        let run = try ScriptedRun("tests: [{ name: a, request: { url: /a, trace: true } }]")
        run.transport.answer(.get, "/a", with: .response(302, ["Location": "/b"]))
        run.transport.answer(.get, "/b", with: .response(302, ["Location": "http://other.test/c"]))
        run.transport.answer(.get, "/c", with: .response(200))
        #expect(await run.results().map(\.outcome) == [.passed])
        let traces = traces(of: run)
        #expect(traces.count == 3 && traces[0] != nil)
        #expect(Set(traces).count == 1)
    }

    @Test(
        "A request with the header, or that leaves it out, starts no trace",
        arguments: ["headers: { Traceparent: own }", "headers: { traceparent: null }", "trace: false"])
    func own(_ keys: String) async throws {
        let run = try ScriptedRun(
            "defaults: { trace: true }\ntests: [{ name: a, request: { url: /a, \(keys) } }]")
        run.transport.answer(with: .response(200))
        #expect(await run.results().map(\.outcome) == [.passed])
        let expected = keys.contains("own") ? "own" : nil
        #expect(run.transport.requests.map { $0.headers["traceparent"] } == [expected])
    }

    @Test("The exchange of a failure has the trace ID that was sent")
    func failure() async throws {
        let run = try ScriptedRun("tests: [{ name: a, request: { url: /a, trace: true } }]")
        run.transport.answer(with: .failure(.connectionReset))
        let exchange = try #require(await run.results().first?.steps.first?.exchange)
        #expect(exchange.request.traceID != nil)
        #expect(exchange.request.traceID == traces(of: run).first??.traceID)
    }
}
