import HTTPSession

/// Whom a run's TLS connections trust.
public struct RunTrust: Sendable, Hashable {
    /// True accepts any certificate; only on the user's explicit word.
    public var isInsecure: Bool
    /// A PEM file of authorities that are trusted instead of the system's.
    public var authorities: String?

    /// Creates trust settings; without arguments the system's authorities are trusted.
    public init(isInsecure: Bool = false, authorities: String? = nil) {
        self.isInsecure = isInsecure
        self.authorities = authorities
    }

    /// Why the settings cannot be used, as one sentence, or nil.
    public func problem() -> String? {
        authorities == nil ? nil : policy.problem()
    }

    /// The settings as the session library takes them.
    var policy: TrustPolicy {
        if isInsecure { return .insecure }
        return authorities.map { .authorities([$0]) } ?? .system
    }
}
