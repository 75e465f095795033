import TestSupport
import Testing

@testable import HTTPSession

@Suite("TLS", .enabled(if: TestCertificates.isAvailable, "requires the openssl command"))
struct TLSTests {
    /// The certificates shared by all tests of this suite.
    static let certificates = TestCertificates()

    static func failure(
        _ identity: TestCertificates.Identity, host: String = "localhost", trust: TrustPolicy
    ) async throws -> SessionError? {
        let server = try await TLSServer(identity, response: ExchangeTests.ok)
        let port = server.port
        let error: SessionError? = await withSession(.init(trust: trust)) { session in
            await ExchangeTests.failure { try await session.get("https://\(host):\(port)/").response() }
        }
        await server.shutDown()
        return error
    }

    @Test("A trusted server is accepted by name and by address, and its chain is in the response")
    func trusted() async throws {
        let certificates = try #require(Self.certificates)
        let server = try await TLSServer(certificates.valid, response: ExchangeTests.ok)
        let trust = TrustPolicy.authorities([certificates.authority.certificate])
        try await withSession(.init(trust: trust), transport: ConnectionTests.oneLoop()) { session in
            let first = try await session.get("https://localhost:\(server.port)/").response()
            #expect(first.text == "ok")
            let tls = try #require(first.tls)
            #expect(tls.version == "TLSv1.3")
            #expect(tls.verified)
            #expect(tls.certificates.count == 2)
            let leaf = try #require(tls.certificate)
            let root = try #require(tls.chain.last)
            #expect(leaf.issuer == root.subject)
            #expect(!leaf.isSelfIssued)
            #expect(root.isSelfIssued)
            #expect(tls.negotiatedProtocol == nil)
            #expect(first.metrics.tls != nil)
            let second = try await session.get("https://localhost:\(server.port)/").response()
            #expect(second.metrics.reusedConnection)
            #expect(second.metrics.tls == nil)
            #expect(second.tls == tls)
            let byAddress = try await session.get("https://127.0.0.1:\(server.port)/").response()
            #expect(byAddress.status == 200)
        }
        await server.shutDown()
    }

    @Test("An untrusted server is rejected with the reason")
    func untrusted() async throws {
        let certificates = try #require(Self.certificates)
        let trust = TrustPolicy.authorities([certificates.authority.certificate])
        let cases: [(TestCertificates.Identity, TrustPolicy, SessionError.CertificateProblem, String)] = [
            (certificates.expired, trust, .expired, "it has expired"),
            (certificates.wrongHost, trust, .wrongHost, "not for the host localhost but for other.example"),
            (certificates.selfSigned, trust, .selfSigned, "it is self-signed"),
            (certificates.valid, .system, .unknownAuthority, "not issued by a trusted authority"),
            (certificates.chained, .system, .unknownAuthority, "the authority that issued it is not trusted"),
        ]
        for (identity, trust, problem, words) in cases {
            let error = try await Self.failure(identity, trust: trust)
            #expect(error?.reason == .certificate(problem), "\(error?.message ?? "accepted")")
            #expect(error?.phase == .tls)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "accepted")")
        }
        let wrongAddress = try await Self.failure(certificates.wrongHost, host: "127.0.0.1", trust: trust)
        #expect(wrongAddress?.reason == .certificate(.wrongHost))
    }

    @Test("Verification can be disabled, and authorities can be added to those of the system")
    func otherPolicies() async throws {
        let certificates = try #require(Self.certificates)
        let server = try await TLSServer(certificates.selfSigned, response: ExchangeTests.ok)
        try await withSession(.init(trust: .insecure)) { session in
            let response = try await session.get("https://localhost:\(server.port)/").response()
            #expect(response.tls?.verified == false)
            #expect(response.tls?.certificates.isEmpty == false)
        }
        await server.shutDown()
        let added = TrustPolicy.system(andAuthorities: [certificates.authority.certificate])
        let value1 = try await Self.failure(certificates.valid, trust: added)
        #expect(value1 == nil)
        let missing = try await Self.failure(certificates.valid, trust: .authorities(["/does/not/exist.pem"]))
        #expect(missing?.reason == .invalidTrust)
        #expect(missing?.message.contains("/does/not/exist.pem") == true)
    }

    @Test("A server that does not support TLS or closes the connection is reported")
    func noTLS() async throws {
        let server = FaultyServer([.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .waitForClose], [.close])
        try await ExchangeTests.with(server) { server, session in
            let url = "https://127.0.0.1:\(server.port)/"
            let first = await ExchangeTests.failure { try await session.get(url).response() }
            #expect(first?.reason == .tlsFailed)
            #expect(first?.message.contains("does not speak TLS") == true, "\(first?.message ?? "")")
            let second = await ExchangeTests.failure { try await session.get(url).response() }
            #expect(second?.reason == .tlsFailed)
            #expect(second?.message.contains("during the TLS handshake") == true, "\(second?.message ?? "")")
        }
    }

    @Test("A redirect from https to http is reported in the response")
    func downgrade() async throws {
        let certificates = try #require(Self.certificates)
        let plain = try #require(FaultyServer([.receive, .send(ExchangeTests.ok)]))
        defer { plain.shutDown() }
        let redirect = "HTTP/1.1 302 Found\r\nLocation: \(plain.url)\r\nContent-Length: 0\r\n\r\n"
        let server = try await TLSServer(certificates.valid, response: redirect)
        try await withSession(.init(trust: .insecure)) { session in
            let response = try await session.get("https://localhost:\(server.port)/").response()
            #expect(response.leftSecureTransport)
        }
        await server.shutDown()
    }
}
