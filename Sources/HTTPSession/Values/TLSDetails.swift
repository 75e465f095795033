/// What is known of the TLS session a response came over.
public struct TLSDetails: Sendable, Hashable {
    /// The server's certificate and those that vouch for it, leaf first, in DER.
    public var certificates: [[UInt8]]
    /// The protocol version, as in `TLSv1.3`.
    public var version: String
    /// Whether the server was verified: not so under a policy that trusts anybody.
    public var verified: Bool
    /// The protocol that was agreed on by ALPN, such as `h2` (RFC 7301).
    public var negotiatedProtocol: String?

    /// Creates details.
    public init(certificates: [[UInt8]], version: String, verified: Bool, negotiatedProtocol: String? = nil) {
        self.negotiatedProtocol = negotiatedProtocol
        self.certificates = certificates
        self.version = version
        self.verified = verified
    }
}
