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
