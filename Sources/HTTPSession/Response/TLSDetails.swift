/// What is known of the TLS session a response came over.
public struct TLSDetails: Sendable, Hashable {
    private struct Values: Sendable, Hashable {
        var certificates: [[UInt8]]
        var version: String
        var verified: Bool
        var negotiatedProtocol: String?
    }

    // In one reference: every response that comes over a connection has it.
    private var values: CopyOnWrite<Values>

    /// Creates details.
    public init(certificates: [[UInt8]], version: String, verified: Bool, negotiatedProtocol: String? = nil) {
        values = CopyOnWrite(
            Values(
                certificates: certificates, version: version, verified: verified,
                negotiatedProtocol: negotiatedProtocol))
    }

    /// The server's certificate and those that vouch for it, leaf first, in DER.
    public var certificates: [[UInt8]] {
        get { values.value.certificates }
        set { values.change { $0.certificates = newValue } }
    }

    /// The protocol version, as in `TLSv1.3`.
    public var version: String {
        get { values.value.version }
        set { values.change { $0.version = newValue } }
    }

    /// Whether the server was verified: not so under a policy that trusts anybody.
    public var verified: Bool {
        get { values.value.verified }
        set { values.change { $0.verified = newValue } }
    }

    /// The protocol that was agreed on by ALPN, such as `h2` (RFC 7301).
    public var negotiatedProtocol: String? {
        get { values.value.negotiatedProtocol }
        set { values.change { $0.negotiatedProtocol = newValue } }
    }

    /// Whether all is the same.
    public static func == (first: TLSDetails, second: TLSDetails) -> Bool {
        first.values.value == second.values.value
    }

    /// Feeds all into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values.value)
    }
}
