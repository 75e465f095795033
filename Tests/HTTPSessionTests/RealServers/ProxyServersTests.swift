import TestSupport
import Testing

@testable import HTTPSession

@Suite("tinyproxy", .enabled(if: ProxyProcess.hasTinyproxy, "tinyproxy is not installed"))
struct TinyproxyTests {
    private static func configuration(_ proxy: ProxyProcess, user: String?, _ password: String = "")
        -> SessionConfiguration
    {
        let trust = TLSTests.certificates.map { TrustPolicy.authorities([$0.authority.certificate]) } ?? .system
        return ProxyTests.configuration(
            Proxy(.http, host: "127.0.0.1", port: proxy.port, username: user, password: password), trust: trust)
    }

    @Test("Requests are forwarded with valid credentials and rejected without them")
    func forwarding() async throws {
        let proxy = try #require(await ProxyProcess.tinyproxy(user: ("ada", "lovelace")))
        let server = FaultyServer([.receive, .send(ExchangeTests.ok)])
        try await ExchangeTests.with(server, Self.configuration(proxy, user: "ada", "lovelace")) { server, session in
            let response = try await session.get(server.url + "x?y").response()
            #expect(response.text == "ok")
            #expect(response.head.headers.contains("Via"))
            let request = try #require(server.requestTexts.first)
            #expect(request.hasPrefix("GET /x?y HTTP/1"))
            #expect(!request.contains("Proxy-Authorization"))
        }
        await withSession(Self.configuration(proxy, user: nil)) { session in
            let error = await ExchangeTests.failure { try await session.get("https://127.0.0.1:1/").response() }
            #expect(error?.reason == .proxyFailed)
            #expect(error?.head?.status == 407)
            #expect(
                error?.message.contains("requires a user name and password: 407") == true, "\(error?.message ?? "")")
        }
        await withSession(Self.configuration(proxy, user: "ada", "byron")) { session in
            let error = await ExchangeTests.failure { try await session.get("https://127.0.0.1:1/").response() }
            #expect(error?.reason == .proxyFailed)
            #expect(error?.phase == .connect)
        }
    }

    @Test(
        "HTTP/1.1 over TLS and HTTP/2 with and without TLS use a tunnel",
        .enabled(if: NginxServer.isAvailable))
    func tunnel() async throws {
        let certificates = try #require(TLSTests.certificates)
        let proxy = try #require(await ProxyProcess.tinyproxy())
        let nginx = try #require(await NginxServer.start(certificates.valid))
        for (url, version) in [
            (nginx.secureURL, HTTPVersionPolicy.http11), (nginx.secureURL, .http2), (nginx.plainHTTP2URL, .http2),
        ] {
            var configuration = Self.configuration(proxy, user: nil)
            configuration.connection.version = version
            try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
                let response = try await session.get(url + "/hello.txt").response()
                #expect(response.text == "hello from nginx\n")
                #expect(response.head.version == (version == .http2 ? .http2 : .http11))
                #expect(response.remoteAddress == "127.0.0.1:\(proxy.port)")
                let long = try await session.get(url + "/long.txt").response()
                #expect(long.body.count == 52000)
                #expect(long.metrics.reusedConnection)
            }
        }
    }

    @Test("A server that the proxy cannot reach is reported as a proxy failure")
    func unreachable() async throws {
        let proxy = try #require(await ProxyProcess.tinyproxy())
        let closed = try #require(ClosedPort())
        await withSession(Self.configuration(proxy, user: nil)) { session in
            let error = await ExchangeTests.failure {
                try await session.get("https://127.0.0.1:\(closed.port)/").response()
            }
            #expect(error?.reason == .proxyFailed)
            #expect((error?.head?.status ?? 0) >= 500)
        }
    }
}

@Suite("microsocks", .enabled(if: ProxyProcess.hasMicrosocks, "microsocks is not installed"))
struct MicrosocksTests {
    @Test("HTTP and HTTPS requests succeed with valid credentials", arguments: [Proxy.Scheme.socks5, .socks5h])
    func requests(scheme: Proxy.Scheme) async throws {
        let proxy = try #require(await ProxyProcess.microsocks(user: ("ada", "lovelace")))
        var settings = Proxy(scheme, host: "127.0.0.1", port: proxy.port, username: "ada", password: "lovelace")
        let plain = FaultyServer([.receive, .send(ExchangeTests.ok)])
        try await ExchangeTests.with(plain, ProxyTests.configuration(settings)) { server, session in
            let response = try await session.get("http://localhost:\(server.port)/").response()
            #expect(response.text == "ok")
        }
        if let certificates = TLSTests.certificates {
            let server = try await TLSServer(certificates.valid, response: ExchangeTests.ok)
            let trust = TrustPolicy.authorities([certificates.authority.certificate])
            try await withSession(ProxyTests.configuration(settings, trust: trust)) { session in
                let response = try await session.get("https://localhost:\(server.port)/").response()
                #expect(response.tls?.verified == true)
            }
            await server.shutDown()
        }
        settings.password = "byron"
        await withSession(ProxyTests.configuration(settings)) { session in
            let error = await ExchangeTests.failure { try await session.get("http://localhost:1/").response() }
            #expect(error?.reason == .proxyFailed)
            #expect(error?.message.contains("rejected the user name and password") == true)
        }
    }

    @Test("Proxy errors are reported for refused connections and unknown host names")
    func failures() async throws {
        let proxy = try #require(await ProxyProcess.microsocks())
        let closed = try #require(ClosedPort())
        let settings = Proxy(.socks5h, host: "127.0.0.1", port: proxy.port)
        await withSession(ProxyTests.configuration(settings)) { session in
            let refused = await ExchangeTests.failure {
                try await session.get("http://127.0.0.1:\(closed.port)/").response()
            }
            #expect(refused?.message.hasSuffix("connection refused") == true, "\(refused?.message ?? "")")
            let unknown = await ExchangeTests.failure { try await session.get("http://unknown.invalid/").response() }
            #expect(unknown?.reason == .proxyFailed)
            #expect(unknown?.message.contains("could not connect to unknown.invalid:80: ") == true)
        }
    }
}
