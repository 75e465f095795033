import Basics
import Digests

/// Which servers are trusted over TLS; equal policies share their loaded certificates and connections.
///
/// ```swift
/// let policy = TrustPolicy.perHost(
///     [
///         "api.example.org": .system.pinning(keys: [try PublicKeyPin("sha256/…")]),
///         "*.test": .authorities(["test-authority.pem"]),
///     ], otherwise: .system)
/// ```
///
/// A policy is applied when the handshake is done, before a byte of the request is sent. Every policy but ``insecure``
/// also asks that the certificate is for the host's name or address (RFC 9525); ``withoutHostNameCheck`` lifts that.
public struct TrustPolicy: Sendable, Hashable {
    let rule: TrustRule

    /// The system's certificate authorities, and the host's name must match. The default.
    public static let system = TrustPolicy(rule: .roots(.system(additional: [])))

    /// No check of certificate or host name at all: anybody can pose as the server.
    ///
    /// The first connection to each host that is made so is told to the monitors, as ``SessionEvent/unverified(host:)``.
    public static let insecure = TrustPolicy(rule: .anyone)

    /// The authorities in PEM files besides the system's.
    public static func system(andAuthorities files: [String]) -> TrustPolicy {
        system(and: files.map { .file($0) })
    }

    /// Other authorities besides the system's.
    public static func system(and authorities: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(rule: .roots(.system(additional: authorities)))
    }

    /// Only the authorities in PEM files.
    public static func authorities(_ files: [String]) -> TrustPolicy {
        authorities(files.map { .file($0) })
    }

    /// Only these authorities; a server's own certificate may be among them if it is signed by itself.
    public static func authorities(_ authorities: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(rule: .roots(.only(authorities)))
    }

    // MARK: Pins

    /// Servers with one of these certificates, byte for byte, instead of the usual verification.
    ///
    /// Who signed the certificate and whether it has expired does not matter then.
    public static func pinned(certificates: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(rule: .pins(TrustPins(keys: [], certificates: certificates, place: .leaf)))
    }

    /// Servers whose own certificate has one of these keys, instead of the usual verification.
    ///
    /// Who signed the certificate and whether it has expired does not matter then.
    public static func pinned(keys: [PublicKeyPin]) -> TrustPolicy {
        TrustPolicy(rule: .pins(TrustPins(keys: keys, certificates: [], place: .leaf)))
    }

    /// This policy, and one of these certificates must be in the chain besides.
    ///
    /// Certificates other than the server's own count only if this policy has verified the chain.
    public func pinning(certificates: [CertificateSource], at place: PinPlace = .chain) -> TrustPolicy {
        .all(of: [self, TrustPolicy(rule: .pins(TrustPins(keys: [], certificates: certificates, place: place)))])
    }

    /// This policy, and one of these keys must be in the chain besides.
    ///
    /// Certificates other than the server's own count only if this policy has verified the chain.
    public func pinning(keys: [PublicKeyPin], at place: PinPlace = .chain) -> TrustPolicy {
        .all(of: [self, TrustPolicy(rule: .pins(TrustPins(keys: keys, certificates: [], place: place)))])
    }

    /// Which certificates of a chain a pin may be of.
    public enum PinPlace: Sendable, Hashable {
        /// The server's own.
        case leaf
        /// The server's own, or that of an authority that vouches for it.
        case chain
    }

    // MARK: Composition

    /// Servers that all of the policies trust; none if there is no policy.
    public static func all(of policies: [TrustPolicy]) -> TrustPolicy {
        TrustPolicy(rule: .all(policies.map(\.rule)))
    }

    /// Servers that one of the policies trusts.
    public static func any(of policies: [TrustPolicy]) -> TrustPolicy {
        TrustPolicy(rule: .any(policies.map(\.rule)))
    }

    /// A policy for each host.
    /// - Parameters:
    ///   - policies: Policies by host name or address; `*.example.org` stands for every name below `example.org`, and
    ///     the longest pattern that matches is taken.
    ///   - otherwise: For all other hosts.
    public static func perHost(_ policies: [String: TrustPolicy], otherwise: TrustPolicy) -> TrustPolicy {
        let rules = policies.map { HostRule(pattern: $0.key.lowercased(), rule: $0.value.rule) }
        return TrustPolicy(rule: .perHost(rules.sorted { $0.isBefore($1) }, otherwise: otherwise.rule))
    }

    /// This policy, whatever names the certificate is for.
    public var withoutHostNameCheck: TrustPolicy { TrustPolicy(rule: .anyName(rule)) }

    /// Why the policy cannot be used, such as an authority file that is missing or no PEM; nil when it can.
    public func problem() -> String? {
        TLSOptions(trust: self).problem()
    }
}

/// What a ``TrustPolicy`` is made of.
indirect enum TrustRule: Sendable, Hashable {
    /// The chain ends at one of the roots.
    case roots(TrustRoots)
    /// A certificate or key is among the pins.
    case pins(TrustPins)
    /// Everybody is trusted.
    case anyone
    case all([TrustRule])
    case any([TrustRule])
    case perHost([HostRule], otherwise: TrustRule)
    /// The rule without a check of the host's name.
    case anyName(TrustRule)

    /// The rule for a host, which has no ``perHost(_:otherwise:)`` in it.
    func resolved(for host: String) -> TrustRule {
        switch self {
        case .roots, .pins, .anyone: self
        case .all(let rules): .all(rules.map { $0.resolved(for: host) })
        case .any(let rules): .any(rules.map { $0.resolved(for: host) })
        case .perHost(let rules, let otherwise):
            (rules.first { $0.matches(host) }?.rule ?? otherwise).resolved(for: host)
        case .anyName(let rule): .anyName(rule.resolved(for: host))
        }
    }

    /// Whether nobody is trusted whose chain does not end at a root, so that the handshake itself can refuse them.
    var needsVerifiedChain: Bool {
        switch self {
        case .roots: true
        case .pins, .anyone, .perHost: false
        case .all(let rules): rules.contains(where: \.needsVerifiedChain)
        case .any(let rules): !rules.isEmpty && rules.allSatisfy(\.needsVerifiedChain)
        case .anyName(let rule): rule.needsVerifiedChain
        }
    }

    /// All the roots that are named anywhere in the rule.
    var allRoots: [TrustRoots] {
        switch self {
        case .roots(let roots): [roots]
        case .pins, .anyone: []
        case .all(let rules), .any(let rules): rules.flatMap(\.allRoots)
        case .perHost(let rules, let otherwise): rules.flatMap(\.rule.allRoots) + otherwise.allRoots
        case .anyName(let rule): rule.allRoots
        }
    }

    /// All the pins that are named anywhere in the rule.
    var allPins: [TrustPins] {
        switch self {
        case .roots, .anyone: []
        case .pins(let pins): [pins]
        case .all(let rules), .any(let rules): rules.flatMap(\.allPins)
        case .perHost(let rules, let otherwise): rules.flatMap(\.rule.allPins) + otherwise.allPins
        case .anyName(let rule): rule.allPins
        }
    }
}

/// The authorities at which a chain may end.
enum TrustRoots: Sendable, Hashable {
    case system(additional: [CertificateSource])
    case only([CertificateSource])
}

/// Certificates and keys one of which must be met.
struct TrustPins: Sendable, Hashable {
    var keys: [PublicKeyPin]
    var certificates: [CertificateSource]
    var place: TrustPolicy.PinPlace
}

/// A rule for the hosts that match a pattern.
struct HostRule: Sendable, Hashable {
    /// In lower case.
    var pattern: String
    var rule: TrustRule

    /// Whether a host, in lower case, is meant.
    func matches(_ host: String) -> Bool {
        guard pattern.hasPrefix("*.") else { return pattern == "*" || pattern == host }
        let suffix = pattern.dropFirst()
        return host.utf8.count > suffix.utf8.count && host.hasSuffix(suffix)
    }

    /// Exact names come first, then the longer patterns.
    func isBefore(_ other: HostRule) -> Bool {
        let (isWild, otherIsWild) = (pattern.hasPrefix("*"), other.pattern.hasPrefix("*"))
        if isWild != otherIsWild { return otherIsWild }
        let (length, otherLength) = (pattern.utf8.count, other.pattern.utf8.count)
        return length != otherLength ? length > otherLength : pattern < other.pattern
    }
}

/// The SHA-256 hash of a certificate's public key (its SubjectPublicKeyInfo, RFC 7469 section 2.4).
///
/// It is written `sha256/` and the hash in base 64, as curl and OkHttp do. A command that prints the hash of a server's key:
///
/// ```sh
/// openssl s_client -connect HOST:443 </dev/null 2>/dev/null | openssl x509 -pubkey -noout |
///     openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
/// ```
public struct PublicKeyPin: Sendable, Hashable {
    /// The 32 bytes of the hash.
    public let hash: [UInt8]

    /// Reads a pin in the form `sha256/BASE64`; `sha256//BASE64`, `pin-sha256="BASE64"` and bare base 64 are understood too.
    /// - Throws: ``ConnectionSettingError`` if it is not one.
    public init(_ text: String) throws(ConnectionSettingError) {
        var rest = text[...]
        for prefix in ["sha256/", "pin-sha256="] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            break
        }
        if rest.count > 1, rest.hasPrefix("\""), rest.hasSuffix("\"") { rest = rest.dropFirst().dropLast() }
        // The base 64 may itself begin with a slash, so only its length tells whether a second one belongs to it.
        if rest.utf8.count == 45, rest.hasPrefix("/") { rest = rest.dropFirst() }
        guard let hash = Base64.decode(rest.utf8), hash.count == 32 else {
            throw ConnectionSettingError(
                message: "the pin \"\(text)\" is not \"sha256/\" and 32 bytes in base 64 (44 characters)")
        }
        self.hash = hash
    }

    /// The pin of a key.
    /// - Parameter subjectPublicKeyInfo: The key as it is in a certificate, in DER (RFC 5280 section 4.1.2.7).
    public init(subjectPublicKeyInfo: some Collection<UInt8>) {
        hash = SHA256.hash(Array(subjectPublicKeyInfo))
    }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The pin in the form `sha256/BASE64`.
    public var description: String { "sha256/" + Base64.encode(hash) }
}
