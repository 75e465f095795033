import TestSupport
import Testing

@testable import HTTPSession

@Suite("Proxies")
struct ProxyTests {
    static func configuration(_ proxy: Proxy?, trust: TrustPolicy = .system) -> SessionConfiguration {
        var configuration = SessionConfiguration(trust: trust)
        configuration.connection.proxy = ProxyPolicy(proxy: proxy)
        return configuration
    }

    /// Returns the result of a request through a proxy, and the requests that the proxy received.
    private static func with<Result>(
        _ change: (inout TestProxy.Behavior) -> Void = { _ in }, _ body: (TestProxy) async throws -> Result
    ) async throws -> Result {
        let proxy = try await TestProxy(change)
        do {
            let result = try await body(proxy)
            await proxy.shutDown()
            return result
        } catch {
            await proxy.shutDown()
            throw error
        }
    }

    @Test("An http URL is forwarded by the proxy, and the origin does not receive the proxy credentials")
    func forwarding() async throws {
        let server = FaultyServer([.receive, .send(ExchangeTests.ok), .receive, .send(ExchangeTests.ok)])
        try await Self.with({
            $0.username = "ada"; $0.password = "love"
        }) { proxy in
            let settings = Proxy(.http, host: "127.0.0.1", port: proxy.port, username: "ada", password: "love")
            try await ExchangeTests.with(server, Self.configuration(settings)) { server, session in
                let url = "http://only.proxy.test:\(server.port)/a?b"
                let first = try await session.get(url).response()
                #expect(first.text == "ok")
                #expect(first.remoteAddress == "127.0.0.1:\(proxy.port)")
                #expect(first.metrics.dns == nil)
                #expect(proxy.targets == ["only.proxy.test:\(server.port)"])
                let head = try #require(proxy.heads.first)
                #expect(head.hasPrefix("GET \(url) HTTP/1.1\r\nHost: only.proxy.test:\(server.port)\r\n"))
                #expect(head.contains("\r\nProxy-Authorization: Basic YWRhOmxvdmU="))
                #expect(server.requestTexts.first?.hasPrefix("GET /a?b HTTP/1.1\r\n") == true)
                #expect(server.requestTexts.first?.contains("Proxy-Authorization") == false)
                let second = try await session.get(url).response()
                #expect(second.metrics.reusedConnection)
            }
        }
    }

    @Test("A 407 for a forwarded request is a response")
    func forwardingRefused() async throws {
        try await Self.with({ $0.username = "ada" }) { proxy in
            let settings = Proxy(.http, host: "127.0.0.1", port: proxy.port)
            try await withSession(Self.configuration(settings)) { session in
                let response = try await session.get("http://only.proxy.test/").response()
                #expect(response.status == 407)
            }
        }
    }

    @Test("An https URL goes through a tunnel", .enabled(if: TestCertificates.isAvailable), arguments: [false, true])
    func tunnel(isSecure: Bool) async throws {
        let certificates = try #require(TLSTests.certificates)
        let server = try await TLSServer(certificates.valid, response: ExchangeTests.ok)
        let trust = TrustPolicy.authorities([certificates.authority.certificate])
        try await Self.with({
            $0.username = "ada"
            $0.password = "love"
            if isSecure { $0.identity = certificates.valid }
        }) { proxy in
            var settings = Proxy(isSecure ? .https : .http, host: "localhost", port: proxy.port)
            settings.tls.trust = trust
            settings.username = "ada"
            settings.password = "love"
            let recorder = EventRecorder()
            var configuration = Self.configuration(settings, trust: trust)
            configuration.monitors = [recorder]
            try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
                let response = try await session.get("https://localhost:\(server.port)/").response()
                #expect(response.text == "ok")
                #expect(response.tls?.verified == true)
                #expect(response.metrics.tls != nil)
                #expect(proxy.targets == ["localhost:\(server.port)"])
                #expect(proxy.heads.first?.contains("Proxy-Authorization: Basic YWRhOmxvdmU=") == true)
                #expect(!server.text.contains("Proxy-Authorization"))
                let again = try await session.get("https://localhost:\(server.port)/").response()
                #expect(again.metrics.reusedConnection)
                #expect(proxy.heads.count == 1)
                #expect(
                    recorder.names.filter { ["connected", "secured", "sent"].contains($0) }.prefix(2)
                        == ["connected", "secured"])
            }
            // The certificate must be the server's, not that of the proxy's address.
            await withSession(configuration) { session in
                let error = await ExchangeTests.failure {
                    try await session.get("https://unknown.test:\(server.port)/").response()
                }
                #expect(error?.reason == .certificate(.wrongHost))
            }
        }
        await server.shutDown()
    }

    @Test("The proxy's own certificate must be trusted", .enabled(if: TestCertificates.isAvailable))
    func untrustedProxy() async throws {
        let certificates = try #require(TLSTests.certificates)
        try await Self.with({ $0.identity = certificates.selfSigned }) { proxy in
            let settings = Proxy(.https, host: "localhost", port: proxy.port)
            await withSession(Self.configuration(settings, trust: .insecure)) { session in
                let error = await ExchangeTests.failure { try await session.get("http://any.test/").response() }
                #expect(error?.reason == .certificate(.selfSigned))
                #expect(error?.phase == .connect)
                #expect(error?.message.contains("of the proxy localhost:\(proxy.port)") == true)
                #expect(proxy.heads.isEmpty)
            }
        }
    }

    @Test("A tunnel that the proxy refuses is an error with the status", .enabled(if: TestCertificates.isAvailable))
    func tunnelRefused() async throws {
        let refusal = "HTTP/1.1 403 Forbidden by rule\r\nX-Why: policy\r\nContent-Length: 0\r\n\r\n"
        try await Self.with({ $0.answer = Array(refusal.utf8) }) { proxy in
            await withSession(Self.configuration(Proxy(.http, host: "127.0.0.1", port: proxy.port))) { session in
                let error = await ExchangeTests.failure { try await session.get("https://any.test/").response() }
                #expect(error?.reason == .proxyFailed)
                #expect(error?.phase == .connect)
                #expect(error?.head?.status == 403)
                #expect(error?.head?.headers["X-Why"] == "policy")
                #expect(
                    error?.message
                        == "the proxy 127.0.0.1:\(proxy.port) refused to connect to any.test:443: 403 Forbidden by rule"
                )
            }
        }
        try await Self.with({ $0.username = "ada" }) { proxy in
            let settings = Proxy(.http, host: "127.0.0.1", port: proxy.port, username: "ada", password: "wrong")
            await withSession(Self.configuration(settings)) { session in
                let error = await ExchangeTests.failure { try await session.get("https://any.test/").response() }
                #expect(error?.head?.status == 407)
                #expect(error?.message.contains("rejected the user name and password: 407") == true)
            }
        }
    }

    @Test("Proxies that are unreachable, close the connection, or do not respond are reported")
    func brokenProxies() async throws {
        let closed = try #require(ClosedPort())
        await withSession(Self.configuration(Proxy(.http, host: "127.0.0.1", port: closed.port))) { session in
            let error = await ExchangeTests.failure { try await session.get("https://any.test/").response() }
            #expect(error?.reason == .connectionRefused)
            #expect(error?.message.hasPrefix("connection refused: the proxy 127.0.0.1:\(closed.port)") == true)
        }
        let server = FaultyServer([.receiveHeader, .close], [.waitForClose])
        try await ExchangeTests.with(server) { server, session in
            var request = Request(.get, url: "https://any.test/")
            request.connection.proxy = .proxy(Proxy(.http, host: "127.0.0.1", port: server.port))
            let closing = await ExchangeTests.failure { try await session.send(request) }
            #expect(closing?.reason == .proxyFailed)
            #expect(closing?.message.contains("closed the connection when asked to connect to any.test:443") == true)
            request.timeouts = Timeouts(connect: .seconds(2))
            let silent = await ExchangeTests.failure { try await session.send(request) }
            #expect(silent?.reason == .timedOut(.connect, .seconds(2)))
            #expect(silent?.phase == .connect)
            #expect(
                silent?.message
                    == "timeout after 2 s (connect) asking the proxy 127.0.0.1:\(server.port) to connect to"
                    + " any.test:443")
            await server.waitForClosedConnections(1)
        }
    }

    @Test(
        "SOCKS 5 requests use an address or a name, depending on the scheme",
        arguments: [Proxy.Scheme.socks5, .socks5h])
    func socks(scheme: Proxy.Scheme) async throws {
        let server = FaultyServer([.receive, .send(ExchangeTests.ok)])
        try await Self.with({
            $0.isSOCKS = true; $0.username = "ada"; $0.password = "love"
        }) { proxy in
            var configuration = Self.configuration(
                Proxy(scheme, host: "127.0.0.1", port: proxy.port, username: "ada", password: "love"))
            configuration.connection.resolve = [ResolveOverride(host: "some.test", address: "127.0.0.1")]
            try await ExchangeTests.with(server, configuration) { server, session in
                let response = try await session.get("http://some.test:\(server.port)/x").response()
                #expect(response.text == "ok")
                #expect(server.requestTexts.first?.hasPrefix("GET /x HTTP/1.1\r\n") == true)
                let name = scheme == .socks5 ? "127.0.0.1" : "some.test"
                #expect(proxy.targets == ["\(name):\(server.port)"])
            }
        }
    }

    @Test("SOCKS 5 requests use the address and port of an override")
    func socksOverride() async throws {
        let server = FaultyServer([.receive, .send(ExchangeTests.ok)])
        try await Self.with({ $0.isSOCKS = true }) { proxy in
            var configuration = Self.configuration(Proxy(.socks5, host: "127.0.0.1", port: proxy.port))
            try await ExchangeTests.with(server) { server, _ in
                configuration.connection.resolve = [
                    ResolveOverride(host: "some.test", address: "127.0.0.1", addressPort: server.port)
                ]
                try await withSession(configuration) { session in
                    let response = try await session.get("http://some.test/x").response()
                    #expect(response.text == "ok")
                    #expect(proxy.targets == ["127.0.0.1:\(server.port)"])
                }
            }
        }
    }

    @Test("SOCKS 5 supports IPv6 addresses, and failures are reported")
    func socksFailures() async throws {
        let closed = try #require(ClosedPort())
        try await Self.with({ $0.isSOCKS = true }) { proxy in
            await withSession(Self.configuration(Proxy(.socks5, host: "127.0.0.1", port: proxy.port))) { session in
                let error = await ExchangeTests.failure {
                    try await session.get("http://[::1]:\(closed.port)/").response()
                }
                #expect(error?.reason == .proxyFailed)
                #expect(
                    error?.message.hasSuffix("could not connect to [::1]:\(closed.port): connection refused") == true)
                #expect(proxy.targets == ["::1:\(closed.port)"])
            }
        }
        try await Self.with({
            $0.isSOCKS = true; $0.username = "ada"
        }) { proxy in
            await withSession(Self.configuration(Proxy(.socks5h, host: "127.0.0.1", port: proxy.port))) { session in
                let error = await ExchangeTests.failure { try await session.get("http://any.test/").response() }
                #expect(error?.message.contains("requires a user name and password") == true)
            }
        }
    }

    @Test("Hosts in the exceptions are connected to directly")
    func exceptions() async throws {
        let server = FaultyServer([.receive, .send(ExchangeTests.ok)])
        try await Self.with { proxy in
            var configuration = SessionConfiguration()
            configuration.connection.proxy = .proxy(
                Proxy(.http, host: "127.0.0.1", port: proxy.port), except: ["127.0.0.0/8"])
            try await ExchangeTests.with(server, configuration) { server, session in
                let response = try await session.get(server.url).response()
                #expect(response.remoteAddress == "127.0.0.1:\(server.port)")
                #expect(proxy.targets.isEmpty)
            }
        }
    }
}
