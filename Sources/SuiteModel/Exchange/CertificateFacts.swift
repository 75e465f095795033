/// What expectations look at in a server's certificate.
public struct CertificateFacts: Sendable, Hashable {
    /// The name of whom it is for: `CN=api.example.org,O=Example` (RFC 4514).
    public var subject: String
    /// The name of who signed it.
    public var issuer: String
    /// The host names and addresses that it is for.
    public var names: [String]
    /// The last second at which it is valid, since 1970-01-01T00:00:00Z.
    public var notAfter: Int64

    /// Creates facts.
    public init(subject: String, issuer: String, names: [String], notAfter: Int64) {
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.notAfter = notAfter
    }
}
