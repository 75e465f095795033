/// What is known of the TLS session a response came over.
public struct TLSDetails: Sendable, Hashable {
    /// The server's certificate and those that vouch for it, leaf first, in DER.
    public var certificates: [[UInt8]]
    /// The protocol version, as in `TLSv1.3`.
    public var version: String
    /// Whether the certificate and host name were verified.
    public var verified: Bool

    /// Creates details.
    public init(certificates: [[UInt8]], version: String, verified: Bool) {
        self.certificates = certificates
        self.version = version
        self.verified = verified
    }
}
