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
