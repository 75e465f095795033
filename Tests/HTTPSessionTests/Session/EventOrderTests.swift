import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of the order of events that ``SessionEvent`` guarantees.
@Suite("Event order")
struct EventOrderTests {
    /// A monitor that records the events of each request in a short form.
    final class Recorder: EventMonitor {
        private let notes = Mutex<[RequestID: [String]]>([:])

        func receive(_ event: SessionEvent, of request: RequestID) {
            notes.withLock { $0[request, default: []].append(Self.text(event)) }
        }

        /// The events of each request, in the order of the requests.
        var events: [[String]] {
            notes.withLock { notes in notes.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }
        }

        private static func text(_ event: SessionEvent) -> String {
            switch event {
            case .created: "created"
            case .adapted(_, let attempt): "adapted \(attempt)"
            case .servedFromCache: "servedFromCache"
            case .resolved: "resolved"
            case .connected(_, let isReused, _): isReused ? "reused" : "connected"
            case .secured: "secured"
            case .sent(let request, _): "sent \(request.url.path)"
            case .informational(let head): "informational \(head.status)"
            case .headReceived(let head): "head \(head.status)"
            case .received(let response): "received \(response.status)"
            case .redirected(_, let url): "redirected \(url.path)"
            case .validated(let findings): "validated \(findings.count)"
            case .retrying(let attempt, _, _): "retrying \(attempt)"
            case .decoded(let type, _): "decoded \(type)"
            case .finished(.success(let response)): "finished \(response.status)"
            case .finished(.failure(let error)): "finished \(error.reason)"
            default: "other"
            }
        }
    }

    static let ok = ExchangeTests.ok

    static func events(
        _ server: FaultyServer?, _ configure: (inout SessionConfiguration) -> Void = { _ in },
        _ body: (FaultyServer, Session) async throws -> Void
    ) async throws -> [[String]] {
        let recorder = Recorder()
        var configuration = SessionConfiguration()
        configuration.monitors = [recorder]
        configure(&configuration)
        try await ExchangeTests.with(server, configuration, body)
        return recorder.events
    }

    @Test("A successful request sends its events in order on new and reused connections")
    func success() async throws {
        let server = FaultyServer([.receive, .send(Self.ok), .receive, .send(Self.ok)])
        let events = try await Self.events(server) { server, session in
            _ = try await session.get(server.url + "a").validate().response()
            _ = try await session.send(Request(.get, url: server.url + "b"))
        }
        #expect(
            events == [
                [
                    "created", "adapted 1", "connected", "sent /a", "head 200", "received 200", "validated 0",
                    "finished 200",
                ],
                ["created", "adapted 1", "reused", "sent /b", "head 200", "received 200", "finished 200"],
            ])
    }

    @Test("Refused connections, lost connections, and failing adapters end with a completion event")
    func failure() async throws {
        struct Failing: RequestAdapter {
            func adapt(_ request: Request, context: AttemptContext) async throws -> Request { throw RetryTests.Wrong() }
        }
        let closed = try #require(ClosedPort())
        let events = try await Self.events(FaultyServer([.receive, .close])) { server, session in
            _ = await ExchangeTests.failure {
                try await session.get("http://127.0.0.1:\(closed.port)/").response()
            }
            _ = await ExchangeTests.failure { try await session.post(server.url + "a").response() }
            _ = await ExchangeTests.failure { try await session.get(server.url).adapt(with: Failing()).response() }
        }
        #expect(
            events == [
                ["created", "adapted 1", "finished connectionRefused"],
                ["created", "adapted 1", "connected", "sent /a", "finished connectionClosed"],
                ["created", "finished adapterFailed"],
            ])
    }

    @Test("Each retry repeats the attempt's events, with and without validators")
    func retry() async throws {
        let busy = FaultyServer.Step.send("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n")
        let server = FaultyServer([.receive, busy, .receive, .send(Self.ok), .receive, busy, .receive, .send(Self.ok)])
        let events = try await Self.events(server) { configuration in
            configuration.retriers = [RetryPolicy(scale: .zero)]
        } _: { server, session in
            _ = try await session.get(server.url + "a").response()
            _ = try await session.get(server.url + "b").validate().response()
        }
        #expect(
            events == [
                [
                    "created", "adapted 1", "connected", "sent /a", "head 503", "received 503", "retrying 2",
                    "adapted 2", "reused", "sent /a", "head 200", "received 200", "finished 200",
                ],
                [
                    "created", "adapted 1", "reused", "sent /b", "head 503", "received 503", "validated 1",
                    "retrying 2", "adapted 2", "reused", "sent /b", "head 200", "received 200", "validated 0",
                    "finished 200",
                ],
            ])
    }

    @Test("Each redirect sends an event, and only the final response is reported as received")
    func redirect() async throws {
        let server = FaultyServer([
            .receive, RedirectTests.redirect(302, "/b"), .receive, RedirectTests.redirect(307, "/c"), .receive,
            .send("HTTP/1.1 103 Early\r\n\r\n" + Self.ok),
        ])
        let events = try await Self.events(server) { server, session in
            _ = try await session.get(server.url + "a").response()
        }
        #expect(
            events == [
                [
                    "created", "adapted 1", "connected", "sent /a", "head 302", "redirected /b", "reused", "sent /b",
                    "head 307", "redirected /c", "reused", "sent /c", "informational 103", "head 200", "received 200",
                    "finished 200",
                ]
            ])
    }

    @Test(
        "A request canceled before, during, or between attempts ends with a completion event", .timeLimit(.minutes(1)))
    func cancel() async throws {
        let busy = FaultyServer.Step.send("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n")
        let server = FaultyServer([.receive, .waitForClose], [.receive, busy, .waitForClose])
        let delays = RetryTests.DelayMonitor()
        let events = try await Self.events(server) { configuration in
            configuration.monitors.append(delays)
            configuration.retriers = [RetryPolicy(scale: .seconds(3600), maximumDelay: .seconds(3600))]
        } _: { server, session in
            func cancelled(_ path: String, _ wait: () async -> Void) async {
                let task = Task { await ExchangeTests.failure { try await session.get(server.url + path).response() } }
                await wait()
                task.cancel()
                #expect(await task.value?.reason == .cancelled)
            }
            await cancelled("a") { await server.waitForRequests(1) }
            await cancelled("b") { await delays.delayed.wait() }
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await ExchangeTests.failure { try await session.get(server.url).response() }
            }
            #expect(await task.value?.reason == .cancelled)
        }
        #expect(
            events == [
                ["created", "adapted 1", "connected", "sent /a", "finished cancelled"],
                [
                    "created", "adapted 1", "connected", "sent /b", "head 503", "received 503", "retrying 2",
                    "finished cancelled",
                ],
                ["created", "adapted 1", "finished cancelled"],
            ])
    }
}
