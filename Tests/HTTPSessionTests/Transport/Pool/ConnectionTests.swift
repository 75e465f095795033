import NIOCore
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of the reuse and the end of connections.
@Suite("Connections")
struct ConnectionTests {
    static let ok = ExchangeTests.ok

    /// A response, and whether the connection may be reused after it.
    @Test(
        "A connection is reused only if both sides leave it open and the framing is certain",
        arguments: [
            (ok, true),
            ("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nok", false),
            ("HTTP/1.1 200 OK\r\nConnection: foo, close\r\nContent-Length: 2\r\n\r\nok", false),
            ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", false),
            ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", true),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokgarbage", false),
            ("HTTP/1.1 204 No Content\r\n\r\n", true),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", true),
        ])
    func reuse(response: String, isReused: Bool) async throws {
        let server = FaultyServer(
            [.receive, .send(response), .receive, .send(Self.ok), .waitForClose], [.receive, .send(Self.ok)])
        try await ExchangeTests.with(server, transport: Self.oneLoop()) { server, session in
            let first = try await session.get(server.url).response()
            #expect(!first.metrics.reusedConnection)
            #expect(first.metrics.connect != nil)
            #expect(first.metrics.bytesAfterResponse == (response.hasSuffix("garbage") ? 7 : 0))
            let second = try await session.get(server.url).response()
            #expect(second.metrics.reusedConnection == isReused)
            #expect((second.metrics.connect == nil) == isReused)
            #expect(server.connections == (isReused ? 1 : 2))
            #expect(second.metrics.staleRetries == 0)
        }
    }

    /// Returns a transport with one event loop, so that a second exchange can find the first one's connection.
    static func oneLoop(
        _ settings: NIOTransport.Settings = .init(idleConnectionTimeout: .seconds(3600))
    ) -> NIOTransport {
        NIOTransport(group: MultiThreadedLoops.one, settings: settings)
    }

    @Test("A request with Connection: close is the last on its connection")
    func requestCloses() async throws {
        let server = FaultyServer([.receive, .send(Self.ok), .waitForClose])
        try await ExchangeTests.with(server, transport: Self.oneLoop()) { server, session in
            _ = try await session.get(server.url, headers: ["Connection": "close"]).response()
            await server.waitForClosedConnections(1)
            _ = try await session.get(server.url, headers: ["Connection": "close"]).response()
            #expect(server.connections == 2)
        }
    }

    @Test("A body that ends when the connection closes is complete")
    func untilClose() async throws {
        let server = FaultyServer([.receive, .send("HTTP/1.1 200 OK\r\n\r\nall of it"), .close])
        try await ExchangeTests.with(server) { server, session in
            let value1 = try await session.get(server.url).string()
            #expect(value1 == "all of it")
        }
    }

    @Test("A response before the end of the request is delivered, and the connection is not reused")
    func earlyResponse() async throws {
        let refused = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n"
        let server = FaultyServer([.receiveHeader, .send(refused), .waitForClose], [.receive, .send(Self.ok)])
        try await ExchangeTests.with(server, transport: Self.oneLoop()) { server, session in
            let body = RequestBody.bytes(Array(repeating: 1, count: 64 << 20))
            let response = try await session.post(server.url, body: body).response()
            #expect(response.status == 413)
            let second = try await session.get(server.url).response()
            #expect(!second.metrics.reusedConnection)
        }
    }

    /// Returns a server that closes an idle connection at the moment of the next request.
    private static func stale(_ second: [FaultyServer.Step], _ third: [FaultyServer.Step]) -> FaultyServer? {
        FaultyServer([.receive, .send(ok)] + second, third)
    }

    @Test(
        "A stale connection is replaced once, and the metrics include the retry",
        arguments: [FaultyServer.Step.close, .reset])
    func staleRetry(end: FaultyServer.Step) async throws {
        let server = Self.stale([.receive, end], [.receive, .send(Self.ok)])
        try await ExchangeTests.with(server, transport: Self.oneLoop()) { server, session in
            _ = try await session.get(server.url).response()
            let second = try await session.get(server.url).response()
            #expect(second.status == 200)
            #expect(second.metrics.staleRetries == 1)
            #expect(second.metrics.attempts == 2)
            #expect(!second.metrics.reusedConnection)
            #expect(server.requests.count == 3)
        }
    }

    @Test("A POST is retried if the settings allow it", arguments: [FaultyServer.Step.close, .reset])
    func allowedRetryOfPost(end: FaultyServer.Step) async throws {
        let server = Self.stale([.receive, end], [.receive, .send(Self.ok)])
        var settings = NIOTransport.Settings()
        settings.repeatsAllMethods = true
        try await ExchangeTests.with(server, transport: Self.oneLoop(settings)) { server, session in
            _ = try await session.get(server.url).response()
            let second = try await session.post(server.url, body: .text("x")).response()
            #expect(second.status == 200)
            #expect(second.metrics.staleRetries == 1)
            #expect(server.requests.count == 3)
        }
    }

    @Test("A POST that may have reached the server is not retried", arguments: [FaultyServer.Step.close, .reset])
    func noRetryOfPost(end: FaultyServer.Step) async throws {
        let server = Self.stale([.receive, end], [.receive, .send(Self.ok)])
        try await ExchangeTests.with(server, transport: Self.oneLoop()) { server, session in
            _ = try await session.get(server.url).response()
            let error = await ExchangeTests.failure {
                try await session.post(server.url, body: .text("x")).response()
            }
            #expect(error?.reason == .connectionClosed || error?.reason == .connectionReset)
            #expect(error?.phase == .firstByte)
            #expect(error?.metrics.staleRetries == 0)
            let words = "the connection was reused, and a POST is not retried"
            #expect(error?.message.contains("the connection before it sent a response; ") == true)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "accepted")")
            #expect(error?.message.hasSuffix(": allow a retry if a duplicate request does no harm") == true)
            #expect(server.requests.count == 2)
        }
    }

    @Test("After a server has closed an idle connection, a POST gets a new connection, and a GET does not")
    func freshConnectionForPost() async throws {
        let server = FaultyServer(
            [.receive, .send(Self.ok), .close], [.receive, .send(Self.ok), .receive, .send(Self.ok), .receive, .close],
            [.receive, .send(Self.ok), .waitForClose])
        try await ExchangeTests.with(server, transport: Self.oneLoop()) { server, session in
            _ = try await session.get(server.url).response()
            for _ in 0..<2 { _ = try await session.get(server.url).response() }
            #expect(server.connections == 2)
            let post = try await session.post(server.url, body: .text("x")).response()
            #expect(!post.metrics.reusedConnection)
            #expect(server.connections == 3)
        }
    }

    @Test("A waiting POST gets a new connection if the server may close the free one")
    func freshConnectionForWaitingPost() async throws {
        let server = FaultyServer(
            [.receive, .send(Self.ok), .close], [.receive, .send(Self.ok), .receive, .close],
            [.receive, .send(Self.ok), .waitForClose])
        let settings = NIOTransport.Settings(connectionsPerOrigin: 1, idleConnectionTimeout: .seconds(3600))
        try await ExchangeTests.with(server, transport: Self.oneLoop(settings)) { server, session in
            _ = try await session.get(server.url).response()
            async let get = session.get(server.url).response()
            async let post = session.post(server.url, body: .text("x")).response()
            let responses = try await (get, post)
            #expect(responses.0.status == 200 && responses.1.status == 200)
        }
    }

    @Test(
        "A connection whose Keep-Alive timeout is too short is not used for a POST",
        arguments: ["timeout=0", "max=5, timeout=0"])
    func announcedLife(_ field: String) async throws {
        let ok = "HTTP/1.1 200 OK\r\nKeep-Alive: \(field)\r\nContent-Length: 2\r\n\r\nok"
        let server = FaultyServer(
            [.receive, .send(ok), .receive, .close], [.receive, .send(ok), .receive, .close])
        try await ExchangeTests.with(server, transport: Self.oneLoop()) { server, session in
            _ = try await session.get(server.url).response()
            let post = try await session.post(server.url, body: .text("x")).response()
            #expect(!post.metrics.reusedConnection)
        }
    }

    @Test("The safe idle time depends on the observed and announced lifetimes of connections")
    func idleTimeouts() throws {
        let second: UInt64 = 1_000_000_000
        #expect(IdleTimeouts.isSafe(idle: 100 * second, life: .max))
        #expect(IdleTimeouts.isSafe(idle: 2 * second, life: 5 * second))
        #expect(!IdleTimeouts.isSafe(idle: 3 * second, life: 5 * second))
        #expect(!IdleTimeouts.isSafe(idle: 0, life: second / 2))
        let lives = IdleTimeouts()
        let request = TransportRequest(method: .get, url: try HTTPURL("http://a/"))
        let origin = Origin(request)
        #expect(lives.life(of: origin) == .max)
        lives.note(5, of: origin)
        lives.note(9, of: origin)
        #expect(lives.life(of: origin) == 5)
        #expect(lives.version == 1)
        let fields: [(String, UInt64)] = [
            ("timeout=5", 5 * second), ("timeout=5, max=100", 5 * second), ("max=100, Timeout = \"7\"", 7 * second),
            ("max=100", .max), ("timeout=x", .max), ("timeout=99999999999999999999", .max), ("", .max),
            ("timeout", .max),
        ]
        for (field, life) in fields { #expect(IdleTimeouts.announced(field) == life, "\(field)") }
    }

    @Test("A request on a stale connection is retried only once, and one on a new connection never")
    func retryOnce() async throws {
        let server = Self.stale([.receive, .close], [.receive, .close])
        try await ExchangeTests.with(server, transport: Self.oneLoop()) { server, session in
            _ = try await session.get(server.url).response()
            let error = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(error?.reason == .connectionClosed)
            #expect(error?.attempt == 2)
            let next = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(next?.attempt == 1)
            #expect(next?.message.contains("reused") == false)
            #expect(server.requests.count == 4)
        }
    }

    @Test("A partially received response is not requested again")
    func noRetryAfterBytes() async throws {
        let server = Self.stale([.receive, .send("HTTP/1.1 20"), .close], [.receive, .send(Self.ok)])
        try await ExchangeTests.with(server, transport: Self.oneLoop()) { server, session in
            _ = try await session.get(server.url).response()
            let error = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(error?.reason == .connectionClosed)
            #expect(error?.message.contains("in the middle of the header section") == true)
        }
    }

    @Test("Idle connections are closed after the timeout")
    func idleTimeout() async throws {
        let server = FaultyServer([.receive, .send(Self.ok), .waitForClose])
        let transport = Self.oneLoop(.init(idleConnectionTimeout: .milliseconds(20)))
        try await ExchangeTests.with(server, transport: transport) { server, session in
            _ = try await session.get(server.url).response()
            await server.waitForClosedConnections(1)
            let value2 = try await session.get(server.url).response().metrics.reusedConnection
            #expect(value2 == false)
        }
    }

    @Test("Exchanges beyond the connection limit wait for a free connection")
    func connectionLimit() async throws {
        let gate = Gate()
        let server = FaultyServer([.receive, .wait(gate), .send(Self.ok), .receive, .send(Self.ok)])
        try await ExchangeTests.with(server, transport: Self.oneLoop(.init(connectionsPerOrigin: 1))) {
            server, session in
            let url = server.url
            async let first = session.get(url).response()
            await server.waitForRequests(1)
            async let second = session.get(url + "second").response()
            var waiting = Request(.get, url: url)
            waiting.timeouts = .total(.milliseconds(20))
            let error = await ExchangeTests.failure { try await session.send(waiting) }
            #expect(error?.phase == .queued)
            #expect(error?.message.contains("waiting for a free connection") == true)
            gate.open()
            let value3 = try await first.status
            #expect(value3 == 200)
            let value4 = try await second.metrics.reusedConnection
            #expect(value4)
            #expect(server.connections == 1)
        }
    }

    /// Returns a server on a port that is closed in the other address family.
    ///
    /// A slow machine may try that family too, and could otherwise find any server there.
    private static func server(only family: FaultyServer.Family) -> (FaultyServer, ClosedPort?)? {
        for _ in 0..<20 {
            guard let server = FaultyServer(family: family, [.receive, .send(ok)]) else { return nil }
            let other = ClosedPort(family == .version4 ? .version6 : .version4, port: server.port)
            if other != nil || ClosedPort(.version6) == nil { return (server, other) }
            server.shutDown()
        }
        return nil
    }

    @Test("localhost is reached over IPv4 or IPv6, whichever responds")
    func bothFamilies() async throws {
        for family in [FaultyServer.Family.version4, .version6] {
            // A machine without IPv6 cannot run this test.
            guard let (server, other) = Self.server(only: family) else { continue }
            defer { withExtendedLifetime(other) {} }
            try await ExchangeTests.with(server) { server, session in
                let response = try await session.get("http://localhost:\(server.port)/").response()
                let address = family == .version4 ? "127.0.0.1" : "[::1]"
                #expect(response.remoteAddress == "\(address):\(server.port)")
                #expect(response.metrics.dns == nil)
                #expect(response.metrics.connect != nil)
            }
        }
    }

    @Test("Closing a session ends its exchanges and closes its connections")
    func closing() async throws {
        let server = try #require(FaultyServer([.receive, .waitForClose]))
        defer { server.shutDown() }
        let session = Session()
        let url = server.url
        async let waiting = ExchangeTests.failure { try await session.get(url).response() }
        await server.waitForRequests(1)
        await session.close()
        #expect(await waiting?.reason == .sessionClosed)
        await server.waitForClosedConnections(1)
        let later = await ExchangeTests.failure { try await session.get(url).response() }
        #expect(later?.reason == .sessionClosed)
    }
}
