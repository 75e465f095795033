import Glibc

/// Test certificates created with `openssl` in a temporary directory, which is deleted when this object is destroyed.
public final class TestCertificates: Sendable {
    /// A certificate and its key, as PEM files.
    public struct Identity: Sendable {
        /// The path of the certificate.
        public let certificate: String
        /// The path of the key.
        public let key: String
    }

    /// The authority that issued all certificates except `selfSigned`.
    public let authority: Identity
    /// A certificate for `localhost` and 127.0.0.1.
    public let valid: Identity
    /// An expired certificate for `localhost`.
    public let expired: Identity
    /// A certificate for `other.example` only.
    public let wrongHost: Identity
    /// A self-signed certificate for `localhost`.
    public let selfSigned: Identity
    /// The `valid` certificate followed by that of the authority.
    public let chained: Identity

    /// The directory of the files.
    let directory: String

    /// Whether `openssl` is installed.
    public static let isAvailable = run(["openssl", "version"])

    /// Creates the certificates, or returns `nil` if `openssl` fails or is not installed.
    public init?() {
        var template = Array("/tmp/test-certificates-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.directory = directory
        func identity(_ name: String) -> Identity {
            Identity(certificate: "\(directory)/\(name).pem", key: "\(directory)/\(name).key")
        }
        authority = identity("authority")
        valid = identity("valid")
        expired = identity("expired")
        wrongHost = identity("wrong-host")
        selfSigned = identity("self-signed")
        chained = Identity(certificate: "\(directory)/chained.pem", key: valid.key)

        let names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        let isMade =
            Self.make(authority, ["-subj", "/CN=Test Authority", "-addext", "basicConstraints=critical,CA:TRUE"])
            && Self.make(valid, Self.issued(by: authority) + ["-subj", "/CN=localhost", "-addext", names])
            && Self.makeExpired(expired, names: names, authority: authority, directory: directory)
            && Self.make(
                wrongHost,
                Self.issued(by: authority) + ["-subj", "/CN=other", "-addext", "subjectAltName=DNS:other.example"])
            && Self.make(selfSigned, ["-subj", "/CN=localhost", "-addext", names])
            && Self.run(
                [
                    "sh", "-c", #"cat "$1" "$2" > "$3""#, "sh", valid.certificate, authority.certificate,
                    chained.certificate,
                ])
        guard isMade else {
            Self.removeDirectory(directory)
            return nil
        }
    }

    deinit {
        Self.removeDirectory(directory)
    }

    static func issued(by authority: Identity) -> [String] {
        ["-CA", authority.certificate, "-CAkey", authority.key, "-addext", "basicConstraints=critical,CA:FALSE"]
    }

    static func make(_ identity: Identity, _ options: [String]) -> Bool {
        run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-out", identity.certificate, "-keyout", identity.key,
            ] + ["-days", "2"] + options)
    }

    /// Creates a certificate that expired a day ago.
    ///
    /// In older versions, only `x509 -req` supports this.
    private static func makeExpired(
        _ identity: Identity, names: String, authority: Identity, directory: String
    ) -> Bool {
        run([
            "openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", "/CN=localhost", "-addext", names, "-out", directory + "/expired.csr", "-keyout", identity.key,
        ])
            && run([
                "openssl", "x509", "-req", "-in", directory + "/expired.csr", "-CA", authority.certificate,
                "-CAkey", authority.key, "-days", "-1", "-copy_extensions", "copy", "-out", identity.certificate,
            ])
    }

    private static func removeDirectory(_ directory: String) {
        _ = run(["rm", "-r", "-f", directory])
    }

    /// Runs a command without output and returns whether it succeeded.
    static func run(_ arguments: [String]) -> Bool {
        guard let process = ServerProcess.spawn(arguments) else { return false }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return false } }
        return status == 0
    }
}
