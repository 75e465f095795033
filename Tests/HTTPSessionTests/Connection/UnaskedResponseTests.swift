import NIOPosix
import TestSupport
import Testing

@testable import HTTPSession

/// What a server sends without being asked is never the answer of the next request (RFC 9112 section 9.2).
@Suite("Responses that nobody asked for", .serialized)
struct UnaskedResponseTests {
    private static let ok = ExchangeTests.ok
    private static let stolen = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen"

    /// A transport of one event loop that looks at every idle connection, however short it was idle.
    private static func watchful() -> NIOTransport {
        var settings = NIOTransport.Settings(idleConnectionTimeout: .seconds(3600))
        settings.lookNanoseconds = 0
        return ConnectionTests.oneLoop(settings)
    }

    @Test("A second response in the packet of the first")
    func together() async throws {
        let server = FaultyServer(
            [.receive, .send(Self.ok + Self.stolen), .receive, .waitForClose], [.receive, .send(Self.ok)])
        try await ExchangeTests.with(server, transport: ConnectionTests.oneLoop()) { server, session in
            let first = try await session.get(server.url).response()
            #expect(first.metrics.bytesAfterResponse == Self.stolen.utf8.count)
            let text = try await session.get(server.url).string()
            #expect(text == "ok")
            #expect(server.connections == 2)
        }
    }

    @Test(
        "A second response on the idle connection closes it", arguments: [stolen, "\r\n", "x", "HTTP/1.1 408 Late\r\n"])
    func whileIdle(_ unasked: String) async throws {
        let server = FaultyServer(
            [.receive, .send(Self.ok), .send(unasked), .waitForClose], [.receive, .send(Self.ok)])
        try await ExchangeTests.with(server, transport: ConnectionTests.oneLoop()) { server, session in
            _ = try await session.get(server.url).response()
            await server.waitForClosedConnections(1)
            let text = try await session.get(server.url).string()
            #expect(text == "ok")
            #expect(server.connections == 2)
        }
    }

    /// What a server does on an idle connection.
    enum Surprise: CaseIterable {
        case response, lineBreak, end

        var step: FaultyServer.Step {
            switch self {
            case .response: .send(stolen)
            case .lineBreak: .send("\r\n")
            case .end: .endSending
            }
        }
    }

    /// The event loop is at something else meanwhile, and has not read it: it waits in the socket.
    @Test(
        "What arrives between the choice of a connection and the request",
        arguments: Surprise.allCases, [HTTPMethod.get, .post])
    func whileTheLoopIsBusy(_ surprise: Surprise, _ method: HTTPMethod) async throws {
        let (ask, done) = (Gate(), Gate())
        let server = FaultyServer(
            [.receive, .send(Self.ok), .wait(ask), surprise.step, .open(done), .receive, .waitForClose],
            [.receive, .send(Self.ok)])
        let transport = Self.watchful()
        try await ExchangeTests.with(server, transport: transport) { server, session in
            _ = try await session.get(server.url).response()
            let executor = try #require(transport.executors.first)
            let response = try await Task(executorPreference: executor) {
                // The event loop reads nothing from here until the request is written.
                ask.open()
                done.wait()
                return try await session.request(Request(method, server.url)).response()
            }.value
            #expect(response.text == "ok")
            #expect(!response.metrics.reusedConnection)
            #expect(response.metrics.staleRetries == 0)
            #expect(server.connections == 2)
        }
    }

    @Test("An idle connection on which nothing waits is used again")
    func quiet() async throws {
        let server = FaultyServer([.receive, .send(Self.ok), .receive, .send(Self.ok), .waitForClose])
        try await ExchangeTests.with(server, transport: Self.watchful()) { server, session in
            _ = try await session.get(server.url).response()
            let second = try await session.get(server.url).response()
            #expect(second.metrics.reusedConnection)
            #expect(server.connections == 1)
        }
    }
}
