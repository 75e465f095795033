public import FoundationEssentials

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

/// A version of TLS.
public enum TLSVersion: String, Sendable, Hashable, CaseIterable {
    /// TLS 1.0 (RFC 2246), deprecated by RFC 8996.
    case tls10 = "1.0"
    /// TLS 1.1 (RFC 4346), deprecated by RFC 8996.
    case tls11 = "1.1"
    /// TLS 1.2 (RFC 5246).
    case tls12 = "1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "1.3"

    /// The version with a name such as `1.2`, `TLS 1.2` or `TLSv1.2`, in any case; nil if there is none.
    public init?(name: String) {
        var text = name.lowercased()[...]
        if text.hasPrefix("tls") {
            text = text.dropFirst(3)
            if text.hasPrefix("v") || text.hasPrefix(" ") { text = text.dropFirst() }
        }
        if text == "1" { text = "1.0" }
        self.init(rawValue: String(text))
    }
}

extension TLSVersion: Comparable {
    /// Whether the first version is the older one.
    public static func < (first: TLSVersion, second: TLSVersion) -> Bool { first.rawValue < second.rawValue }
}

extension TLSVersion: CustomStringConvertible {
    /// The version as in `TLS 1.3`.
    public var description: String { "TLS \(rawValue)" }
}

/// A certificate with its key, by which a client proves to a server who it is (mutual TLS).
public struct ClientIdentity: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        case separate(chain: CertificateSource, key: CertificateSource)
        case bundle(CertificateSource)
    }

    let form: Form
    let passphrase: String?

    /// Creates an identity of a certificate and a key.
    /// - Parameters:
    ///   - certificate: The client's certificate, followed by those of the authorities between it and the root, if any.
    ///   - key: The key (PKCS #8, or the traditional PEM form, encrypted or not); nil if it is beside the certificate.
    ///   - passphrase: What the key is encrypted with.
    public init(certificate: CertificateSource, key: CertificateSource? = nil, passphrase: String? = nil) {
        form = .separate(chain: certificate, key: key ?? certificate)
        self.passphrase = passphrase
    }

    /// Creates an identity of a PKCS #12 bundle (RFC 7292), a file that commonly ends in `.p12` or `.pfx`.
    public init(pkcs12: CertificateSource, passphrase: String? = nil) {
        form = .bundle(pkcs12)
        self.passphrase = passphrase
    }
}

/// Where certificates or a key come from: a file or bytes, in PEM (RFC 7468) or DER.
public enum CertificateSource: Sendable, Hashable {
    /// A file.
    case file(String)
    /// The contents of such a file.
    case bytes([UInt8])

    /// The text of such a file.
    public static func pem(_ text: String) -> CertificateSource { .bytes(Array(text.utf8)) }

    /// The contents of such a file.
    public static func data(_ data: Data) -> CertificateSource { .bytes(Array(data)) }

    /// How it is called in messages.
    var name: String {
        switch self {
        case .file(let path): path
        case .bytes: "the given bytes"
        }
    }
}

extension CertificateSource: ExpressibleByStringLiteral {
    /// A file.
    public init(stringLiteral path: String) { self = .file(path) }
}

/// A setting of a connection that cannot be used, such as a proxy's URL that is none.
public struct ConnectionSettingError: Error, Sendable, Hashable {
    /// What is wrong, in words.
    public var message: String

    /// Creates an error.
    public init(message: String) { self.message = message }
}

extension ConnectionSettingError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
