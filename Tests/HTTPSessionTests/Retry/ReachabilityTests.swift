import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

@Suite("Waiting for a host to be reachable")
struct ReachabilityTests {
    /// A clock that advances only during sleeps, and then performs an action.
    private final class SteppedClock: Sendable {
        private let time = Mutex(Duration.zero)
        private let sleeps = Mutex<[Duration]>([])

        var slept: [Duration] { sleeps.withLock { $0 } }

        func clock(_ during: @escaping @Sendable (Int) -> Void = { _ in }) -> SessionClock {
            SessionClock(
                now: { self.time.withLock { $0 } }, date: { 0 },
                sleep: { duration in
                    self.time.withLock { $0 += duration }
                    during(
                        self.sleeps.withLock {
                            $0.append(duration)
                            return $0.count
                        })
                })
        }
    }

    @Test("The wait for a reachable host ends immediately, and no request is sent")
    func there() async throws {
        let server = FaultyServer([.waitForClose])
        try await ExchangeTests.with(server) { server, session in
            try await session.waitUntilReachable("127.0.0.1", port: server.port)
            await server.waitForClosedConnections(1)
            #expect(server.requests.isEmpty)
            #expect(server.connections == 1)
        }
    }

    @Test("The wait ends when the host becomes reachable")
    func comesUp() async throws {
        let closed = try #require(ClosedPort())
        let stepped = SteppedClock()
        var configuration = SessionConfiguration()
        configuration.clock = stepped.clock { count in
            if count == 3 { closed.startListening() }
        }
        try await withSession(configuration) { session in
            try await session.waitUntilReachable(
                "127.0.0.1", port: closed.port, within: .seconds(10), every: .seconds(1))
        }
        #expect(stepped.slept == [.seconds(1), .seconds(1), .seconds(1)])
    }

    @Test("The wait for an unreachable host times out with the last error")
    func never() async throws {
        let closed = try #require(ClosedPort())
        let stepped = SteppedClock()
        var configuration = SessionConfiguration()
        configuration.clock = stepped.clock()
        await withSession(configuration) { session in
            let error = await ExchangeTests.failure {
                try await session.waitUntilReachable(
                    "127.0.0.1", port: closed.port, within: .seconds(5), every: .seconds(2))
            }
            #expect(error?.reason == .connectionRefused)
            #expect(error?.message.hasSuffix("127.0.0.1:\(closed.port) was not reachable within 5 s") == true)
        }
        #expect(stepped.slept == [.seconds(2), .seconds(2), .seconds(1)])
    }

    @Test(
        "With TLS, the wait includes the handshake, and an untrusted certificate ends it",
        .enabled(if: TestCertificates.isAvailable))
    func tls() async throws {
        let certificates = try #require(TLSTests.certificates)
        let server = try await TLSServer(certificates.valid, response: ExchangeTests.ok)
        let trust = TrustPolicy.authorities([certificates.authority.certificate])
        try await withSession(.init(trust: trust)) { session in
            try await session.waitUntilReachable("localhost", port: server.port, tls: true)
        }
        await withSession { session in
            let error = await ExchangeTests.failure {
                try await session.waitUntilReachable("localhost", port: server.port, tls: true)
            }
            #expect(error?.reason == .certificate(.unknownAuthority))
        }
        #expect(server.text.isEmpty)
        await server.shutDown()
    }

    @Test("Canceling the task and closing the session end the wait")
    func ended() async throws {
        let closed = try #require(ClosedPort())
        let port = closed.port
        await withSession { session in
            let task = Task {
                await ExchangeTests.failure {
                    try await session.waitUntilReachable("127.0.0.1", port: port, every: .seconds(60))
                }
            }
            task.cancel()
            #expect(await task.value?.reason == .cancelled)
            let other = Task {
                await ExchangeTests.failure {
                    try await session.waitUntilReachable("127.0.0.1", port: port, every: .seconds(60))
                }
            }
            await session.close()
            #expect(await other.value?.reason == .sessionClosed)
        }
    }

    @Test("A request that failed to connect is retried when the host becomes reachable")
    func retrier() async throws {
        let closed = try #require(ClosedPort())
        let port = closed.port
        let servers = Mutex<[TestListener]>([])
        let stepped = SteppedClock()
        let recorder = EventRecorder()
        var configuration = SessionConfiguration()
        configuration.retriers = [ReachabilityRetrier(within: .seconds(10), every: .seconds(1))]
        configuration.monitors = [recorder]
        configuration.clock = stepped.clock { count in
            guard count == 2 else { return }
            servers.withLock { $0.append(TestListener(closed)) }
        }
        try await withSession(configuration) { session in
            let response = try await session.get("http://127.0.0.1:\(port)/").response()
            #expect(response.text == "ok")
        }
        #expect(recorder.names.filter { $0 == "retrying" }.count == 1)
        #expect(stepped.slept == [.seconds(1), .seconds(1)])
    }

    /// The retry starts over with the original request, which was sent.
    @Test("After a redirect, only idempotent methods are retried", arguments: [HTTPMethod.post, .put])
    func redirected(_ method: HTTPMethod) async throws {
        let closed = try #require(ClosedPort())
        let servers = Mutex<[TestListener]>([])
        let stepped = SteppedClock()
        var configuration = SessionConfiguration()
        configuration.retriers = [ReachabilityRetrier(within: .seconds(10), every: .seconds(1))]
        configuration.clock = stepped.clock { count in
            guard count == 1 else { return }
            servers.withLock { $0.append(TestListener(closed)) }
        }
        let redirect = RedirectTests.redirect(303, "http://127.0.0.1:\(closed.port)/")
        let server = FaultyServer([.receive, redirect, .receive, redirect])
        try await ExchangeTests.with(server, configuration) { server, session in
            let error = await ExchangeTests.failure {
                try await session.request(Request(method, url: server.url)).response()
            }
            #expect(error?.reason == (method == .post ? .connectionRefused : nil))
            #expect(server.requests.count == (method == .post ? 1 : 2))
        }
    }

    @Test("If the host stays unreachable, the request fails with its original error")
    func retrierGivesUp() async throws {
        let closed = try #require(ClosedPort())
        let stepped = SteppedClock()
        var configuration = SessionConfiguration()
        configuration.retriers = [ReachabilityRetrier(within: .seconds(2), every: .seconds(1))]
        configuration.clock = stepped.clock()
        await withSession(configuration) { session in
            let error = await ExchangeTests.failure {
                try await session.get("http://127.0.0.1:\(closed.port)/").response()
            }
            #expect(error?.reason == .connectionRefused)
            #expect(error?.message.contains("was not reachable") == false)
        }
        #expect(stepped.slept == [.seconds(1), .seconds(1)])
    }
}
