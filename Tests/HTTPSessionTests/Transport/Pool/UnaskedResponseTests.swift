import NIOPosix
import TestSupport
import Testing

@testable import HTTPSession

/// Tests that unsolicited data from a server is never the response to the next request (RFC 9112, section 9.2).
@Suite("Unsolicited responses", .serialized)
struct UnaskedResponseTests {
    private static let ok = ExchangeTests.ok
    private static let stolen = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen"

    /// Returns a transport with one event loop that checks every idle connection, regardless of its idle time.
    private static func watchful() -> NIOTransport {
        var settings = NIOTransport.Settings(idleConnectionTimeout: .seconds(3600))
        settings.lookNanoseconds = 0
        return ConnectionTests.oneLoop(settings)
    }

    @Test("A second response that arrives with the first is discarded")
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
        "Unsolicited data on an idle connection closes it", arguments: [stolen, "\r\n", "x", "HTTP/1.1 408 Late\r\n"])
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

    /// The unexpected action of a server on an idle connection.
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

    /// The event loop is busy and has not read the data, which remains in the socket.
    @Test(
        "Data that arrives before the request is sent prevents the reuse of the connection",
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
                // From here, the event loop reads nothing until the request is written.
                ask.open()
                done.wait()
                return try await session.request(Request(method, url: server.url)).response()
            }.value
            #expect(response.text == "ok")
            #expect(!response.metrics.reusedConnection)
            #expect(response.metrics.staleRetries == 0)
            #expect(server.connections == 2)
        }
    }

    /// Several idle connections are checked together. The one with unsolicited data is discarded; the others are used.
    @Test("Only the idle connection with unsolicited data is discarded")
    func amongSeveral() async throws {
        let (ask, done) = (Gate(), Gate())
        let server = FaultyServer(
            [.receive, .send(Self.ok), .receive, .send(Self.ok), .waitForClose],
            [.receive, .send(Self.ok), .wait(ask), .send(Self.stolen), .open(done), .receive, .waitForClose],
            [.receive, .send(Self.ok), .receive, .send(Self.ok), .waitForClose],
            [.receive, .send(Self.ok)])
        let transport = Self.watchful()
        try await ExchangeTests.with(server, transport: transport) { server, session in
            let executor = try #require(transport.executors.first)
            let url = server.url
            // Started from the event loop, so none has its response before all have started.
            @Sendable func three() async throws -> [Response] {
                try await withThrowingTaskGroup(of: Response.self) { group in
                    for _ in 0..<3 {
                        group.addTask(executorPreference: executor) { try await session.get(url).response() }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            let before = try await Task(executorPreference: executor) { try await three() }.value
            #expect(before.allSatisfy { !$0.metrics.reusedConnection })
            let responses = try await Task(executorPreference: executor) {
                // From here, the event loop reads nothing until the requests are written.
                ask.open()
                done.wait()
                return try await three()
            }.value
            #expect(responses.map(\.text) == ["ok", "ok", "ok"])
            #expect(responses.filter(\.metrics.reusedConnection).count == 2)
            #expect(responses.allSatisfy { $0.metrics.staleRetries == 0 })
            #expect(server.connections == 4)
        }
    }

    /// In this case, the write fails, and the request moves to another connection.
    @Test("A request moves to another connection if a reset was not noticed before the write")
    func resetUnseen() async throws {
        let (ask, done) = (Gate(), Gate())
        let server = FaultyServer(
            [.receive, .send(Self.ok), .wait(ask), .reset, .open(done)], [.receive, .send(Self.ok)])
        var settings = NIOTransport.Settings(idleConnectionTimeout: .seconds(3600))
        settings.lookNanoseconds = .max
        let transport = ConnectionTests.oneLoop(settings)
        let recorder = EventOrderTests.Recorder()
        var configuration = SessionConfiguration()
        configuration.monitors = [recorder]
        let response = try await ExchangeTests.with(server, configuration, transport: transport) { server, session in
            _ = try await session.get(server.url).response()
            let executor = try #require(transport.executors.first)
            return try await Task(executorPreference: executor) {
                ask.open()
                done.wait()
                return try await session.get(server.url + "again").response()
            }.value
        }
        #expect(response.text == "ok")
        #expect(response.metrics.staleRetries == 1)
        #expect(
            recorder.events.last == [
                "created", "adapted 1", "reused", "connected", "sent /again", "head 200", "received 200",
                "finished 200",
            ])
    }

    @Test("An idle connection without pending data is reused")
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
