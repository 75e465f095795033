import Basics
import NIOSSL
import TestSupport
import Testing

@testable import HTTPSession

@Suite(
    "Client certificates",
    .enabled(if: TestCertificates.isAvailable, "requires the openssl command"))
struct ClientIdentityTests {
    private static func client(_ certificates: TestCertificates) throws -> TestCertificates.Identity {
        try #require(
            certificates.issue(
                "client-\(UInt32.random(in: 0 ... .max))", subject: "/CN=client", alternativeNames: nil,
                by: certificates.authority))
    }

    /// Returns the outcome with a server that requires a certificate issued by the authority.
    private static func outcome(
        _ identity: ClientIdentity?, version: HTTPSession.TLSVersion? = nil, protocols: [String] = []
    ) async throws -> (status: Int?, error: SessionError?) {
        let certificates = try #require(TLSTests.certificates)
        let authority = try NIOSSLCertificate.fromPEMFile(certificates.authority.certificate)
        let server = try await TLSServer(certificates.valid, response: ExchangeTests.ok) { configuration in
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates(authority)
            configuration.applicationProtocols = protocols
        }
        var configuration = SessionConfiguration(trust: .authorities([certificates.authority.certificate]))
        configuration.connection.tls.identity = identity
        configuration.connection.tls.maximumVersion = version
        let port = server.port
        var status: Int?
        let error = await withSession(configuration) { session in
            await ExchangeTests.failure {
                status = try await session.get("https://localhost:\(port)/").response().status
            }
        }
        await server.shutDown()
        return (status, error)
    }

    @Test(
        "A certificate and its key are accepted in every common file format",
        arguments: [HTTPSession.TLSVersion.tls12, .tls13])
    func accepted(version: HTTPSession.TLSVersion) async throws {
        let certificates = try #require(TLSTests.certificates)
        let client = try Self.client(certificates)
        let made = certificates.script(
            """
            openssl pkcs8 -topk8 -v2 aes-256-cbc -in "$2" -passout pass:secret -out "$2.pkcs8"
            openssl ec -aes256 -in "$2" -passout pass:secret -out "$2.traditional" 2>/dev/null
            openssl pkcs8 -topk8 -nocrypt -outform der -in "$2" -out "$2.der"
            openssl pkcs8 -topk8 -v2 aes-256-cbc -outform der -in "$2" -passout pass:secret -out "$2.pkcs8.der"
            openssl x509 -in "$1" -outform der -out "$1.der"
            cat "$1" "$2" > "$1.both"
            openssl pkcs12 -export -in "$1" -inkey "$2" -passout pass:secret -out "$1.p12"
            openssl pkcs12 -export -in "$1" -inkey "$2" -passout pass: -out "$1.empty.p12"
            """, client.certificate, client.key)
        _ = try #require(made)
        let certificate = CertificateSource.file(client.certificate)
        let identities = [
            ClientIdentity(certificate: certificate, key: .file(client.key)),
            ClientIdentity(certificate: certificate, key: .file(client.key + ".pkcs8"), passphrase: "secret"),
            ClientIdentity(certificate: certificate, key: .file(client.key + ".traditional"), passphrase: "secret"),
            ClientIdentity(certificate: .file(client.certificate + ".der"), key: .file(client.key + ".der")),
            ClientIdentity(certificate: certificate, key: .file(client.key + ".pkcs8.der"), passphrase: "secret"),
            ClientIdentity(certificate: .file(client.certificate + ".both")),
            ClientIdentity(pkcs12: .file(client.certificate + ".p12"), passphrase: "secret"),
            ClientIdentity(pkcs12: .file(client.certificate + ".empty.p12")),
        ]
        for identity in identities {
            let (status, error) = try await Self.outcome(identity, version: version)
            #expect(status == 200, "\(identity.form): \(error?.message ?? "")")
        }
    }

    @Test("Passphrases may contain any characters", arguments: ["clé", "пароль", "密码", "😀", "a\u{7F}\u{80}"])
    func passphrases(_ passphrase: String) async throws {
        let certificates = try #require(TLSTests.certificates)
        let client = try Self.client(certificates)
        let made = certificates.script(
            """
            printf '%s\\n' "$3" > "$2.secret"
            openssl pkcs8 -topk8 -v2 aes-256-cbc -in "$2" -passout "file:$2.secret" -out "$2.pkcs8"
            openssl pkcs8 -topk8 -v2 aes-256-cbc -outform der -in "$2" -passout "file:$2.secret" -out "$2.pkcs8.der"
            openssl ec -aes256 -in "$2" -passout "file:$2.secret" -out "$2.traditional" 2>/dev/null
            openssl pkcs12 -export -in "$1" -inkey "$2" -passout "file:$2.secret" -out "$1.p12"
            """, client.certificate, client.key, passphrase)
        _ = try #require(made)
        let certificate = CertificateSource.file(client.certificate)
        let identities = [".pkcs8", ".pkcs8.der", ".traditional"].map {
            ClientIdentity(certificate: certificate, key: .file(client.key + $0), passphrase: passphrase)
        }
        let bundle = ClientIdentity(pkcs12: .file(client.certificate + ".p12"), passphrase: passphrase)
        // The passphrases of bundles are limited to UCS-2 (RFC 7292, appendix B.1).
        let isForBundles = passphrase.unicodeScalars.allSatisfy { $0.value < 0x10000 }
        for identity in identities + (isForBundles ? [bundle] : []) {
            #expect(TLSOptions(trust: .insecure, identity: identity).problem() == nil, "\(identity.form)")
        }
        let (status, error) = try await Self.outcome(identities[0])
        #expect(status == 200, "\(error?.message ?? "")")
        let wrong = ClientIdentity(
            certificate: certificate, key: .file(client.key + ".pkcs8"), passphrase: passphrase + "é")
        #expect(
            TLSOptions(trust: .insecure, identity: wrong).problem()?.text.contains("the passphrase is wrong") == true)
    }

    /// NIOSSL terminates the process for these.
    @Test("A bundle without a key or a certificate does not crash the process")
    func incompleteBundles() throws {
        let certificates = try #require(TLSTests.certificates)
        let client = try Self.client(certificates)
        let made = certificates.script(
            """
            openssl pkcs12 -export -in "$1" -nokeys -passout pass:clé -out "$1.nokeys.p12"
            openssl pkcs12 -export -nocerts -inkey "$2" -passout pass:clé -out "$1.nocerts.p12"
            """, client.certificate, client.key)
        _ = try #require(made)
        func failure(_ name: String) throws -> EncryptedKeys.Failure? {
            let text = certificates.script("base64 \"$1\" | tr -d '\\n'", client.certificate + name)
            let bytes = try #require(text.flatMap { Base64.decode(Array($0.utf8)) })
            do throws(EncryptedKeys.Failure) {
                _ = try EncryptedKeys.bundle(bytes, passphrase: "clé")
                return nil
            } catch {
                return error
            }
        }
        #expect(try failure(".nokeys.p12") == .noKey)
        #expect(try failure(".nocerts.p12") == .noCertificate)
    }

    @Test("Unusable certificates and keys are reported with the reason")
    func unusable() throws {
        let certificates = try #require(TLSTests.certificates)
        let client = try Self.client(certificates)
        let other = try Self.client(certificates)
        let made = certificates.script(
            """
            openssl pkcs8 -topk8 -v2 aes-256-cbc -in "$2" -passout pass:secret -out "$2.pkcs8"
            openssl ec -aes256 -in "$2" -passout pass:secret -out "$2.traditional" 2>/dev/null
            openssl pkcs12 -export -in "$1" -inkey "$2" -passout pass:secret -out "$1.p12"
            openssl pkcs12 -export -in "$1" -nokeys -passout pass:secret -out "$1.nokeys.p12"
            openssl pkcs12 -export -nocerts -inkey "$2" -passout pass:secret -out "$1.nocerts.p12"
            """, client.certificate, client.key)
        _ = try #require(made)
        func problem(_ key: String, _ passphrase: String? = nil) -> String {
            let identity = ClientIdentity(
                certificate: .file(client.certificate), key: .file(key), passphrase: passphrase)
            return TLSOptions(trust: .insecure, identity: identity).problem()?.text ?? "none"
        }
        func bundle(_ file: String, _ passphrase: String? = nil) -> String {
            TLSOptions(trust: .insecure, identity: ClientIdentity(pkcs12: .file(file), passphrase: passphrase))
                .problem()?.text
                ?? "none"
        }
        for form in [".pkcs8", ".traditional"] {
            let file = client.key + form
            #expect(problem(file) == "the key in \"\(file)\" is encrypted: specify its passphrase")
            #expect(
                problem(file, "wrong").hasPrefix("the key in \"\(file)\" cannot be decrypted: the passphrase is wrong"))
            #expect(problem(file, "secret") == "none")
        }
        #expect(problem("/does/not/exist").hasSuffix("cannot be read: No such file or directory"))
        #expect(problem(client.certificate).contains("expected a private key in PEM or DER format"))
        #expect(problem(other.key) == "the client key does not match its certificate")
        #expect(bundle(client.certificate + ".p12").contains("it requires a passphrase"))
        #expect(bundle(client.certificate + ".p12", "wrong").contains("the passphrase is wrong"))
        #expect(bundle(client.certificate + ".nokeys.p12", "secret").contains("is not a PKCS #12 bundle"))
        #expect(bundle(client.certificate + ".nocerts.p12", "secret").contains("is not a PKCS #12 bundle"))
        #expect(bundle(client.certificate, "secret").contains("is not a PKCS #12 bundle"))
    }

    @Test("A missing or rejected client certificate is reported", arguments: [HTTPSession.TLSVersion.tls12, .tls13])
    func refused(version: HTTPSession.TLSVersion) async throws {
        let certificates = try #require(TLSTests.certificates)
        let missing = try await Self.outcome(nil, version: version).error
        #expect(missing?.reason == .tlsFailed, "\(missing?.message ?? "accepted")")
        #expect(missing?.phase == .tls)
        #expect(missing?.message.contains("require") == true, "\(missing?.message ?? "accepted")")
        #expect(missing?.message.contains("a client certificate") == true, "\(missing?.message ?? "accepted")")
        // The cases run concurrently, so each creates its own files.
        let name = version == .tls12 ? "foreign-1.2" : "foreign-1.3"
        let foreign = try #require(
            certificates.issue(name, subject: "/CN=foreign", alternativeNames: nil, by: nil))
        let identity = ClientIdentity(certificate: .file(foreign.certificate), key: .file(foreign.key))
        let wrong = try await Self.outcome(identity, version: version).error
        #expect(wrong?.reason == .tlsFailed, "\(wrong?.message ?? "accepted")")
        #expect(wrong?.message.contains("client certificate") == true, "\(wrong?.message ?? "accepted")")
        // If a server closes the connection immediately, its alert may be lost.
        var overHTTP2: SessionError?
        for _ in 0..<10 where overHTTP2?.reason != .tlsFailed {
            overHTTP2 = try await Self.outcome(identity, version: version, protocols: ["h2"]).error
        }
        #expect(overHTTP2?.reason == .tlsFailed, "\(overHTTP2?.message ?? "accepted")")
        #expect(overHTTP2?.phase == .tls)
        #expect(overHTTP2?.message.contains("client certificate") == true, "\(overHTTP2?.message ?? "accepted")")
    }

    @Test("A key that does not match the certificate is reported when a connection is made")
    func atConnect() async throws {
        let certificates = try #require(TLSTests.certificates)
        let identity = ClientIdentity(
            certificate: .file(certificates.valid.certificate), key: .file(certificates.selfSigned.key))
        let error = try await Self.outcome(identity).error
        #expect(error?.reason == .invalidTrust)
        #expect(error?.message == "the client key does not match its certificate")
    }
}
