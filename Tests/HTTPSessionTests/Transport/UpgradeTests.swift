import NIOCore
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of connections that are passed to another protocol.
@Suite("Protocol upgrades")
struct UpgradeTests {
    typealias Responses = StreamedResponseTests

    /// A handler that forwards the received data.
    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let received: AsyncStream<String>.Continuation

        init(_ received: AsyncStream<String>.Continuation) {
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.yield(String(buffer: unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) {
            received.finish()
        }
    }

    private struct Wrong: Error {}

    private static let fields: HTTPHeaders = ["Connection": "Upgrade", "Upgrade": "shout"]
    private static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: shout\r\n\r\n"

    @Test("After a 101 response, the new protocol gets the channel and the bytes already received")
    func upgraded() async throws {
        let gate = Gate()
        let server = FaultyServer([
            .receive, .send(Self.switching + "EARLY"), .wait(gate), .send("LATE"), .waitForClose,
        ])
        try await Responses.with(server, .init(connectionsPerOrigin: 1)) { server, transport in
            let (bytes, continuation) = AsyncStream.makeStream(of: String.self)
            let result = try await transport.upgrade(Responses.request(server, .get, Self.fields)) { channel, head in
                try channel.pipeline.syncOperations.addHandler(Collector(continuation))
                return (head.headers["Upgrade"], channel)
            }
            guard case .upgraded(let response, let value) = result else {
                Issue.record("expected an upgrade, got \(result)")
                return
            }
            #expect(response.head.status == 101)
            #expect(response.metrics.attempts == 1)
            #expect(value.0 == "shout")
            var received = bytes.makeAsyncIterator()
            #expect(await received.next() == "EARLY")
            gate.open()
            #expect(await received.next() == "LATE")
            // It is no longer part of the pool, so another connection is created.
            let second = try await transport.upgrade(Responses.request(server, .get, Self.fields)) { _, _ in }
            if case .refused = second { Issue.record("expected a second upgrade") }
            #expect(server.connections == 2)
            await transport.close()
            #expect(await received.next() == nil)
            #expect(!value.1.isActive)
            await server.waitForClosedConnections(2)
        }
    }

    @Test("Any other status is a regular response")
    func refused() async throws {
        let server = FaultyServer([.receive, .send("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno")])
        try await Responses.with(server) { server, transport in
            let request = try Responses.request(server, .get, Self.fields, delivery: .whole)
            let result = try await transport.upgrade(request) { _, _ in Issue.record("unexpected upgrade") }
            guard case .refused(let response) = result else {
                Issue.record("expected a refused upgrade")
                return
            }
            #expect(response.head.status == 426)
            #expect(response.body == Array("no".utf8))
        }
    }

    @Test("An error while starting the new protocol is reported and closes the connection")
    func failing() async throws {
        let server = FaultyServer([.receive, .send(Self.switching), .waitForClose])
        try await Responses.with(server) { server, transport in
            let request = try Responses.request(server, .get, Self.fields)
            let error = await ExchangeTests.failure {
                try await transport.upgrade(request) { _, _ in throw Wrong() }
            }
            #expect(error?.reason == .upgradeRefused)
            #expect(error?.underlying is Wrong)
            #expect(error?.head?.status == 101)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("A 101 response to a request without an upgrade is invalid")
    func unasked() async throws {
        let server = FaultyServer([.receive, .send(Self.switching), .waitForClose])
        try await Responses.with(server) { server, transport in
            let error = await ExchangeTests.failure {
                try await transport.send(Responses.request(server, delivery: .whole))
            }
            #expect(error?.reason == .invalidResponse)
            #expect(error?.message == "the server switched protocols without a request to upgrade")
            await server.waitForClosedConnections(1)
        }
    }
}
