/// Whom to trust over TLS, as whom to appear, and which versions to speak.
///
/// Certificates and keys in files are read when the first connection needs them, and once per transport.
///
/// A request has the options that it sets, and the session's for all others: `request.connection.tls.minimumVersion = .tls13`
/// and `request.connection.tls = TLSOptions(minimumVersion: .tls13)` keep the session's trust and identity.
public struct TLSOptions: Sendable {
    /// The options that were set.
    struct Fields: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let trust = Fields(rawValue: 1)
        static let identity = Fields(rawValue: 2)
        static let minimumVersion = Fields(rawValue: 4)
        static let maximumVersion = Fields(rawValue: 8)
        static let serverName = Fields(rawValue: 16)
    }

    /// Which servers are trusted.
    public var trust: TrustPolicy { didSet { fields.insert(.trust) } }
    /// The certificate to show to servers that ask for one; nil for none.
    public var identity: ClientIdentity? { didSet { fields.insert(.identity) } }
    /// The oldest version to accept; TLS 1.2 if nil, or ``maximumVersion`` if that is older.
    public var minimumVersion: TLSVersion? { didSet { fields.insert(.minimumVersion) } }
    /// The newest version to offer; TLS 1.3 if nil.
    public var maximumVersion: TLSVersion? { didSet { fields.insert(.maximumVersion) } }
    /// The name to ask the server for (SNI, RFC 6066 section 3) and to find in its certificate, instead of the URL's host.
    public var serverName: String? { didSet { fields.insert(.serverName) } }
    private(set) var fields: Fields

    /// Creates options of which those are set that are given; all others are the session's, or else the standard ones.
    public init(
        trust: TrustPolicy? = nil, identity: ClientIdentity? = nil, minimumVersion: TLSVersion? = nil,
        maximumVersion: TLSVersion? = nil, serverName: String? = nil
    ) {
        self.trust = trust ?? .system
        self.identity = identity
        self.minimumVersion = minimumVersion
        self.maximumVersion = maximumVersion
        self.serverName = serverName
        fields = []
        if trust != nil { fields.insert(.trust) }
        if identity != nil { fields.insert(.identity) }
        if minimumVersion != nil { fields.insert(.minimumVersion) }
        if maximumVersion != nil { fields.insert(.maximumVersion) }
        if serverName != nil { fields.insert(.serverName) }
    }

    /// Returns these options with those of `base` in place of the ones that are not set.
    public func inheriting(from base: TLSOptions) -> TLSOptions {
        var merged = base
        if fields.contains(.trust) { merged.trust = trust }
        if fields.contains(.identity) { merged.identity = identity }
        if fields.contains(.minimumVersion) { merged.minimumVersion = minimumVersion }
        if fields.contains(.maximumVersion) { merged.maximumVersion = maximumVersion }
        if fields.contains(.serverName) { merged.serverName = serverName }
        return merged
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

extension TLSOptions: Hashable {
    /// Whether the options are equal, wherever they come from.
    public static func == (first: TLSOptions, second: TLSOptions) -> Bool {
        first.trust == second.trust && first.identity == second.identity
            && first.minimumVersion == second.minimumVersion && first.maximumVersion == second.maximumVersion
            && first.serverName == second.serverName
    }

    /// Feeds the options to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(trust)
        hasher.combine(identity)
        hasher.combine(minimumVersion)
        hasher.combine(maximumVersion)
        hasher.combine(serverName)
    }
}
