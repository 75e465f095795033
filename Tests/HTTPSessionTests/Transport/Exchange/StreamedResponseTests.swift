import Basics
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of response bodies that are read as they arrive.
@Suite("Streamed responses")
struct StreamedResponseTests {
    static let ok = ExchangeTests.ok

    /// Runs a test with a server and a transport, and closes both afterwards.
    static func with<Result>(
        _ server: FaultyServer?,
        _ settings: NIOTransport.Settings = .init(idleConnectionTimeout: .seconds(3600)),
        _ body: (FaultyServer, NIOTransport) async throws -> Result
    ) async throws -> Result {
        let server = try #require(server)
        defer { server.shutDown() }
        let transport = ConnectionTests.oneLoop(settings)
        do {
            let result = try await body(server, transport)
            await transport.close()
            return result
        } catch {
            await transport.close()
            throw error
        }
    }

    static func request(
        _ server: FaultyServer, _ method: HTTPMethod = .get, _ headers: HTTPHeaders = [:], body: RequestBody = .empty,
        delivery: ResponseDelivery = .streamed
    ) throws -> TransportRequest {
        var request = TransportRequest(method: method, url: try HTTPURL(server.url), headers: headers, body: body)
        request.delivery = delivery
        return request
    }

    @Test(
        "The head arrives first, then the body in pieces, and then the trailers and metrics"
    )
    func wholeCourse() async throws {
        let gates = [Gate(), Gate()]
        let server = FaultyServer([
            .receive, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .wait(gates[0]),
            .send("5\r\nhello\r\n"), .wait(gates[1]), .send("3\r\n, w\r\n0\r\nX-Sum: 8\r\n\r\n"), .receive,
            .send(Self.ok),
        ])
        try await Self.with(server) { server, transport in
            let response = try await transport.send(Self.request(server))
            #expect(response.head.status == 200)
            #expect(response.body.isEmpty)
            let stream = try #require(response.stream)
            #expect(stream.end == nil)
            gates[0].open()
            #expect(try await stream.next() == Array("hello".utf8))
            gates[1].open()
            #expect(try await stream.next() == Array(", w".utf8))
            #expect(try await stream.next() == nil)
            #expect(stream.end?.trailers == ["X-Sum": "8"])
            #expect(stream.end?.metrics.bodyBytesReceived == 8)
            #expect(stream.end?.metrics.attempts == 1)
            let second = try await transport.send(Self.request(server, delivery: .whole))
            #expect(second.metrics.reusedConnection)
            #expect(server.connections == 1)
        }
    }

    @Test(
        "An incomplete body ends with an error",
        arguments: [
            (
                "Content-Length: 5\r\n\r\nhe", FaultyServer.Step.close, SessionError.Reason.connectionClosed,
                "after 2 of 5"
            ),
            ("Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n", .close, .connectionClosed, "after 2 bytes"),
            ("Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\nxx\r\n", .waitForClose, .invalidResponse, "chunk size"),
            ("Content-Length: 5\r\n\r\nhe", .reset, .connectionReset, "reset the connection"),
            ("Content-Length: 5\r\n\r\nhe", .waitForClose, .timedOut(.idle, .milliseconds(200)), "after 2 of 5 bytes"),
        ])
    func failures(text: String, end: FaultyServer.Step, reason: SessionError.Reason, words: String) async throws {
        let gate = Gate()
        let server = FaultyServer([.receive, .send("HTTP/1.1 200 OK\r\n" + text), .wait(gate), end])
        try await Self.with(server) { server, transport in
            var request = try Self.request(server)
            if case .timedOut = reason { request.timeouts = Timeouts(idle: .milliseconds(200)) }
            let stream = try #require(try await transport.send(request).stream)
            if reason != .invalidResponse { #expect(try await stream.next() == Array("he".utf8)) }
            gate.open()
            let error = await ExchangeTests.failure { while try await stream.next() != nil {} }
            #expect(error?.reason == reason)
            #expect(error?.phase == .receive)
            #expect(error?.head?.status == 200)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test("The body limit applies only to in-memory bodies, and the header limit applies to all")
    func limits() async throws {
        let server = FaultyServer(
            [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + String(repeating: "x", count: 100))],
            [.receive, .send("HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 200))\r\n\r\n"), .waitForClose])
        try await Self.with(server) { server, transport in
            var request = try Self.request(server, .get, ["Connection": "close"])
            request.limits = Limits(headerBytes: 150, bodyBytes: 10)
            let stream = try #require(try await transport.send(request).stream)
            #expect(try await stream.collect().count == 100)
            let error = await ExchangeTests.failure { try await transport.send(request) }
            #expect(error?.reason == .limitExceeded(.headerBytes, 150))
        }
    }

    @Test("Releasing a stream closes its connection immediately and frees its place in the pool")
    func abandoned() async throws {
        let server = FaultyServer(
            [.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .waitForClose],
            [.receive, .send(Self.ok)])
        try await Self.with(server, .init(connectionsPerOrigin: 1)) { server, transport in
            var response: TransportResponse? = try await transport.send(Self.request(server))
            #expect(response?.head.status == 200)
            response = nil
            let second = try await transport.send(Self.request(server, delivery: .whole))
            #expect(second.body == Array("ok".utf8))
            await server.waitForClosedConnections(1)
        }
    }

    @Test("Canceling the requesting task does not end the stream, but canceling the reader does")
    func cancellation() async throws {
        let gate = Gate()
        let server = FaultyServer([
            .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .wait(gate), .send("l"), .waitForClose,
        ])
        try await Self.with(server) { server, transport in
            let request = try Self.request(server)
            let asking = Task { try await transport.send(request) }
            let stream = try #require(try await asking.value.stream)
            asking.cancel()
            #expect(try await stream.next() == Array("he".utf8))
            gate.open()
            #expect(try await stream.next() == Array("l".utf8))
            let reading = Task { () -> SessionError? in await ExchangeTests.failure { try await stream.next() } }
            reading.cancel()
            #expect(await reading.value?.reason == .cancelled)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("Closing the transport ends a stream")
    func closed() async throws {
        let server = FaultyServer([
            .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .waitForClose,
        ])
        try await Self.with(server) { server, transport in
            let stream = try #require(try await transport.send(Self.request(server)).stream)
            await transport.close()
            let error = await ExchangeTests.failure { try await stream.collect() }
            #expect(error?.reason == .sessionClosed)
        }
    }

    @Test("The total timeout covers the entire stream")
    func totalTime() async throws {
        let server = FaultyServer([
            .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .waitForClose,
        ])
        try await Self.with(server) { server, transport in
            var request = try Self.request(server)
            request.timeouts = Timeouts(idle: nil, total: .seconds(1))
            let endless = try #require(try await transport.send(request).stream)
            let error = await ExchangeTests.failure { try await endless.collect() }
            #expect(error?.reason == .timedOut(.total, .seconds(1)))
        }
    }

    @Test(
        "The idle timeout applies only while the exchange waits for bytes",
        arguments: [TransportExchange.Waits.reader, .source, .consent])
    func idleTime(wait: TransportExchange.Waits) async throws {
        let request = TransportRequest(method: .get, url: try HTTPURL("http://localhost/"))
        let eventLoop = MultiThreadedLoops.one.next()
        let result = await withUnsafeContinuation { (continuation: TransportExchange.Continuation) in
            eventLoop.execute {
                let pool = ConnectionPool(eventLoop: eventLoop, settings: .init(), certificates: TLSContexts())
                let exchange = TransportExchange(
                    id: 1, pool: pool, request: request, limits: .init(request.timeouts), feed: nil, upgrade: nil,
                    continuation: continuation)
                exchange.lastActivity = MonotonicClock.now()
                for step in [TransportExchange.Step.sending, .receiving] {
                    exchange.step = step
                    #expect(exchange.nextDeadline().limit == .idle)
                    exchange.waits = wait
                    #expect(exchange.nextDeadline().limit == .total)
                    exchange.waits = []
                }
                exchange.finish(.failure(exchange.error(.cancelled, "done")))
            }
        }
        #expect(throws: SessionError.self) { try result.get() }
    }

    @Test("A server that is faster than the reader is slowed down")
    func backPressure() async throws {
        let size = 64 << 20
        let server = FaultyServer([
            .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
            .send(Array(repeating: 7, count: size)), .receive, .send(Self.ok), .waitForClose,
        ])
        try await Self.with(server) { server, transport in
            let stream = try #require(try await transport.send(Self.request(server)).stream)
            var count = 0
            var maximum = 0
            while let piece = try await stream.next() {
                count += piece.count
                maximum = max(maximum, stream.waiting)
            }
            #expect(count == size)
            // The bytes read from the socket when the stream was full are added.
            #expect(maximum < 2 << 20, "\(maximum)")
            let next = try await transport.send(Self.request(server, delivery: .whole))
            #expect(next.metrics.reusedConnection)
        }
    }

    @Test("A stream without a body ends immediately", arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 304)])
    func empty(method: HTTPMethod, status: Int) async throws {
        let server = FaultyServer([.receive, .send("HTTP/1.1 \(status) X\r\n\r\n"), .receive, .send(Self.ok)])
        try await Self.with(server) { server, transport in
            let stream = try #require(try await transport.send(Self.request(server, method)).stream)
            #expect(try await stream.next() == nil)
            #expect(stream.end != nil)
            let next = try await transport.send(Self.request(server, delivery: .whole))
            #expect(next.metrics.reusedConnection)
        }
    }
}
