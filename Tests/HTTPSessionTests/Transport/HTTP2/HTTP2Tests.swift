import NIOCore
import NIOHPACK
import NIOHTTP2
import TestSupport
import Testing

@testable import HTTPSession

@Suite("HTTP/2")
struct HTTP2Tests {
    /// A configuration for HTTP/2 with prior knowledge.
    static var plain: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.connection.version = .http2
        configuration.timeouts = .total(.seconds(120))
        return configuration
    }

    /// A transport on one event loop with a long timeout for ping responses.
    ///
    /// During other tests, the server's event loop may not run for seconds.
    static var transport: NIOTransport {
        var settings = NIOTransport.Settings(idleConnectionTimeout: .seconds(3600))
        settings.probeLimits.silent = .seconds(120)
        return ConnectionTests.oneLoop(settings)
    }

    /// Runs `body` with a session on one event loop and a server.
    static func serve(
        maximumStreams: Int = 100, _ script: @escaping HTTP2Server.Script,
        _ body: (Session, String, HTTP2Server) async throws -> Void
    ) async throws {
        let server = try await HTTP2Server(maximumStreams: maximumStreams, script: script)
        try await withSession(plain, transport: transport) { session in
            try await body(session, "http://127.0.0.1:\(server.port)", server)
        }
        await server.shutDown()
    }

    @Test("Field names are lowercase, connection-specific fields are omitted, and the response has the version")
    func requestFields() async throws {
        try await Self.serve { peer, body in
            peer.head(201, [("content-type", "text/plain"), ("x-one", "1"), ("x-one", "2")])
            peer.body("got \(body.count)")
        } _: { session, url, server in
            let headers: HTTPHeaders = ["X-Name": "Ä", "Connection": "close", "TE": "gzip", "Keep-Alive": "1"]
            let response = try await session.post(url + "/path?q=1#f", headers: headers, body: .text("hello"))
                .response()
            #expect(response.status == 201)
            #expect(response.version == .http2)
            #expect(response.text == "got 5")
            #expect(response.headers.values("X-One") == ["1", "2"])
            let fields = try #require(server.requests.first)
            #expect(fields.first(name: ":method") == "POST")
            #expect(fields.first(name: ":path") == "/path?q=1")
            #expect(fields.first(name: ":authority") == "127.0.0.1:\(server.port)")
            #expect(fields.first(name: "x-name") == "Ä")
            #expect(fields.first(name: "content-length") == "5")
            for name in ["connection", "te", "keep-alive", "host"] { #expect(!fields.contains(name: name)) }
        }
    }

    @Test("Many exchanges share one connection")
    func multiplexing() async throws {
        try await Self.serve { peer, _ in
            peer.head(200)
            let path = peer.headers.first(name: ":path") ?? ""
            peer.body(path)
        } _: { session, url, server in
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<80 {
                    group.addTask { (number, try await session.get("\(url)/\(number)").string()) }
                }
                for try await (number, text) in group { #expect(text == "/\(number)") }
            }
            #expect(server.connections == 1)
        }
    }

    @Test("The number of open streams does not exceed the server's limit")
    func streamLimit() async throws {
        try await Self.serve(maximumStreams: 2) { peer, _ in
            peer.head(200)
            peer.body("ok")
        } _: { session, url, server in
            _ = try await session.get(url).string()
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<40 { group.addTask { try await session.get(url).string() } }
                for try await text in group { #expect(text == "ok") }
            }
            #expect(server.resets.isEmpty)
        }
    }

    @Test("Interim responses and trailers are included in the response")
    func interimAndTrailers() async throws {
        try await Self.serve { peer, _ in
            peer.head(103, [("link", "</style.css>")])
            peer.head(200)
            peer.body("a", end: false)
            peer.body("b", end: false)
            peer.trailers([("x-sum", "7")])
        } _: { session, url, _ in
            let response = try await session.get(url).response()
            #expect(response.text == "ab")
            #expect(response.trailers["X-Sum"] == "7")
            #expect(response.informational.map(\.status) == [103])
            #expect(response.informational.first?.headers["Link"] == "</style.css>")
        }
    }

    @Test("Bodies larger than the flow-control window are sent and received")
    func largeBodies() async throws {
        try await Self.serve { peer, body in
            peer.head(200)
            var left = body.count
            while left > 16_000 {
                peer.body(String(repeating: "x", count: 16_000), end: false)
                left -= 16_000
            }
            peer.body(String(repeating: "x", count: left))
        } _: { session, url, _ in
            let count = 5_000_000
            let response = try await session.post(url, body: .bytes(Array(repeating: 120, count: count))).response()
            #expect(response.body.count == count)
            #expect(response.metrics.bytesSent > count)
        }
    }

    @Test("A streamed body is read completely, and abandoning a body resets its stream")
    func streamedResponse() async throws {
        let piece = String(repeating: "x", count: 16_000)
        try await Self.serve { peer, _ in
            peer.head(200)
            for _ in 0..<500 { peer.body(piece, end: false) }
            peer.trailers([("x-end", "yes")])
        } _: { session, url, server in
            let response = try await session.get(url).stream()
            #expect(response.status == 200)
            var count = 0
            while let piece = try await response.body.next() { count += piece.count }
            #expect(count == 8_000_000)
            #expect(response.body.end?.trailers["X-End"] == "yes")
            let left = try await session.get(url).stream()
            _ = try await left.body.next()
            left.body.abandon()
            let isReset = try await Self.poll { server.resets == [.cancel] }
            #expect(isReset)
            #expect(server.connections == 1)
        }
    }

    @Test("Streamed, rate-limited, and file bodies are sent completely")
    func streamedRequest() async throws {
        try await Self.serve { peer, body in
            if peer.headers.first(name: "expect") != nil { peer.head(100) }
            peer.head(200)
            peer.body("\(body.count) \(peer.headers.first(name: "content-length") ?? "-")")
        } _: { session, url, _ in
            let pieces = AsyncStream<[UInt8]> { continuation in
                for _ in 0..<100 { continuation.yield(Array(repeating: 1, count: 10_000)) }
                continuation.finish()
            }
            let unknown = try await session.post(url, body: .stream(BodySource(pieces))).string()
            #expect(unknown == "1000000 -")
            let slow = try await session.post(url, body: .bytes(Array(repeating: 1, count: 100_000)))
                .with { $0.bytesPerSecond = 1_000_000 }.string()
            #expect(slow == "100000 100000")
            let file = try TemporaryFile(Array(repeating: 7, count: 400_000))
            let sent = try await session.put(url, body: .file(path: file.path)).string()
            #expect(sent == "400000 400000")
        }
    }

    @Test("A body is not sent if the server responds with an error instead of 100 Continue")
    func consent() async throws {
        let server = try await HTTP2Server(answersHeaders: true) { peer, _ in
            if peer.headers.first(name: ":path") == "/no" {
                peer.head(413, end: true)
            } else {
                peer.head(100)
            }
        }
        try await withSession(Self.plain, transport: Self.transport) { session in
            let url = "http://127.0.0.1:\(server.port)"
            let refused = try await session.post(url + "/no", body: .text("hello"))
                .with { $0.expectContinue = .seconds(10) }.response()
            #expect(refused.status == 413)
            #expect(server.bodyBytes == 0)
            let accepted = try await session.post(url + "/yes", body: .text("hello"))
                .with { $0.expectContinue = .seconds(10) }.response()
            #expect(accepted.status == 200)
            #expect(server.bodyBytes == 5)
        }
        await server.shutDown()
    }

    @Test("A refused stream is retried even for POST, and repeated refusals are an error")
    func refusedStream() async throws {
        try await Self.serve { peer, body in
            if peer.headers.first(name: ":path") == "/never" || peer.number == 0 {
                peer.send(.rstStream(.refusedStream))
            } else {
                peer.head(200)
                peer.body("\(body.count)")
            }
        } _: { session, url, _ in
            let response = try await session.post(url, body: .text("abc")).response()
            #expect(response.text == "3")
            #expect(response.metrics.staleRetries == 1)
            let error = await ExchangeTests.failure { try await session.get(url + "/never").response() }
            #expect(error?.reason == .connectionReset)
        }
    }

    @Test("A stream reset is an error with the error code, and other streams continue")
    func resetStream() async throws {
        try await Self.serve { peer, _ in
            if peer.headers.first(name: ":path") == "/bad" {
                peer.head(200)
                peer.send(.rstStream(.internalError))
            } else {
                peer.head(200)
                peer.body("ok")
            }
        } _: { session, url, server in
            async let good = session.get(url + "/good").string()
            let error = await ExchangeTests.failure { try await session.get(url + "/bad").response() }
            #expect(error?.reason == .connectionReset)
            #expect(error?.message.contains("INTERNAL_ERROR") == true, "\(error?.message ?? "")")
            #expect(error?.head?.status == 200)
            let value1 = try await good
            #expect(value1 == "ok")
            #expect(server.connections == 1)
        }
    }

    @Test("After GOAWAY, unprocessed requests move to a new connection, and processed ones continue")
    func goAway() async throws {
        try await Self.serve { peer, _ in
            if peer.connection == 0 && peer.number == 1 {
                peer.send(
                    .goAway(lastStreamID: HTTP2StreamID(1), errorCode: .noError, opaqueData: nil), on: .rootStream)
                let first = HTTP2StreamID(1)
                peer.send(.headers(.init(headers: [":status": "200"], endStream: true)), on: first)
            } else if peer.connection > 0 || peer.headers.first(name: ":path") != "/held" {
                peer.head(200)
                peer.body("connection \(peer.connection)")
            }
        } _: { session, url, server in
            async let held = session.get(url + "/held").response()
            let polled = try await Self.poll { server.requests.count == 1 }
            #expect(polled)
            let second = try await session.post(url, body: .text("x")).response()
            #expect(second.text == "connection 1")
            let value2 = try await held.status
            #expect(value2 == 200)
            #expect(server.connections == 2)
        }
    }

    @Test("Canceling an exchange resets only its stream")
    func cancellation() async throws {
        try await Self.serve { peer, _ in
            guard peer.headers.first(name: ":path") != "/held" else { return }
            peer.head(200)
            peer.body("ok")
        } _: { session, url, server in
            let task = Task { await ExchangeTests.failure { try await session.get(url + "/held").response() } }
            let arrived = try await Self.poll { server.requests.count == 1 }
            #expect(arrived)
            task.cancel()
            #expect(await task.value?.reason == .cancelled)
            let value3 = try await session.get(url).string()
            #expect(value3 == "ok")
            #expect(server.resets == [.cancel])
            #expect(server.connections == 1)
        }
    }

    @Test("A timeout ends only its stream, and the connection remains usable")
    func timeout() async throws {
        try await Self.serve { peer, _ in
            guard peer.headers.first(name: ":path") != "/held" else { return }
            peer.head(200)
            peer.body("ok")
        } _: { session, url, server in
            // The connection exists already, because its establishment must not count.
            _ = try await session.get(url).response()
            // The connection exists already, because its establishment must not count.
            _ = try await session.get(url).response()
            let error = await ExchangeTests.failure {
                try await session.get(url + "/held").with { $0.timeouts = .total(.milliseconds(50)) }.response()
            }
            #expect(error?.reason == .timedOut(.total, .milliseconds(50)))
            let value4 = try await session.get(url).string()
            #expect(value4 == "ok")
            #expect(server.connections == 1)
        }
    }

    @Test("The header and body limits are enforced")
    func limits() async throws {
        try await Self.serve { peer, _ in
            if peer.headers.first(name: ":path") == "/header" {
                peer.head(200, [("x-long", String(repeating: "a", count: 12_000))], end: true)
            } else {
                peer.head(200)
                peer.body(String(repeating: "b", count: 20_000))
            }
        } _: { session, url, _ in
            let header = await ExchangeTests.failure {
                try await session.get(url + "/header").with { $0.limits = Limits(headerBytes: 10_000) }.response()
            }
            #expect(header?.reason == .limitExceeded(.headerBytes, 10_000))
            let body = await ExchangeTests.failure {
                try await session.get(url).with { $0.limits = Limits(bodyBytes: 10_000) }.response()
            }
            #expect(body?.reason == .limitExceeded(.bodyBytes, 10_000))
        }
    }

    @Test(
        "Invalid HTTP/2 header fields are an error, and the connection remains usable",
        arguments: [
            [("Upper-Case", "1")], [("connection", "close")], [("x y", "1")], [("x", "a\nb")], [(":path", "/")],
        ])
    func invalidFields(_ fields: [(String, String)]) async throws {
        try await Self.serve { peer, _ in
            peer.head(200, peer.number == 0 ? fields : [], end: true)
        } _: { session, url, server in
            let error = await ExchangeTests.failure { try await session.get(url).response() }
            #expect(error?.reason == .invalidResponse)
            let next = try await session.get(url).response()
            #expect(next.status == 200)
            #expect(server.connections == 1)
        }
    }

    /// A server that has started to respond has processed the request.
    @Test(
        "A stream that is refused in the middle of its response is an error and is not retried",
        arguments: [HTTP2ErrorCode.refusedStream, .http11Required, nil], [true, false])
    func refusedLate(_ code: HTTP2ErrorCode?, isStreamed: Bool) async throws {
        try await Self.serve { peer, _ in
            guard peer.number == 0, peer.connection == 0 else { return peer.head(200, end: true) }
            peer.head(200)
            peer.body("abc", end: false)
            if let code {
                peer.send(.rstStream(code))
            } else {
                peer.send(
                    .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil), on: .rootStream)
            }
        } _: { session, url, server in
            let error = await ExchangeTests.failure {
                guard isStreamed else { return try await session.post(url).response().body.count }
                var count = 0
                for try await piece in try await session.post(url).stream().body { count += piece.count }
                return count
            }
            #expect(error?.reason == .connectionReset)
            #expect(error?.message.contains("refused the HTTP/2 stream after its response started") == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test("A wrong Content-Length is an error, except in responses to HEAD and with status 304")
    func contentLength() async throws {
        try await Self.serve { peer, _ in
            switch peer.headers.first(name: ":path") {
            case "/short":
                peer.head(200, [("content-length", "10")])
                peer.body("short")
            case "/304": peer.head(304, [("content-length", "10")], end: true)
            default: peer.head(200, [("content-length", "10")], end: true)
            }
        } _: { session, url, _ in
            let error = await ExchangeTests.failure { try await session.get(url + "/short").response() }
            #expect(error?.reason == .invalidResponse)
            let value5 = try await session.get(url + "/304").response().status
            #expect(value5 == 304)
            let value6 = try await session.head(url).response().headers["Content-Length"]
            #expect(value6 == "10")
        }
    }

    @Test("A closed connection is an error, and an idempotent request on a reused connection is retried")
    func closing() async throws {
        try await Self.serve { peer, _ in
            if peer.headers.first(name: ":path") == "/close" { return peer.closeOutput() }
            if peer.connection == 0 && peer.number == 1 { return peer.close() }
            peer.head(200)
            peer.body("\(peer.connection)")
        } _: { session, url, _ in
            let value7 = try await session.get(url).string()
            #expect(value7 == "0")
            let second = try await session.get(url).response()
            #expect(second.text == "1")
            #expect(second.metrics.staleRetries == 1)
            let error = await ExchangeTests.failure { try await session.post(url + "/close").response() }
            #expect(error?.reason == .connectionClosed)
        }
    }

    @Test("Events are sent in order and exactly once, including on a reused connection")
    func events() async throws {
        let server = try await HTTP2Server { peer, _ in
            peer.head(200)
            peer.body("ok")
        }
        let recorder = EventRecorder()
        var configuration = Self.plain
        configuration.monitors = [recorder]
        try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
            for _ in 0..<2 { _ = try await session.get("http://127.0.0.1:\(server.port)/").response() }
            let once = ["created", "adapted", "connected", "sent", "headReceived", "received", "finished"]
            #expect(recorder.names.filter { $0 != "resolved" } == once + once)
        }
        await server.shutDown()
    }

    @Test("A server that supports only HTTP/1.1 is reported")
    func notHTTP2() async throws {
        let server = try #require(FaultyServer([.receive, .send("HTTP/1.1 400 Bad Request\r\n\r\n"), .close]))
        await withSession(Self.plain, transport: Self.transport) { session in
            let error = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(error?.reason == .versionNotAvailable, "\(error?.message ?? "")")
        }
        server.shutDown()
    }

    /// Waits up to ten seconds until a condition is true.
    static func poll(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<2000 {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}

@Suite("ALPN", .enabled(if: TestCertificates.isAvailable, "requires the openssl command"))
struct ALPNTests {
    static let certificates = TestCertificates()

    static func serve(
        version: HTTPVersionPolicy, protocols: [String], _ body: (Session, String, HTTP2Server) async throws -> Void
    ) async throws {
        let certificates = try #require(Self.certificates)
        let server = try await HTTP2Server(certificates.valid, protocols: protocols) { peer, _ in
            peer.head(200)
            peer.body("ok")
        }
        var configuration = SessionConfiguration(trust: .authorities([certificates.authority.certificate]))
        configuration.connection.version = version
        try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
            try await body(session, "https://localhost:\(server.port)", server)
        }
        await server.shutDown()
    }

    @Test("If the server selects HTTP/2, all exchanges share one connection from the start")
    func agreed() async throws {
        try await Self.serve(version: .automatic, protocols: ["h2", "http/1.1"]) { session, url, server in
            try await withThrowingTaskGroup(of: Response.self) { group in
                for _ in 0..<50 { group.addTask { try await session.get(url).response() } }
                for try await response in group {
                    #expect(response.version == .http2)
                    #expect(response.text == "ok")
                    #expect(response.tls?.version == "TLSv1.3")
                }
            }
            #expect(server.connections == 1)
        }
    }

    @Test("Requiring HTTP/2 is an error if the server does not select it")
    func refused() async throws {
        try await Self.serve(version: .http2, protocols: ["http/1.1"]) { session, url, _ in
            let error = await ExchangeTests.failure { try await session.get(url).response() }
            #expect(error?.phase == .tls)
        }
    }
}
