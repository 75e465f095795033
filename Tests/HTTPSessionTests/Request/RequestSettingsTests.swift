import FoundationEssentials
import HTTPSession
import NIOCore
import Testing

/// Tests of a request's settings in combination with the session's.
@Suite("Request settings")
struct RequestSettingsTests {
    private static func sent(_ configuration: SessionConfiguration, _ request: Request) async throws -> TransportRequest
    {
        let transport = ScriptedTransport()
        transport.answer(with: .response(200))
        _ = try await Session(configuration: configuration, transport: transport).send(request)
        return try #require(transport.requests.first)
    }

    @Test("A request's timeouts and limits are merged with those of the session")
    func merging() async throws {
        let configuration = SessionConfiguration(
            timeouts: Timeouts(connect: .seconds(1), total: .seconds(9)), limits: Limits(bodyBytes: 99))
        var request = Request(.get, url: "http://a.test/")
        request.timeouts.firstByte = .seconds(2)
        request.timeouts.total = nil
        request.limits.headerBytes = 77
        let sent = try await Self.sent(configuration, request)
        #expect(sent.timeouts == Timeouts(connect: .seconds(1), firstByte: .seconds(2), total: nil))
        #expect(sent.limits == Limits(headerBytes: 77, bodyBytes: 99))
        request.timeouts = Timeouts(idle: .seconds(3))
        let other = try await Self.sent(configuration, request)
        #expect(other.timeouts == Timeouts(connect: .seconds(1), idle: .seconds(3), total: .seconds(9)))
        #expect(try await Self.sent(configuration, Request(url: "http://a.test/")).timeouts == configuration.timeouts)
    }

    @Test("A request's connection options are merged with those of the session")
    func connection() async throws {
        var configuration = SessionConfiguration()
        configuration.connection.unixSocket = "/session.sock"
        configuration.connection.proxy = .proxy(Proxy(.http, host: "proxy.test", port: 1))
        var request = Request(.get, url: "http://a.test/")
        #expect(try await Self.sent(configuration, request).connection == configuration.connection)
        request.connection.version = .http11
        request.connection.proxy = .direct
        let sent = try await Self.sent(configuration, request).connection
        #expect(sent.unixSocket == "/session.sock")
        #expect(sent.version == .http11)
        #expect(sent.proxy == .direct)
    }

    @Test("A request's TLS options are merged with those of the session")
    func tls() async throws {
        let trust = TrustPolicy.authorities(["/session.pem"])
        let configuration = SessionConfiguration(
            connection: .with {
                $0.tls.trust = trust
                $0.tls.serverName = "session.test"
            })
        var request = Request(.get, url: "https://a.test/")
        request.connection.tls.minimumVersion = .tls13
        request.connection.tls.serverName = nil
        let sent = try await Self.sent(configuration, request).connection.tls
        #expect(sent == TLSOptions(trust: trust, minimumVersion: .tls13))
        // The session's trust policy remains in effect. Otherwise, a request could reach servers that the session
        // rejects.
        request.connection.tls = TLSOptions(maximumVersion: .tls12)
        let newer = TLSOptions(trust: trust, maximumVersion: .tls12, serverName: "session.test")
        #expect(try await Self.sent(configuration, request).connection.tls == newer)
        request.connection.tls = TLSOptions(trust: .system)
        #expect(try await Self.sent(configuration, request).connection.tls == TLSOptions(serverName: "session.test"))
        request.connection.tls = TLSOptions()
        #expect(try await Self.sent(configuration, request).connection == configuration.connection)
    }

    @Test("A request's redirect, cookie, and cache policies override those of the session")
    func policies() async throws {
        let jar = CookieJar()
        jar.set(Cookie(name: "sid", value: "1", domain: "a.test"))
        let cache = ResponseCache()
        let transport = ScriptedTransport()
        transport.answer(.get, "/from", with: .response(302, ["Location": "/to"]))
        transport.answer(with: .response(200, ["Cache-Control": "max-age=60"], "ok"))
        let decline = RedirectPolicy.ask { _ in .stop }
        let session = Session(
            configuration: .init(redirects: decline, cookies: jar, cache: cache), transport: transport)
        func status(_ change: (inout Request) -> Void) async throws -> Int {
            try await session.get("http://a.test/from").with(change).response().status
        }
        #expect(try await status { _ in } == 302)
        #expect(try await status { $0.redirects.maximum = 3 } == 302)
        #expect(try await status { $0.redirects = .inherited } == 302)
        #expect(try await status { $0.redirects = .follow } == 200)
        #expect(try await status { $0.redirects = .never } == 302)
        let sent = transport.requests.count
        let fresh = try await session.get("http://a.test/to").with {
            $0.cookies = .never
            $0.cachePolicy = .ignore
        }.response()
        #expect(!fresh.isFromCache)
        #expect(transport.requests.count == sent + 1)
        #expect(transport.requests.map { $0.headers["Cookie"] }.suffix(2) == ["sid=1", nil])
        let other = CookieJar()
        other.set(Cookie(name: "sid", value: "2", domain: "a.test"))
        _ = try await session.get("http://a.test/to").with { $0.cookies = .jar(other) }.response()
        #expect(transport.requests.last?.headers["Cookie"] == "sid=2")
    }

    @Test("A configuration can be created with a single initializer call")
    func configuration() async throws {
        let configuration = SessionConfiguration(
            baseURL: "http://a.test/", redirects: .never, connection: .init(), adapters: [.bearer("t")],
            retriers: [.retryPolicy], interceptors: [.digest(username: "u", password: "p")], cachePolicy: .ignore,
            coalescesRequests: true)
        #expect(configuration.adapters.count == 2)
        #expect(configuration.retriers.count == 2)
        #expect(try await Self.sent(configuration, Request(url: "x")).headers["Authorization"] == "Bearer t")
    }

    @Test("Foundation and SwiftNIO types are accepted")
    func conversions() async throws {
        let url = try #require(URL(string: "http://a.test/x?y=1"))
        let request = Request(.post, url: url, body: .data(Data([1, 2])))
        let sent = try await Self.sent(.init(), request)
        #expect(sent.url.description == "http://a.test/x?y=1")
        #expect(sent.body == .bytes([1, 2]))
        #expect(RequestBody.buffer(ByteBuffer(bytes: [3])) == .bytes([3]))
        #expect(RequestBody.file(URL(filePath: "/a/b c")) == .file(path: "/a/b c"))
        let transport = ScriptedTransport()
        transport.answer(with: .response(200, [:], "ab"))
        let session = Session(transport: transport)
        let response = try await session.get(url).response()
        #expect(response.data == Data("ab".utf8))
        #expect(response.buffer == ByteBuffer(string: "ab"))
        let data: Data = try await session.get(url).data()
        #expect(data == response.data)
        let bytes = try await session.get(url).data()
        #expect(bytes == response.body)
        #expect(try await session.get(url).buffer() == response.buffer)
        #expect(SessionConfiguration(baseURL: url).baseURL == "http://a.test/x?y=1")
        #expect(CertificateSource.data(Data([1])) == .bytes([1]))
        var form = MultipartFormData()
        form.append(Data([1]), name: "bytes")
        form.append(file: URL(filePath: "/a/b.txt"), name: "file")
        #expect(form.parts.map(\.body) == [.bytes([1]), .file(path: "/a/b.txt")])
        #expect(try await session.get(response.url).string() == "ab")
    }

    @Test("Bodies can be created from sequences of Data, ByteBuffer, and byte arrays")
    func sequences() async throws {
        func pieces<Piece: Sendable>(_ all: Piece...) -> AsyncStream<Piece> {
            AsyncStream { continuation in
                for piece in all { continuation.yield(piece) }
                continuation.finish()
            }
        }
        for source in [
            BodySource(pieces(Data([1, 2]), Data([3]))),
            BodySource(pieces(ByteBuffer(bytes: [1, 2]), ByteBuffer(bytes: [3]))),
            BodySource(pieces([1, 2], [3] as [UInt8])),
        ] {
            let reader = try await source.open()
            var bytes: [UInt8] = []
            while let piece = try await reader() { bytes += piece }
            #expect(bytes == [1, 2, 3])
            #expect(!source.isReplayable)
        }
    }

    @Test("Adapters, retriers, and validators can be closures")
    func closures() async throws {
        let transport = ScriptedTransport()
        transport.answer(.get, "/x", with: .response(503), .response(200, [:], "ok"))
        let session = Session(transport: transport)
        let exchange = session.get("http://a.test/x")
            .adapt { request, context in request.headers.set(name: "X-Attempt", value: String(context.attempt)) }
            .retry { failure, _ in failure.response?.status == 503 ? .retry : .doNotRetry }
            .validate { $0.body.isEmpty ? "there is no body" : nil }
        #expect(try await exchange.string() == "ok")
        #expect(transport.requests.compactMap { $0.headers["X-Attempt"] } == ["1", "2"])
    }
}
