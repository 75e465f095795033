public import Basics
public import FoundationEssentials

/// The TLS options of a connection: trusted servers, the client's identity, and protocol versions.
///
/// Certificate and key files are read when the first connection needs them, once per transport.
///
/// A request uses the options that it sets, and the session's for all others: `request.connection.tls.minimumVersion =
/// .tls13` and `request.connection.tls = TLSOptions(minimumVersion: .tls13)` keep the session's trust and identity.
///
/// ```swift
/// configuration.connection.tls.minimumVersion = .tls13
/// request.connection.tls.trust = .system.pinning(keys: [])
/// ```
public struct TLSOptions: Sendable {
    /// The set of options that were set explicitly.
    struct Fields: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let trust = Fields(rawValue: 1)
        static let identity = Fields(rawValue: 2)
        static let minimumVersion = Fields(rawValue: 4)
        static let maximumVersion = Fields(rawValue: 8)
        static let serverName = Fields(rawValue: 16)
    }

    /// The policy that decides which servers are trusted.
    public var trust: TrustPolicy { didSet { fields.insert(.trust) } }
    /// The client certificate for servers that request one; nil for none.
    public var identity: ClientIdentity? { didSet { fields.insert(.identity) } }
    /// The minimum version; nil for TLS 1.2, or ``maximumVersion`` if that is lower.
    public var minimumVersion: TLSVersion? { didSet { fields.insert(.minimumVersion) } }
    /// The maximum version; nil for TLS 1.3.
    public var maximumVersion: TLSVersion? { didSet { fields.insert(.maximumVersion) } }
    /// The server name to request (SNI, RFC 6066, section 3) and to verify in the certificate, instead of the URL's
    /// host.
    public var serverName: String? { didSet { fields.insert(.serverName) } }
    private(set) var fields: Fields

    /// Creates options; those that are omitted are inherited from the session, or have default values.
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

    /// Returns these options with unset ones replaced by those of `base`.
    public func inheriting(from base: TLSOptions) -> TLSOptions {
        var merged = base
        if fields.contains(.trust) { merged.trust = trust }
        if fields.contains(.identity) { merged.identity = identity }
        if fields.contains(.minimumVersion) { merged.minimumVersion = minimumVersion }
        if fields.contains(.maximumVersion) { merged.maximumVersion = maximumVersion }
        if fields.contains(.serverName) { merged.serverName = serverName }
        return merged
    }

    /// Returns the reason why the options are unusable, such as a missing file or a wrong passphrase; nil if they are
    /// usable.
    public func problem() -> MessageText? {
        TLSContexts().problem(with: self)
    }

    /// The minimum and maximum accepted versions.
    var versions: (oldest: TLSVersion, newest: TLSVersion) {
        let newest = maximumVersion ?? .tls13
        return (minimumVersion ?? min(.tls12, newest), newest)
    }
}

extension TLSOptions: Hashable {
    /// Returns whether the options are equal; explicit and default values are not distinguished.
    public static func == (first: TLSOptions, second: TLSOptions) -> Bool {
        first.trust == second.trust && first.identity == second.identity
            && first.minimumVersion == second.minimumVersion && first.maximumVersion == second.maximumVersion
            && first.serverName == second.serverName
    }

    /// Hashes the options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(trust)
        hasher.combine(identity)
        hasher.combine(minimumVersion)
        hasher.combine(maximumVersion)
        hasher.combine(serverName)
    }
}

/// A version of the TLS protocol.
public enum TLSVersion: String, Sendable, Hashable, CaseIterable {
    /// TLS 1.0 (RFC 2246), deprecated by RFC 8996.
    case tls10 = "1.0"
    /// TLS 1.1 (RFC 4346), deprecated by RFC 8996.
    case tls11 = "1.1"
    /// TLS 1.2 (RFC 5246).
    case tls12 = "1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "1.3"

    /// Creates a version from a case-insensitive name such as `1.2`, `TLS 1.2` or `TLSv1.2`; nil if it is unknown.
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
    /// Returns whether the first version is older than the second.
    public static func < (first: TLSVersion, second: TLSVersion) -> Bool { first.rawValue < second.rawValue }
}

extension TLSVersion: CustomStringConvertible {
    /// The version as in `TLS 1.3`.
    public var description: String { "TLS \(rawValue)" }
}

/// A client certificate with its private key, for mutual TLS.
///
/// ```swift
/// configuration.connection.tls.identity = ClientIdentity(certificate: "client.pem", key: "client.key")
/// ```
public struct ClientIdentity: Sendable, Hashable {
    /// The form of an identity: separate chain and key, or a PKCS #12 bundle.
    enum Form: Sendable, Hashable {
        case separate(chain: CertificateSource, key: CertificateSource)
        case bundle(CertificateSource)
    }

    let form: Form
    let passphrase: String?

    /// Creates an identity from a certificate and a key.
    /// - Parameters:
    ///   - certificate: The client's certificate, followed by any intermediate certificates.
    ///   - key: The private key (PKCS #8 or traditional PEM, encrypted or not); nil if the certificate's source
    ///     contains it.
    ///   - passphrase: The passphrase of the key.
    public init(certificate: CertificateSource, key: CertificateSource? = nil, passphrase: String? = nil) {
        form = .separate(chain: certificate, key: key ?? certificate)
        self.passphrase = passphrase
    }

    /// Creates an identity from a PKCS #12 bundle (RFC 7292), usually a `.p12` or `.pfx` file.
    public init(pkcs12: CertificateSource, passphrase: String? = nil) {
        form = .bundle(pkcs12)
        self.passphrase = passphrase
    }
}

/// The source of certificates or a key, a file or bytes, in PEM (RFC 7468) or DER.
public enum CertificateSource: Sendable, Hashable {
    /// The path of a file.
    case file(String)
    /// The contents of a certificate or key file.
    case bytes([UInt8])

    /// Creates a source from PEM text.
    public static func pem(_ text: String) -> CertificateSource { .bytes(Array(text.utf8)) }

    /// Creates a source from the contents of a certificate or key file.
    public static func data(_ data: Data) -> CertificateSource { .bytes(Array(data)) }

    /// The name of the source in messages.
    var name: String {
        switch self {
        case .file(let path): "\"\(path)\""
        case .bytes: "the given bytes"
        }
    }
}

extension CertificateSource: ExpressibleByStringLiteral {
    /// Creates a source from the path of a file.
    public init(stringLiteral path: String) { self = .file(path) }
}

/// The error of an unusable connection setting, such as an invalid proxy URL.
public struct ConnectionSettingError: Error, Sendable, Hashable {
    /// The description of the problem.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public var wording: MessageText

    /// Creates an error.
    public init(message: MessageText) { wording = message }
}

extension ConnectionSettingError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
