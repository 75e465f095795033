import HTTPSession

/// Whom a run's TLS connections trust, and as whom they appear.
public struct RunTrust: Sendable, Hashable {
    /// True accepts any certificate; only on the user's explicit word.
    public var isInsecure: Bool
    /// A PEM file of authorities that are trusted instead of the system's.
    public var authorities: String?
    /// The PEM file of the certificate that is shown to servers that ask for one.
    public var certificate: String?
    /// The PEM file of the certificate's key; nil when the certificate's file holds it.
    public var key: String?

    /// Creates trust settings; without arguments the system's authorities are trusted.
    public init(
        isInsecure: Bool = false, authorities: String? = nil, certificate: String? = nil, key: String? = nil
    ) {
        self.isInsecure = isInsecure
        self.authorities = authorities
        self.certificate = certificate
        self.key = key
    }

    /// Why the settings cannot be used, as one sentence, or nil.
    public func problem() -> String? {
        if let authorities, let problem = TrustPolicy.authorities([authorities]).problem() { return problem }
        return certificate == nil ? nil : options.problem()
    }

    /// The settings as the session library takes them.
    var options: TLSOptions {
        var options = TLSOptions()
        if isInsecure {
            options.trust = .insecure
        } else if let authorities {
            options.trust = .authorities([authorities])
        }
        if let certificate {
            options.identity = ClientIdentity(certificate: .file(certificate), key: key.map { .file($0) })
        }
        return options
    }
}
