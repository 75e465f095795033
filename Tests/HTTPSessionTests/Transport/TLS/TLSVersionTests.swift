import NIOSSL
import TestSupport
import Testing

@testable import HTTPSession

@Suite("TLS versions", .enabled(if: TestCertificates.isAvailable, "requires the openssl command"))
struct TLSVersionTests {
    @Test(
        "The newest version that both sides allow is negotiated",
        arguments: [
            (NIOSSL.TLSVersion.tlsv13, nil, nil, "TLSv1.3"), (.tlsv13, nil, .tls12, "TLSv1.2"),
            (.tlsv12, nil, nil, "TLSv1.2"), (.tlsv11, nil, .tls11, "TLSv1.1"), (.tlsv1, .tls10, nil, "TLSv1"),
            (.tlsv12, .tls13, nil, "TLS 1.3"), (.tlsv11, nil, nil, "TLS 1.2 to 1.3"),
        ] as [(NIOSSL.TLSVersion, HTTPSession.TLSVersion?, HTTPSession.TLSVersion?, String)])
    func negotiation(
        server newest: NIOSSL.TLSVersion, minimum: HTTPSession.TLSVersion?, maximum: HTTPSession.TLSVersion?,
        outcome: String
    ) async throws {
        let certificates = try #require(TLSTests.certificates)
        let server = try await TLSServer(certificates.valid, response: ExchangeTests.ok) { configuration in
            configuration.minimumTLSVersion = .tlsv1
            configuration.maximumTLSVersion = newest
        }
        var configuration = SessionConfiguration(trust: .authorities([certificates.authority.certificate]))
        configuration.connection.tls.minimumVersion = minimum
        configuration.connection.tls.maximumVersion = maximum
        await withSession(configuration) { session in
            do throws(SessionError) {
                let response = try await session.get("https://localhost:\(server.port)/").response()
                #expect(response.tls?.version == outcome)
            } catch {
                #expect(error.reason == .tlsFailed)
                #expect(
                    error.message.hasSuffix("does not support the TLS version of this client: \(outcome)"),
                    "\(error)")
            }
        }
        await server.shutDown()
    }

    @Test("Version names are parsed")
    func names() {
        for text in ["1.2", "TLS 1.2", "tlsv1.2", "TLS1.2"] { #expect(HTTPSession.TLSVersion(name: text) == .tls12) }
        #expect(HTTPSession.TLSVersion(name: "TLSv1") == .tls10)
        for text in ["", "1.4", "2", "SSLv3", "TLS"] { #expect(HTTPSession.TLSVersion(name: text) == nil) }
        #expect(HTTPSession.TLSVersion.tls10 < .tls13)
    }
}
