import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of sending: progress, speed limits, HTTP/1.0, and observation.
@Suite("Sending")
struct SendingTests {
    static let ok = ExchangeTests.ok
    typealias Responses = StreamedResponseTests

    @Test("Progress is reported to the end for every kind of body")
    func progress() async throws {
        let size = 700_000
        let bytes = [UInt8](repeating: 65, count: size)
        let file = try TemporaryFile(bytes)
        let stream = BodySource(length: size, isReplayable: true) {
            let left = Mutex(bytes[...])
            return {
                left.withLock { left in
                    let piece = left.prefix(100_000)
                    left = left.dropFirst(100_000)
                    return piece.isEmpty ? nil : Array(piece)
                }
            }
        }
        let unknown = BodySource(isReplayable: true, open: stream.open)
        let server = FaultyServer([.receive, .send(Self.ok)])
        let bodies: [(RequestBody, Int?, Int)] = [
            (.text("small"), 5, 5), (.bytes(bytes), size, size), (.file(path: file.path), size, size),
            (.stream(stream), size, size), (.stream(unknown), nil, size),
        ]
        try await Responses.with(server) { server, transport in
            for (body, total, count) in bodies {
                let seen = Mutex<[TransferProgress]>([])
                var request = try Responses.request(
                    server, .post, ["Connection": "close"], body: body, delivery: .whole)
                request.uploadProgress = { progress in seen.withLock { $0.append(progress) } }
                _ = try await transport.send(request)
                let all = seen.withLock { $0 }
                #expect(all.last == TransferProgress(completed: count, total: total))
                #expect(all.allSatisfy { $0.total == total })
                #expect(zip(all, all.dropFirst()).allSatisfy { $0.completed < $1.completed })
                #expect(all.count >= (count == size ? 2 : 1))
            }
        }
    }

    @Test("The sending speed is limited")
    func bandwidth() async throws {
        let server = FaultyServer([.receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            var request = try Responses.request(
                server, .post, body: .bytes(Array(repeating: 1, count: 100_000)), delivery: .whole)
            request.bytesPerSecond = 200_000
            // The pause is not caused by a lack of bytes.
            request.timeouts = Timeouts(idle: .milliseconds(50))
            let seen = Mutex(0)
            request.uploadProgress = { _ in seen.withLock { $0 += 1 } }
            let response = try await transport.send(request)
            // Half a second, minus the bytes of the first tenth of a second, which are sent immediately.
            #expect(response.metrics.send >= .milliseconds(390))
            #expect(seen.withLock { $0 } == 5)
            #expect(server.requests.first?.suffix(100_000) == Array(repeating: 1, count: 100_000)[...])
        }
    }

    // MARK: HTTP/1.0

    @Test(
        "HTTP/1.0 uses a new connection for each exchange unless the server keeps it alive",
        arguments: [
            ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", false),
            ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok", true),
        ])
    func version10(response: String, isReused: Bool) async throws {
        let server = FaultyServer([.receive, .send(response), .receive, .send(response)])
        try await Responses.with(server) { server, transport in
            var request = try Responses.request(server, .put, body: .text("x"), delivery: .whole)
            request.connection.version = .http10
            _ = try await transport.send(request)
            let second = try await transport.send(request)
            #expect(second.metrics.reusedConnection == isReused)
            #expect(
                server.requestTexts[0]
                    == "PUT / HTTP/1.0\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 1\r\n\r\nx")
        }
    }

    @Test("HTTP/1.0 rejects a body of unknown length")
    func unknownLength10() async throws {
        let server = FaultyServer([.receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            let source = StreamedRequestTests.Pieces(["x"])
            for (headers, words) in [
                (HTTPHeaders(), "a body of unknown length"),
                (["Transfer-Encoding": "chunked"], "does not support Transfer-Encoding"),
            ] {
                var request = try Responses.request(server, .put, headers, body: source.source())
                request.connection.version = .http10
                let error = await ExchangeTests.failure { try await transport.send(request) }
                #expect(error?.reason == .invalidHeader)
                #expect(error?.phase == .request)
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            }
            #expect(source.opened == 0)
            #expect(server.connections == 0)
        }
    }

    // MARK: Events

    @Test("An observer receives the events of an exchange in order, including on a reused connection")
    func observed() async throws {
        let server = FaultyServer([
            .receive, .send("HTTP/1.1 103 Early Hints\r\n\r\n" + Self.ok), .receive, .send(Self.ok),
        ])
        try await Responses.with(server) { server, transport in
            let seen = Mutex<[String]>([])
            var request = try Responses.request(server, .post, body: .text("hello"), delivery: .whole)
            request.observer = { event in
                let text =
                    switch event {
                    case .connected(let address, let isReused, let duration):
                        "connected \(address) \(isReused) \(duration != nil)"
                    case .sent(let sent, let bytes): "sent \(sent.method) \(bytes)"
                    case .informational(let head): "informational \(head.status)"
                    case .headReceived(let head): "head \(head.status)"
                    default: ""
                    }
                if !text.isEmpty { seen.withLock { $0.append(text) } }
            }
            let response = try await transport.send(request)
            let sent = "sent POST \(response.metrics.bytesSent)"
            let address = "127.0.0.1:\(server.port)"
            #expect(
                seen.withLock { $0 } == ["connected \(address) false true", sent, "informational 103", "head 200"])
            seen.withLock { $0 = [] }
            _ = try await transport.send(request)
            #expect(seen.withLock { $0 } == ["connected \(address) true false", sent, "head 200"])
        }
    }

    // MARK: Early responses

    @Test("An error response before the end of the body is delivered, and sending stops")
    func early() async throws {
        let size = 32 << 20
        let file = try TemporaryFile([UInt8](repeating: 1, count: size))
        let answer = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno"
        let bodies = [RequestBody.bytes([UInt8](repeating: 1, count: size)), .file(path: file.path)]
        // With a speed limit, even a server on a busy machine responds before the end. Without one, it may have
        // received all.
        for (body, speed) in bodies.flatMap({ [($0, nil), ($0, size / 30)] }) {
            let server = FaultyServer([.receiveHeader, .send(answer), .waitForClose])
            try await Responses.with(server) { server, transport in
                var request = try Responses.request(server, .post, body: body, delivery: .whole)
                request.bytesPerSecond = speed
                let response = try await transport.send(request)
                #expect(response.head.status == 401)
                #expect(response.body == Array("no".utf8))
                if speed != nil { #expect(response.metrics.bytesSent < size) }
                await server.waitForClosedConnections(1)
            }
        }
    }
}
