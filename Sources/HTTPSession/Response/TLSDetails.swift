import Basics

/// What is known of the TLS session a response came over.
public struct TLSDetails: Sendable, Hashable {
    private struct Values: Sendable, Hashable {
        var certificates: [[UInt8]]
        var version: String
        var verified: Bool
        var negotiatedProtocol: String?
    }

    // In one reference: every response that comes over a connection has it.
    @CopyOnWrite private var values: Values

    /// Creates details.
    public init(certificates: [[UInt8]], version: String, verified: Bool, negotiatedProtocol: String? = nil) {
        values = Values(
            certificates: certificates, version: version, verified: verified,
            negotiatedProtocol: negotiatedProtocol)
    }

    /// The server's certificate and those that vouch for it, leaf first, in DER.
    public var certificates: [[UInt8]] {
        get { values.certificates }
        set { values.certificates = newValue }
    }

    /// The protocol version, as in `TLSv1.3`.
    public var version: String {
        get { values.version }
        set { values.version = newValue }
    }

    /// Whether the server was verified: not so under a policy that trusts anybody.
    public var verified: Bool {
        get { values.verified }
        set { values.verified = newValue }
    }

    /// The protocol that was agreed on by ALPN, such as `h2` (RFC 7301).
    public var negotiatedProtocol: String? {
        get { values.negotiatedProtocol }
        set { values.negotiatedProtocol = newValue }
    }
}
