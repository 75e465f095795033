import NIOCore
import TestSupport
import Testing

@testable import HTTPSession

@Suite("Connection addresses")
struct AddressTests {
    private static func options(_ change: (inout ConnectionOptions) -> Void) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        change(&configuration.connection)
        return configuration
    }

    @Test("A name with an address override is not resolved and is kept in the Host field")
    func override() async throws {
        let recorder = EventRecorder()
        let server = FaultyServer([.receive, .send(ExchangeTests.ok)])
        let port = try #require(server?.port)
        var configuration = Self.options {
            $0.resolve = [
                ResolveOverride(host: "shop.test", port: 1, address: "192.0.2.1"),
                ResolveOverride(host: "Shop.test", port: 80, address: "127.0.0.1", addressPort: port),
            ]
        }
        configuration.monitors = [recorder]
        try await ExchangeTests.with(server, configuration) { server, session in
            let response = try await session.get("http://shop.test/").response()
            #expect(response.remoteAddress == "127.0.0.1:\(port)")
            #expect(server.requestTexts.first?.contains("\r\nHost: shop.test\r\n") == true)
            #expect(response.metrics.dns == nil)
            guard
                case .resolved("shop.test", ["127.0.0.1"], .zero)? = recorder.events.first(where: {
                    if case .resolved = $0 { true } else { false }
                })
            else {
                Issue.record("\(recorder.events)")
                return
            }
        }
    }

    @Test("A wildcard override applies to every name, and an invalid address is reported")
    func wildcard() async throws {
        let server = FaultyServer([.receive, .send(ExchangeTests.ok)])
        let configuration = Self.options { $0.resolve = [ResolveOverride(host: "*", address: "127.0.0.1")] }
        try await ExchangeTests.with(server, configuration) { server, session in
            let response = try await session.get("http://whatever.test:\(server.port)/").response()
            #expect(response.status == 200)
            var request = Request(.get, url: "http://a.test/")
            request.connection.resolve = [ResolveOverride(host: "a.test", address: "b.test")]
            let error = await ExchangeTests.failure { try await session.send(request) }
            #expect(error?.reason == .nameNotResolved)
            #expect(error?.message == "the address for a.test is not an IP address: b.test")
        }
    }

    @Test("Addresses that refuse or do not respond are skipped")
    func severalAddresses() async throws {
        let silent = try #require(UnansweringPort())
        let closed = try #require(ClosedPort())
        for port in [silent.port, closed.port] {
            let server = FaultyServer([.receive, .send(ExchangeTests.ok)])
            let open = try #require(server?.port)
            let configuration = Self.options {
                $0.resolve = [
                    ResolveOverride(
                        host: "two.test", addresses: [.init("127.0.0.1", port: port), .init("127.0.0.1", port: open)])
                ]
            }
            var settings = NIOTransport.Settings()
            settings.connectionAttemptDelay = .milliseconds(10)
            try await ExchangeTests.with(server, configuration, transport: ConnectionTests.oneLoop(settings)) {
                server, session in
                let response = try await session.get("http://two.test/").response()
                #expect(response.remoteAddress == "127.0.0.1:\(open)")
            }
        }
    }

    @Test("If all addresses fail, the error lists all of them")
    func allRefuse() async throws {
        let first = try #require(ClosedPort())
        let second = try #require(ClosedPort())
        let configuration = Self.options {
            $0.resolve = [
                ResolveOverride(
                    host: "two.test",
                    addresses: [.init("127.0.0.1", port: first.port), .init("127.0.0.1", port: second.port)])
            ]
        }
        await withSession(configuration) { session in
            let error = await ExchangeTests.failure { try await session.get("http://two.test/").response() }
            #expect(error?.reason == .connectionRefused)
            #expect(
                error?.message
                    == "connection refused: two.test:80 (tried 127.0.0.1:\(first.port), 127.0.0.1:\(second.port))")
        }
    }

    @Test("Address families alternate, starting with the family of the first address")
    func interleaving() throws {
        func addresses(_ texts: [String]) throws -> [SocketAddress] {
            try texts.map { try SocketAddress(ipAddress: $0, port: 1) }
        }
        let cases = [
            (["::1", "::2", "10.0.0.1", "10.0.0.2"], ["::1", "10.0.0.1", "::2", "10.0.0.2"]),
            (["10.0.0.1", "10.0.0.2", "10.0.0.3", "::1"], ["10.0.0.1", "::1", "10.0.0.2", "10.0.0.3"]),
            (["10.0.0.1", "::1", "::2"], ["10.0.0.1", "::1", "::2"]), (["::2", "::1"], ["::2", "::1"]), ([], []),
        ]
        for (given, expected) in cases {
            #expect(AddressOrder.interleaved(try addresses(given)).map(\.ipAddress) == expected)
        }
    }

    @Test("IPv6 literals are accepted, and their zone IDs are not sent")
    func version6() async throws {
        let server = try #require(FaultyServer(family: .version6, [.receive, .send(ExchangeTests.ok)]))
        let configuration = Self.options {
            $0.resolve = [ResolveOverride(host: "fe80::1%eth0", address: "::1")]
        }
        try await withSession(configuration) { session in
            for host in ["::1", "fe80::1%25eth0"] {
                let response = try await session.get("http://[\(host)]:\(server.port)/").response()
                #expect(response.remoteAddress == "[::1]:\(server.port)")
            }
            let error = await ExchangeTests.failure { try await session.get("http://[fe80::1%25nowhere]/").response() }
            #expect(error?.reason == .nameNotResolved)
        }
        #expect(server.requestTexts.first?.contains("\r\nHost: [::1]:\(server.port)\r\n") == true)
        #expect(server.requestTexts.last?.contains("\r\nHost: [fe80::1]:\(server.port)\r\n") == true)
        server.shutDown()
        let zoned = try #require(HostResolver.address("fe80::1%lo", port: 80))
        #expect(zoned.protocol == .inet6)
        #expect(zoned.port == 80)
    }

    // MARK: Unix domain sockets

    @Test(
        "Requests are sent over a Unix domain socket with and without TLS", .enabled(if: TestCertificates.isAvailable))
    func unixSocket() async throws {
        let certificates = try #require(TLSTests.certificates)
        let path = certificates.path("server.sock")
        for identity in [nil, certificates.valid] {
            let server = try await TLSServer(identity, response: ExchangeTests.ok, path: path)
            var configuration = Self.options { $0.unixSocket = path }
            configuration.connection.tls.trust = .authorities([certificates.authority.certificate])
            try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
                let url = identity == nil ? "http://any.test/x" : "https://localhost/x"
                let response = try await session.get(url).response()
                #expect(response.text == "ok")
                #expect(response.remoteAddress == "unix:" + path)
                #expect(
                    server.text.hasPrefix("GET /x HTTP/1.1\r\nHost: \(identity == nil ? "any.test" : "localhost")\r\n"))
                let again = try await session.get(url).response()
                #expect(again.metrics.reusedConnection)
            }
            await server.shutDown()
        }
    }

    @Test("A missing Unix domain socket and a path that is too long are reported")
    func noSocket() async throws {
        await withSession(Self.options { $0.unixSocket = "/does/not/exist.sock" }) { session in
            let error = await ExchangeTests.failure { try await session.get("http://any.test/").response() }
            #expect(error?.reason == .connectionFailed)
            #expect(error?.message == "cannot connect to the socket /does/not/exist.sock: No such file or directory")
        }
        await withSession(Self.options { $0.unixSocket = String(repeating: "x", count: 200) }) { session in
            let error = await ExchangeTests.failure { try await session.get("http://any.test/").response() }
            #expect(error?.reason == .connectionFailed)
            #expect(error?.message.hasPrefix("the socket path is empty or too long") == true)
        }
    }
}
