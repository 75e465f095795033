/// Whom to trust over TLS, as whom to appear, and which versions to speak.
///
/// Certificates and keys in files are read when the first connection needs them, and once per transport.
public struct TLSOptions: Sendable, Hashable {
    /// Which servers are trusted.
    public var trust: TrustPolicy
    /// The certificate to show to servers that ask for one; nil for none.
    public var identity: ClientIdentity?
    /// The oldest version to accept; TLS 1.2 if nil, or ``maximumVersion`` if that is older.
    public var minimumVersion: TLSVersion?
    /// The newest version to offer; TLS 1.3 if nil.
    public var maximumVersion: TLSVersion?
    /// The name to ask the server for (SNI, RFC 6066 section 3) and to find in its certificate, instead of the URL's host.
    public var serverName: String?

    /// Creates options.
    public init(
        trust: TrustPolicy = .system, identity: ClientIdentity? = nil, minimumVersion: TLSVersion? = nil,
        maximumVersion: TLSVersion? = nil, serverName: String? = nil
    ) {
        self.trust = trust
        self.identity = identity
        self.minimumVersion = minimumVersion
        self.maximumVersion = maximumVersion
        self.serverName = serverName
    }

    /// Why the options cannot be used, such as a file that is missing or a wrong passphrase; nil when they can.
    public func problem() -> String? {
        TLSContexts().problem(with: self)
    }

    /// The versions that are accepted, oldest and newest.
    var versions: (oldest: TLSVersion, newest: TLSVersion) {
        let newest = maximumVersion ?? .tls13
        return (minimumVersion ?? min(.tls12, newest), newest)
    }
}
