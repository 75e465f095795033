import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of the lifetime of a transport and of the objects that it retains.
@Suite("Transport lifetime")
struct TransportLifetimeTests {
    private final class Token: Sendable {}

    /// A weak reference to an object.
    private struct Glance: @unchecked Sendable {
        weak var token: Token?
    }

    @Test("Closures of a request are released when it finishes")
    func closures() async throws {
        let server = FaultyServer([.receive, .send(ExchangeTests.ok), .waitForClose])
        try await ExchangeTests.with(server) { server, session in
            let glance = try await { () async throws -> Glance in
                let token = Token()
                let pending = session.post(server.url, body: .bytes([1, 2, 3])).onUploadProgress { _ in _ = token }
                _ = try await pending.response()
                return Glance(token: token)
            }()
            // The event loop releases it too.
            for _ in 0..<10_000 where glance.token != nil { await Task.yield() }
            #expect(glance.token == nil)
        }
    }

    @Test("Releasing a session without closing it closes its connections", .timeLimit(.minutes(1)))
    func dropping() async throws {
        let server = FaultyServer([.receive, .send(ExchangeTests.ok), .waitForClose])
        try await ExchangeTests.with(server) { server, _ in
            let status = try await { () async throws -> Int in
                let transport = NIOTransport(settings: .init(idleConnectionTimeout: .seconds(3600)))
                return try await Session(transport: transport).get(server.url).response().status
            }()
            #expect(status == 200)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("An unused transport can be closed after its event loops have shut down")
    func closingUnused() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let transport = NIOTransport(group: group)
        #expect(transport.executors.count == 1)
        try await group.shutdownGracefully()
        await transport.close()
    }
}
