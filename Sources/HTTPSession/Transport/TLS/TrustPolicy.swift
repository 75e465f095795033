public import Basics
import Digests

/// The policy that decides which servers are trusted over TLS; equal policies share certificates and connections.
///
/// ```swift
/// let policy = TrustPolicy.perHost(
///     [
///         "api.example.org": .system.pinning(keys: [try PublicKeyPin("sha256/…")]),
///         "*.test": .authorities(["test-authority.pem"]),
///     ], otherwise: .system)
/// ```
///
/// A policy is applied after the handshake, before any byte of the request is sent. Every policy except ``insecure``
/// also requires that the certificate matches the host's name or address (RFC 9525); ``withoutHostNameCheck`` removes
/// that requirement.
public struct TrustPolicy: Sendable, Hashable {
    let rule: TrustRule

    /// The default policy: the system's certificate authorities, with host name verification.
    public static let system = TrustPolicy(rule: .roots(.system(additional: [])))

    /// A policy without certificate and host name verification: anyone can impersonate the server.
    ///
    /// The first such connection to each host is reported to the monitors as ``SessionEvent/unverified(host:)``.
    public static let insecure = TrustPolicy(rule: .anyone)

    /// Returns a policy that trusts the system's authorities and those in PEM files.
    public static func system(andAuthorities files: [String]) -> TrustPolicy {
        system(and: files.map { .file($0) })
    }

    /// Returns a policy that trusts the system's authorities and additional ones.
    public static func system(and authorities: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(rule: .roots(.system(additional: authorities)))
    }

    /// Returns a policy that trusts only the authorities in PEM files.
    public static func authorities(_ files: [String]) -> TrustPolicy {
        authorities(files.map { .file($0) })
    }

    /// Returns a policy that trusts only these authorities; a server's self-signed certificate may be one of them.
    public static func authorities(_ authorities: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(rule: .roots(.only(authorities)))
    }

    // MARK: Pins

    /// Returns a policy that trusts servers with exactly these certificates, instead of the usual verification.
    ///
    /// The issuer and the expiration date are not checked.
    public static func pinned(certificates: [CertificateSource]) -> TrustPolicy {
        TrustPolicy(rule: .pins(TrustPins(keys: [], certificates: certificates, location: .leaf)))
    }

    /// Returns a policy that trusts servers whose own certificate has one of these keys, instead of the usual
    /// verification.
    ///
    /// The issuer and the expiration date are not checked.
    public static func pinned(keys: [PublicKeyPin]) -> TrustPolicy {
        TrustPolicy(rule: .pins(TrustPins(keys: keys, certificates: [], location: .leaf)))
    }

    /// Returns this policy with the additional requirement that one of these certificates is in the chain.
    ///
    /// Certificates other than the server's own count only if this policy has verified the chain.
    public func pinning(certificates: [CertificateSource], at location: PinnedCertificate = .chain) -> TrustPolicy {
        .all(of: [self, TrustPolicy(rule: .pins(TrustPins(keys: [], certificates: certificates, location: location)))])
    }

    /// Returns this policy with the additional requirement that one of these keys is in the chain.
    ///
    /// Certificates other than the server's own count only if this policy has verified the chain.
    public func pinning(keys: [PublicKeyPin], at location: PinnedCertificate = .chain) -> TrustPolicy {
        .all(of: [self, TrustPolicy(rule: .pins(TrustPins(keys: keys, certificates: [], location: location)))])
    }

    /// The certificates of a chain that a pin may match.
    public enum PinnedCertificate: Sendable, Hashable {
        /// Only the server's own certificate.
        case leaf
        /// The server's own certificate, or that of an authority in its chain.
        case chain
    }

    // MARK: Composition

    /// Returns a policy that trusts servers that all of the policies trust; none if the array is empty.
    public static func all(of policies: [TrustPolicy]) -> TrustPolicy {
        TrustPolicy(rule: .all(policies.map(\.rule)))
    }

    /// Returns a policy that trusts servers that at least one of the policies trusts.
    public static func any(of policies: [TrustPolicy]) -> TrustPolicy {
        TrustPolicy(rule: .any(policies.map(\.rule)))
    }

    /// Returns a policy that depends on the host.
    /// - Parameters:
    ///   - policies: The policies by host name or address; `*.example.org` matches every subdomain of `example.org`,
    ///     and the longest matching pattern wins.
    ///   - otherwise: The policy for all other hosts.
    public static func perHost(_ policies: [String: TrustPolicy], otherwise: TrustPolicy) -> TrustPolicy {
        let rules = policies.map { HostRule(pattern: $0.key.lowercased(), rule: $0.value.rule) }
        return TrustPolicy(rule: .perHost(rules.sorted { $0.isBefore($1) }, otherwise: otherwise.rule))
    }

    /// This policy without host name verification.
    public var withoutHostNameCheck: TrustPolicy { TrustPolicy(rule: .anyName(rule)) }

    /// Returns the reason why the policy is unusable, such as a missing or invalid authority file; nil if it is usable.
    public func problem() -> MessageText? {
        TLSOptions(trust: self).problem()
    }
}

/// The rule of a ``TrustPolicy``.
indirect enum TrustRule: Sendable, Hashable {
    /// The chain must end at one of the roots.
    case roots(TrustRoots)
    /// A certificate or key must match one of the pins.
    case pins(TrustPins)
    /// Every server is trusted.
    case anyone
    case all([TrustRule])
    case any([TrustRule])
    case perHost([HostRule], otherwise: TrustRule)
    /// The rule without host name verification.
    case anyName(TrustRule)

    /// Returns the rule for a host, without any ``perHost(_:otherwise:)``.
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

    /// Whether every trusted chain must end at a root, so that the handshake itself can reject others.
    var needsVerifiedChain: Bool {
        switch self {
        case .roots: true
        case .pins, .anyone, .perHost: false
        case .all(let rules): rules.contains(where: \.needsVerifiedChain)
        case .any(let rules): !rules.isEmpty && rules.allSatisfy(\.needsVerifiedChain)
        case .anyName(let rule): rule.needsVerifiedChain
        }
    }

    /// All roots in the rule.
    var allRoots: [TrustRoots] {
        switch self {
        case .roots(let roots): [roots]
        case .pins, .anyone: []
        case .all(let rules), .any(let rules): rules.flatMap(\.allRoots)
        case .perHost(let rules, let otherwise): rules.flatMap(\.rule.allRoots) + otherwise.allRoots
        case .anyName(let rule): rule.allRoots
        }
    }

    /// All pins in the rule.
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

/// A set of pinned certificates and keys; at least one must match.
struct TrustPins: Sendable, Hashable {
    var keys: [PublicKeyPin]
    var certificates: [CertificateSource]
    var location: TrustPolicy.PinnedCertificate
}

/// A rule for the hosts that match a pattern.
struct HostRule: Sendable, Hashable {
    /// The host pattern in lowercase.
    var pattern: String
    var rule: TrustRule

    /// Returns whether a lowercase host matches the pattern.
    func matches(_ host: String) -> Bool {
        guard pattern.hasPrefix("*.") else { return pattern == "*" || pattern == host }
        let suffix = pattern.dropFirst()
        return host.utf8.count > suffix.utf8.count && host.hasSuffix(suffix)
    }

    /// Returns whether this rule precedes another: exact names come first, then longer patterns.
    func isBefore(_ other: HostRule) -> Bool {
        let (isWild, otherIsWild) = (pattern.hasPrefix("*"), other.pattern.hasPrefix("*"))
        if isWild != otherIsWild { return otherIsWild }
        let (length, otherLength) = (pattern.utf8.count, other.pattern.utf8.count)
        return length != otherLength ? length > otherLength : pattern < other.pattern
    }
}

/// The SHA-256 hash of a certificate's public key (its SubjectPublicKeyInfo, RFC 7469, section 2.4).
///
/// It is written as `sha256/` and the hash in Base64, as in curl and OkHttp. This command prints the hash of a server's
/// key:
///
/// ```sh
/// openssl s_client -connect HOST:443 </dev/null 2>/dev/null | openssl x509 -pubkey -noout |
///     openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
/// ```
public struct PublicKeyPin: Sendable, Hashable {
    /// The 32 bytes of the hash.
    public let hash: [UInt8]

    /// Creates a pin from a string such as `sha256/BASE64`.
    ///
    /// The forms `sha256//BASE64`, `pin-sha256="BASE64"` and plain Base64 are accepted too.
    /// - Throws: ``ConnectionSettingError`` if the pin is invalid.
    public init(_ text: String) throws(ConnectionSettingError) {
        var rest = text[...]
        for prefix in ["sha256/", "pin-sha256="] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            break
        }
        if rest.count > 1, rest.hasPrefix("\""), rest.hasSuffix("\"") { rest = rest.dropFirst().dropLast() }
        // The Base64 may itself start with a slash; only the length shows whether a second slash belongs to it.
        if rest.utf8.count == 45, rest.hasPrefix("/") { rest = rest.dropFirst() }
        guard let hash = Base64.decode(rest.utf8), hash.count == 32 else {
            throw ConnectionSettingError(
                message: "invalid pin \"\(text)\": expected \"sha256/\" and 32 bytes in base64 (44 characters)")
        }
        self.hash = hash
    }

    /// Creates the pin of a public key.
    /// - Parameter subjectPublicKeyInfo: The key as encoded in a certificate, in DER (RFC 5280, section 4.1.2.7).
    public init(subjectPublicKeyInfo: some Collection<UInt8>) {
        hash = SHA256.hash(Array(subjectPublicKeyInfo))
    }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The pin in the form `sha256/BASE64`.
    public var description: String { "sha256/" + Base64.encode(hash) }
}
