/// A certificate with its key, by which a client proves to a server who it is (mutual TLS).
public struct ClientIdentity: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        case separate(chain: CertificateSource, key: CertificateSource)
        case bundle(CertificateSource)
    }

    let form: Form
    let passphrase: String?

    /// Creates an identity of a certificate and a key.
    /// - Parameters:
    ///   - certificate: The client's certificate, followed by those of the authorities between it and the root, if any.
    ///   - key: The key (PKCS #8, or the traditional PEM form, encrypted or not); nil if it is beside the certificate.
    ///   - passphrase: What the key is encrypted with.
    public init(certificate: CertificateSource, key: CertificateSource? = nil, passphrase: String? = nil) {
        form = .separate(chain: certificate, key: key ?? certificate)
        self.passphrase = passphrase
    }

    /// Creates an identity of a PKCS #12 bundle (RFC 7292), a file that commonly ends in `.p12` or `.pfx`.
    public init(pkcs12: CertificateSource, passphrase: String? = nil) {
        form = .bundle(pkcs12)
        self.passphrase = passphrase
    }
}
