import Basics

/// The TLS session that a response was received over.
public struct TLSDetails: Sendable, Hashable {
    private struct Values: Sendable, Hashable {
        var certificates: [[UInt8]]
        var version: String
        var verified: Bool
        var negotiatedProtocol: String?
    }

    // A single reference, because every response of a connection has the same details.
    @CopyOnWrite private var values: Values

    /// Creates details of a TLS session.
    /// - Parameters:
    ///   - certificates: The server's certificate chain in DER, leaf first.
    ///   - version: The protocol version, such as `TLSv1.3`.
    ///   - verified: Whether the server was verified.
    ///   - negotiatedProtocol: The protocol negotiated with ALPN, such as `h2`.
    public init(certificates: [[UInt8]], version: String, verified: Bool, negotiatedProtocol: String? = nil) {
        values = Values(
            certificates: certificates, version: version, verified: verified,
            negotiatedProtocol: negotiatedProtocol)
    }

    /// The server's certificate chain in DER, leaf first.
    public var certificates: [[UInt8]] {
        get { values.certificates }
        set { values.certificates = newValue }
    }

    /// The protocol version, such as `TLSv1.3`.
    public var version: String {
        get { values.version }
        set { values.version = newValue }
    }

    /// Whether the server was verified; false under a policy that trusts every server.
    public var verified: Bool {
        get { values.verified }
        set { values.verified = newValue }
    }

    /// The protocol negotiated with ALPN, such as `h2` (RFC 7301).
    public var negotiatedProtocol: String? {
        get { values.negotiatedProtocol }
        set { values.negotiatedProtocol = newValue }
    }
}
