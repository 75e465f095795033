/// Whom to trust over TLS, as whom to appear, and which versions to speak.
public struct TLSOptions: Sendable, Hashable {
    /// Which servers are trusted.
    public var trust: TrustPolicy

    /// Creates options.
    public init(trust: TrustPolicy = .system) {
        self.trust = trust
    }
}
