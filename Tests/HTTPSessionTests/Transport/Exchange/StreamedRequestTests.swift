import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of request bodies that are produced while they are sent.
@Suite("Streamed requests")
struct StreamedRequestTests {
    static let ok = ExchangeTests.ok
    typealias Responses = StreamedResponseTests

    struct Broken: Error {}

    /// A source of the given chunks, which counts how often it was opened and read.
    final class Pieces: Sendable {
        private let counts = Mutex((opened: 0, read: 0))
        private let pieces: [[UInt8]]
        private let error: (any Error)?

        init(_ pieces: [String], error: (any Error)? = nil) {
            self.pieces = pieces.map { Array($0.utf8) }
            self.error = error
        }

        var opened: Int { counts.withLock { $0.opened } }
        var read: Int { counts.withLock { $0.read } }

        func source(length: Int? = nil, isReplayable: Bool = true) -> RequestBody {
            .stream(
                BodySource(length: length, isReplayable: isReplayable) {
                    self.counts.withLock { $0.opened += 1 }
                    let next = Mutex(0)
                    return {
                        self.counts.withLock { $0.read += 1 }
                        let index = next.withLock { next in
                            defer { next += 1 }
                            return next
                        }
                        if index < self.pieces.count { return self.pieces[index] }
                        if let error = self.error { throw error }
                        return nil
                    }
                })
        }
    }

    @Test("A body of known length has Content-Length, other bodies are chunked, and empty pieces are skipped")
    func framing() async throws {
        let server = FaultyServer([.receive, .send(Self.ok), .receive, .send(Self.ok), .receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            let pieces = Pieces(["hello", "", ", ", "world"])
            for length in [12, nil] {
                let body = pieces.source(length: length)
                let response = try await transport.send(
                    Responses.request(server, .post, body: body, delivery: .whole))
                #expect(response.body == Array("ok".utf8))
            }
            #expect(server.connections == 1)
            #expect(server.requestTexts[0].hasSuffix("Content-Length: 12\r\n\r\nhello, world"))
            #expect(
                server.requestTexts[1].hasSuffix(
                    "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n2\r\n, \r\n5\r\nworld\r\n0\r\n\r\n"))
            let announced = try await transport.send(
                Responses.request(
                    server, .put, ["Content-Length": "12"], body: pieces.source(), delivery: .whole))
            #expect(announced.metrics.bytesSent == server.requests[2].count)
            #expect(!server.requestTexts[2].contains("Transfer-Encoding"))
        }
    }

    @Test(
        "A body that is unreadable or differs from its declared length ends the exchange",
        arguments: [
            (["hello"], 6, false, "5 bytes, but 6 were declared"),
            (["hello", "!"], 5, false, "longer than the declared 5 bytes"), (["hello"], nil, true, "cannot be read"),
        ])
    func unreadable(pieces: [String], length: Int?, fails: Bool, words: String) async throws {
        let server = FaultyServer([.receiveHeader, .waitForClose])
        try await Responses.with(server) { server, transport in
            let source = Pieces(pieces, error: fails ? Broken() : nil)
            let error = await ExchangeTests.failure {
                try await transport.send(Responses.request(server, .post, body: source.source(length: length)))
            }
            #expect(error?.reason == .unreadableBody)
            #expect(error?.phase == .send)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect((error?.underlying is Broken) == fails)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("An error response before the end of the body is delivered, and the source is no longer read")
    func early() async throws {
        let refused = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n"
        let server = FaultyServer([.receiveHeader, .send(refused), .waitForClose])
        try await Responses.with(server) { server, transport in
            let endless = BodySource(isReplayable: false) { { Array(repeating: 1, count: 1 << 16) } }
            let response = try await transport.send(
                Responses.request(server, .post, body: .stream(endless), delivery: .whole))
            #expect(response.head.status == 413)
            await server.waitForClosedConnections(1)
            let waiting = BodySource(isReplayable: false) {
                {
                    try await ContinuousClock().sleep(for: .seconds(3600))
                    return nil
                }
            }
            let second = try await transport.send(
                Responses.request(server, .post, body: .stream(waiting), delivery: .streamed))
            #expect(second.head.status == 413)
        }
    }

    @Test("A 2xx response before the end of the body does not stop the body")
    func echo() async throws {
        let server = FaultyServer([
            .receiveHeader, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no"), .receiveHeader, .send("k"),
            .receive, .send(Self.ok),
        ])
        try await Responses.with(server) { server, transport in
            // The server reads the body as a header.
            let source = Pieces(["first\r\n", "second\r\n\r\n"])
            let response = try await transport.send(
                Responses.request(server, .post, body: source.source(length: 17)))
            #expect(try await response.stream?.collect() == Array("ok".utf8))
            #expect(server.requestTexts.last == "first\r\nsecond\r\n\r\n")
            let next = try await transport.send(Responses.request(server, delivery: .whole))
            #expect(next.metrics.reusedConnection)
        }
    }

    @Test(
        "On a stale connection, only a replayable body is sent again, and its first reader is abandoned",
        arguments: [(true, false), (true, true), (false, false)])
    func stale(isReplayable: Bool, hangs: Bool) async throws {
        let gate = Gate()
        let server = FaultyServer(
            [.receive, .send(Self.ok), .receiveHeader, .wait(gate), .close], [.receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            _ = try await transport.send(Responses.request(server, delivery: .whole))
            let opened = Mutex(0)
            let source = BodySource(isReplayable: isReplayable) {
                let isFirst = opened.withLock { opened in
                    opened += 1
                    return opened == 1
                }
                let next = Mutex<[UInt8]?>([7])
                return {
                    if isFirst {
                        gate.open()
                        if hangs { try await ContinuousClock().sleep(for: .seconds(3600)) }
                    }
                    return next.withLock { $0.take() }
                }
            }
            let request = try Responses.request(server, .put, body: .stream(source), delivery: .whole)
            if isReplayable {
                let response = try await transport.send(request)
                #expect(response.metrics.staleRetries == 1)
                #expect(opened.withLock { $0 } == 2)
                #expect(server.requestTexts.last?.hasSuffix("\r\n\r\n1\r\n\u{7}\r\n0\r\n\r\n") == true)
            } else {
                let error = await ExchangeTests.failure { try await transport.send(request) }
                #expect(error?.reason == .connectionClosed || error?.reason == .connectionReset)
                #expect(error?.message.contains("can be read only once") == true, "\(error?.message ?? "")")
                #expect(opened.withLock { $0 } == 1)
            }
        }
    }

    @Test("A source that is faster than the server is slowed down")
    func backPressure() async throws {
        let gate = Gate()
        let server = FaultyServer([.receiveHeader, .wait(gate), .close])
        try await Responses.with(server) { server, transport in
            let read = Mutex(0)
            let source = BodySource(isReplayable: false) {
                {
                    read.withLock { $0 += 1 }
                    return Array(repeating: 1, count: 1 << 20)
                }
            }
            var request = try Responses.request(server, .post, body: .stream(source))
            request.timeouts = Timeouts(idle: .milliseconds(300), total: nil)
            let error = await ExchangeTests.failure { try await transport.send(request) }
            // The sockets buffer some, and one chunk is in transit.
            #expect(read.withLock { $0 } < 32)
            #expect(error?.reason == .timedOut(.idle, .milliseconds(300)))
            #expect(error?.phase == .send)
            gate.open()
        }
    }

    @Test("A 64 MiB body is sent completely")
    func large() async throws {
        let size = 64 << 20
        let server = FaultyServer([.receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            let source = BodySource(length: size, isReplayable: false) {
                let left = Mutex(size)
                return {
                    let count = left.withLock { left in
                        let count = min(left, 1 << 18)
                        left -= count
                        return count
                    }
                    return count > 0 ? Array(repeating: 1, count: count) : nil
                }
            }
            let response = try await transport.send(
                Responses.request(server, .post, body: .stream(source), delivery: .whole))
            #expect(response.head.status == 200)
            #expect(response.metrics.bytesSent == server.requests.first?.count)
        }
    }
}
