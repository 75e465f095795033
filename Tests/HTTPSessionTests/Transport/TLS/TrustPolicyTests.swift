import Basics
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of trust policies with servers whose certificates were created by `openssl` for the test.
@Suite(
    "Trust policies", .enabled(if: TestCertificates.isAvailable, "requires the openssl command"))
struct TrustPolicyTests {
    private static func result(
        _ identity: TestCertificates.Identity, host: String = "localhost", _ trust: TrustPolicy,
        serverName: String? = nil
    ) async throws -> (response: Response?, error: SessionError?, received: String) {
        let server = try await TLSServer(identity, response: ExchangeTests.ok)
        var configuration = SessionConfiguration()
        configuration.connection.tls = TLSOptions(trust: trust, serverName: serverName)
        let port = server.port
        var response: Response?
        var error: SessionError?
        await withSession(configuration) { session in
            do throws(SessionError) {
                response = try await session.get("https://\(host):\(port)/").response()
            } catch let failure {
                error = failure
            }
        }
        let received = server.text
        await server.shutDown()
        return (response, error, received)
    }

    private static func problem(
        _ identity: TestCertificates.Identity, host: String = "localhost", _ trust: TrustPolicy,
        serverName: String? = nil
    ) async throws -> SessionError.CertificateProblem? {
        let (response, error, received) = try await result(identity, host: host, trust, serverName: serverName)
        guard let error else {
            #expect(response?.status == 200)
            return nil
        }
        // An untrusted server does not receive any byte of the request.
        #expect(received.isEmpty)
        #expect(error.phase == .tls)
        guard case .certificate(let problem) = error.reason else {
            Issue.record("\(error)")
            return nil
        }
        return problem
    }

    @Test("Pinned keys are checked in addition to the chain, and a mismatch lists the server's pins")
    func keys() async throws {
        let certificates = try #require(TLSTests.certificates)
        let pin = try PublicKeyPin(#require(certificates.pin(certificates.valid)))
        let authorityPin = try PublicKeyPin(#require(certificates.pin(certificates.authority)))
        let other = try PublicKeyPin(#require(certificates.pin(certificates.selfSigned)))
        let trust = TrustPolicy.authorities([certificates.authority.certificate])

        let accepted = try await Self.result(certificates.valid, trust.pinning(keys: [other, pin]))
        #expect(accepted.response?.tls?.verified == true)
        let value1 = try await Self.problem(certificates.valid, trust.pinning(keys: [authorityPin]))
        #expect(value1 == nil)
        let value2 = try await Self.problem(certificates.valid, trust.pinning(keys: [authorityPin], at: .leaf))
        #expect(value2 == .pinMismatch)
        // The pin matches, but the default verification fails.
        let value3 = try await Self.problem(certificates.expired, trust.pinning(keys: [authorityPin]))
        #expect(value3 == .expired)
        let value4 = try await Self.problem(certificates.selfSigned, trust.pinning(keys: [other]))
        #expect(value4 == .selfSigned)

        let refused = try await Self.result(certificates.valid, trust.pinning(keys: [other]))
        let error = try #require(refused.error)
        #expect(error.reason == .certificate(.pinMismatch))
        #expect(error.message.contains("\(pin) (localhost)"), "\(error.message)")
        #expect(error.message.contains("\(authorityPin) (Test Authority)"), "\(error.message)")
        #expect(error.message.contains("expected \(other)"), "\(error.message)")
        #expect(refused.received.isEmpty)
    }

    @Test("Pins can replace chain verification, but only for the server's own certificate")
    func pinsAlone() async throws {
        let certificates = try #require(TLSTests.certificates)
        let pin = try PublicKeyPin(#require(certificates.pin(certificates.selfSigned)))
        let expiredPin = try PublicKeyPin(#require(certificates.pin(certificates.expired)))
        let authorityPin = try PublicKeyPin(#require(certificates.pin(certificates.authority)))
        let wrongHostPin = try PublicKeyPin(#require(certificates.pin(certificates.wrongHost)))

        let accepted = try await Self.result(certificates.selfSigned, .pinned(keys: [pin]))
        #expect(accepted.response?.tls?.verified == true)
        let value1 = try await Self.problem(certificates.expired, .pinned(keys: [expiredPin]))
        #expect(value1 == nil)
        // Anyone can send an authority's certificate after their own.
        let value2 = try await Self.problem(certificates.chained, .pinned(keys: [authorityPin]))
        #expect(value2 == .pinMismatch)
        let value3 = try await Self.problem(certificates.wrongHost, .pinned(keys: [wrongHostPin]))
        #expect(value3 == .wrongHost)
        let value4 = try await Self.problem(
            certificates.wrongHost, .pinned(keys: [wrongHostPin]).withoutHostNameCheck)
        #expect(value4 == nil)
        let value5 = try await Self.problem(
            certificates.wrongHost, .pinned(keys: [wrongHostPin]), serverName: "other.example")
        #expect(value5 == nil)

        let file = CertificateSource.file(certificates.selfSigned.certificate)
        let value6 = try await Self.problem(certificates.selfSigned, .pinned(certificates: [file]))
        #expect(value6 == nil)
        let mismatch = try await Self.result(certificates.valid, .pinned(certificates: [file]))
        #expect(mismatch.error?.reason == .certificate(.pinMismatch))
        let fingerprint = try #require(
            certificates.script(
                #"openssl x509 -in "$1" -outform der | openssl dgst -sha256 -hex | sed 's/.*= *//'"#,
                certificates.valid.certificate))
        #expect(mismatch.error?.message.contains("SHA-256 \(fingerprint) (localhost)") == true)
    }

    @Test("A pinned certificate can be in DER format and can be an authority of the server")
    func certificatePins() async throws {
        let certificates = try #require(TLSTests.certificates)
        let der = certificates.path("authority.der")
        _ = try #require(
            certificates.script(
                #"openssl x509 -in "$1" -outform der -out "$2""#, certificates.authority.certificate, der))
        let trust = TrustPolicy.authorities([.file(der)])
        let value1 = try await Self.problem(certificates.valid, trust.pinning(certificates: [.file(der)]))
        #expect(value1 == nil)
        let value2 = try await Self.problem(
            certificates.valid, trust.pinning(certificates: [.file(certificates.selfSigned.certificate)]))
        #expect(value2 == .pinMismatch)
    }

    @Test("Policies can be combined with all(of:), any(of:), and perHost")
    func composites() async throws {
        let certificates = try #require(TLSTests.certificates)
        let own = TrustPolicy.authorities([certificates.authority.certificate])
        let pin = try PublicKeyPin(#require(certificates.pin(certificates.selfSigned)))
        let pinned = TrustPolicy.pinned(keys: [pin])

        let either = TrustPolicy.any(of: [own, pinned])
        let value1 = try await Self.problem(certificates.valid, either)
        #expect(value1 == nil)
        let value2 = try await Self.problem(certificates.selfSigned, either)
        #expect(value2 == nil)
        let neither = try await Self.result(certificates.expired, either)
        #expect(neither.error?.reason == .certificate(.expired))
        #expect(neither.error?.message.contains("; and no key in the certificates") == true)
        let value3 = try await Self.problem(certificates.valid, .all(of: [own, pinned]))
        #expect(value3 == .pinMismatch)
        let value4 = try await Self.problem(certificates.valid, .all(of: []))
        #expect(value4 == .other)

        let second = try #require(
            certificates.issue(
                "second", subject: "/CN=Second Authority", alternativeNames: nil, by: nil, isAuthority: true))
        let foreign = TrustPolicy.authorities([second.certificate])
        let value5 = try await Self.problem(certificates.valid, .any(of: [foreign, own]))
        #expect(value5 == nil)
        let value6 = try await Self.problem(certificates.valid, .all(of: [foreign, own]))
        #expect(value6 == .unknownAuthority)
        let value7 = try await Self.problem(certificates.valid, .all(of: [.system, own]))
        #expect(value7 == .unknownAuthority)

        let perHost = TrustPolicy.perHost(["localhost": own, "127.0.0.1": foreign], otherwise: .insecure)
        let value8 = try await Self.problem(certificates.valid, perHost)
        #expect(value8 == nil)
        let value9 = try await Self.problem(certificates.valid, host: "127.0.0.1", perHost)
        #expect(value9 == .unknownAuthority)
        let other = try await Self.result(certificates.selfSigned, host: "other.localhost", perHost)
        #expect(other.response?.tls?.verified == false)
    }

    @Test("Certificates that are not yet valid or lack an intermediate are rejected")
    func chains() async throws {
        let certificates = try #require(TLSTests.certificates)
        let own = TrustPolicy.authorities([certificates.authority.certificate])
        let future = try #require(certificates.issue("future", from: "20990101000000Z", to: "21000101000000Z"))
        let value1 = try await Self.problem(future, own)
        #expect(value1 == .notYetValid)
        let intermediate = try #require(
            certificates.issue(
                "intermediate", subject: "/CN=Intermediate", alternativeNames: nil, by: certificates.authority,
                isAuthority: true))
        let leaf = try #require(
            certificates.issue(
                "leaf", subject: "/CN=leaf", alternativeNames: "DNS:localhost", by: intermediate))
        let value2 = try await Self.problem(leaf, own)
        #expect(value2 == .unknownAuthority)
        let chain = try #require(certificates.chain("leaf-chain", leaf, intermediate))
        let (response, _, _) = try await Self.result(chain, own)
        #expect(response?.tls?.chain.map(\.commonName) == ["leaf", "Intermediate", "Test Authority"])
        let pin = try PublicKeyPin(#require(certificates.pin(intermediate)))
        let value3 = try await Self.problem(chain, own.pinning(keys: [pin]))
        #expect(value3 == nil)
    }

    @Test("The server name for SNI and verification can differ from the URL's host")
    func serverName() async throws {
        let certificates = try #require(TLSTests.certificates)
        let own = TrustPolicy.authorities([certificates.authority.certificate])
        let value1 = try await Self.problem(certificates.wrongHost, own)
        #expect(value1 == .wrongHost)
        let value2 = try await Self.problem(certificates.wrongHost, own, serverName: "other.example")
        #expect(value2 == nil)
        let value3 = try await Self.problem(certificates.valid, own, serverName: "other.example")
        #expect(value3 == .wrongHost)
        let value4 = try await Self.problem(certificates.wrongHost, own.withoutHostNameCheck)
        #expect(value4 == nil)
        let value5 = try await Self.problem(certificates.selfSigned, own.withoutHostNameCheck)
        #expect(value5 == .selfSigned)
    }

    @Test("Invalid settings are reported before connecting")
    func problems() throws {
        let certificates = try #require(TLSTests.certificates)
        #expect(TrustPolicy.system.problem() == nil)
        let missing = TrustPolicy.any(of: [.system, .authorities(["/does/not/exist.pem"])])
        #expect(
            missing.problem()
                == #"the certificate authorities in "/does/not/exist.pem" cannot be read: No such file or directory"#)
        let key = TrustPolicy.authorities([certificates.authority.key])
        #expect(key.problem()?.text.contains("expected a certificate in PEM or DER format") == true)
        #expect(TrustPolicy.pinned(certificates: [.pem("nothing")]).problem()?.text.contains("the given bytes") == true)
        let reversed = TLSOptions(minimumVersion: .tls13, maximumVersion: .tls12)
        #expect(reversed.problem() == "the minimum version TLS 1.3 exceeds the maximum version TLS 1.2")
        #expect(TLSOptions(serverName: "").problem() == "the server name \"\" is not a host name")
    }

    @Test(
        "Host patterns select the most specific policy",
        arguments: [
            ("api.example.org", "exact"), ("www.example.org", "wild"), ("a.b.example.org", "wild"),
            ("deep.api.example.org", "long"), ("example.org", "otherwise"), ("badexample.org", "otherwise"),
        ])
    func patterns(host: String, name: String) throws {
        func policy(_ name: String) -> TrustPolicy { .authorities([name]) }
        let policies = TrustPolicy.perHost(
            [
                "API.example.org": policy("exact"), "*.example.org": policy("wild"),
                "*.api.example.org": policy("long"),
            ], otherwise: policy("otherwise"))
        #expect(policies.rule.resolved(for: host) == policy(name).rule)
    }

    @Test("Pins are parsed in every supported format")
    func pinForms() throws {
        let base = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let pin = PublicKeyPin(subjectPublicKeyInfo: [])
        for text in ["sha256/" + base, "sha256//" + base, "pin-sha256=\"\(base)\"", base] {
            #expect(try PublicKeyPin(text) == pin)
        }
        #expect(pin.description == "sha256/" + base)
        let slash = "/GHifwKAiPZde56v+6fzkpxydPa0g5mJJIu7R0I+FQA="
        for text in ["sha256/" + slash, "sha256//" + slash, slash] {
            #expect(try PublicKeyPin(text).description == "sha256/" + slash)
        }
        for text in ["", "sha256/", "sha1/" + base, "sha256/AAAA", "sha256/" + base.dropLast(), "sha256/" + base + "="]
        {
            #expect(throws: ConnectionSettingError.self) { try PublicKeyPin(text) }
        }
    }
}
