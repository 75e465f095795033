import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of cancellation in each phase of an exchange.
@Suite("Cancellation")
struct CancellationTests {
    static let ok = ExchangeTests.ok
    typealias Responses = StreamedResponseTests

    /// A phase of the exchange: the server's script, the request, and the phases that the error may state.
    struct Location: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var script: [FaultyServer.Step]
        var body = RequestBody.empty
        var expectContinue: Duration?
        var bytesPerSecond: Int?
        var delivery = ResponseDelivery.whole
        var phases: Set<SessionError.Phase>
    }

    private static let large = [UInt8](repeating: 1, count: 64 << 20)
    private static let endless = BodySource(isReplayable: true) { { [UInt8](repeating: 1, count: 1 << 16) } }
    private static let silent = BodySource(isReplayable: true) {
        {
            try await ContinuousClock().sleep(for: .seconds(3600))
            return nil
        }
    }
    private static let ending = BodySource(isReplayable: true) {
        {
            // Ends normally when its task is cancelled, like many sequences.
            try? await ContinuousClock().sleep(for: .seconds(3600))
            return nil
        }
    }

    static let locations: [Location] = [
        Location(testDescription: "sending bytes", script: [.receiveHeader], body: .bytes(large), phases: [.send]),
        Location(
            testDescription: "sending a stream", script: [.receiveHeader], body: .stream(endless), phases: [.send]),
        Location(
            testDescription: "waiting for the body's source", script: [.receiveHeader], body: .stream(silent),
            phases: [.send]),
        Location(
            testDescription: "waiting for a source that ends when it is canceled", script: [.receiveHeader],
            body: .stream(ending), phases: [.send]),
        Location(
            testDescription: "sending slowly", script: [.receiveHeader], body: .bytes([1, 2, 3, 4, 5]),
            bytesPerSecond: 1, phases: [.send]),
        Location(
            testDescription: "waiting for 100 Continue", script: [.receiveHeader], body: .text("x"),
            expectContinue: .seconds(3600), phases: [.send]),
        Location(testDescription: "waiting for the first byte", script: [.receive], phases: [.firstByte]),
        Location(
            testDescription: "after an interim response", script: [.receive, .send("HTTP/1.1 103 X\r\n\r\n")],
            phases: [.firstByte]),
        Location(
            testDescription: "receiving the head", script: [.receive, .send("HTTP/1.1 200 OK\r\nContent-")],
            phases: [.firstByte, .receive]),
        Location(
            testDescription: "receiving the head, streamed", script: [.receive, .send("HTTP/1.1 200 OK\r\nContent-")],
            delivery: .streamed, phases: [.firstByte, .receive]),
        Location(
            testDescription: "receiving the body",
            script: [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe")],
            phases: [.firstByte, .receive]),
        Location(
            testDescription: "receiving the body while still sending",
            script: [.receiveHeader, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe")],
            body: .stream(silent), phases: [.send, .receive]),
        Location(
            testDescription: "receiving the body while still sending, streamed",
            script: [.receiveHeader, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe")],
            body: .stream(silent), delivery: .streamed, phases: [.send, .receive]),
    ]

    @Test("A canceled exchange ends immediately with its phase, and its connection is not reused", arguments: locations)
    func cancelled(location: Location) async throws {
        // Until then, nothing more is read, so that no body is sent completely.
        let isCancelled = Gate()
        let server = FaultyServer(
            [.receive, .send(Self.ok)] + location.script + [.wait(isCancelled), .waitForClose],
            [.receive, .send(Self.ok)])
        try await Responses.with(server, .init(connectionsPerOrigin: 1, idleConnectionTimeout: .seconds(3600))) {
            server, transport in
            _ = try await transport.send(Responses.request(server, delivery: .whole))
            var request = try Responses.request(server, .put, body: location.body, delivery: location.delivery)
            request.expectContinue = location.expectContinue
            request.bytesPerSecond = location.bytesPerSecond
            let sent = request
            let task = Task { await ExchangeTests.failure { try await transport.send(sent) } }
            await server.waitForRequests(2)
            task.cancel()
            let error = await task.value
            isCancelled.open()
            #expect(error?.reason == .cancelled)
            #expect(error.map { location.phases.contains($0.phase) } == true, "\(error?.phase.rawValue ?? "no error")")
            // The transport allows only one connection, so the old one is gone when this request succeeds.
            let next = try await transport.send(Responses.request(server, delivery: .whole))
            #expect(next.body == Array("ok".utf8))
            #expect(!next.metrics.reusedConnection)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("An exchange canceled before it starts sends nothing and does not open its body")
    func before() async throws {
        let server = FaultyServer([.receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            let source = StreamedRequestTests.Pieces(["x"])
            for body in [RequestBody.empty, source.source()] {
                let request = try Responses.request(server, .post, body: body)
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await ExchangeTests.failure { try await transport.send(request) }
                }
                #expect(await task.value?.reason == .cancelled)
            }
            #expect(server.connections == 0)
            #expect(source.opened == 0)
        }
    }

    @Test("An exchange that waits for a connection can be canceled")
    func early() async throws {
        let server = FaultyServer([.receive, .waitForClose])
        let silent = try #require(UnansweringPort())
        try await Responses.with(server, .init(connectionsPerOrigin: 1)) { server, transport in
            let request = try Responses.request(server)
            let first = Task { await ExchangeTests.failure { try await transport.send(request) } }
            await server.waitForRequests(1)
            let second = Task { await ExchangeTests.failure { try await transport.send(request) } }
            second.cancel()
            let error = await second.value
            #expect(error?.reason == .cancelled)
            #expect(error?.phase == .queued || error?.phase == .request)
            first.cancel()
            #expect(await first.value?.phase == .firstByte)
            let connecting = TransportRequest(method: .get, url: try HTTPURL("http://127.0.0.1:\(silent.port)/"))
            let third = Task { await ExchangeTests.failure { try await transport.send(connecting) } }
            await Task.yield()
            third.cancel()
            #expect(await third.value?.reason == .cancelled)
        }
    }
}
