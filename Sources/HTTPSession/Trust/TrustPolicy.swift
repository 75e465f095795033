/// Which servers are trusted over TLS; equal policies share their loaded certificates and connections.
public struct TrustPolicy: Sendable, Hashable {
    enum Roots: Sendable, Hashable {
        case system(additional: [String])
        case files([String])
        case none
    }

    let roots: Roots

    /// The system's certificate authorities, and the host's name must match. The default.
    public static let system = TrustPolicy(roots: .system(additional: []))

    /// No check of certificate or host name at all: anybody can pose as the server.
    public static let insecure = TrustPolicy(roots: .none)

    /// The authorities in PEM files besides the system's.
    public static func system(andAuthorities files: [String]) -> TrustPolicy {
        TrustPolicy(roots: .system(additional: files))
    }

    /// Why the policy cannot be used, such as an authority file that is missing or no PEM; nil when it can.
    public func problem() -> String? {
        TLSContexts().problem(with: self)
    }

    /// Only the authorities in PEM files.
    public static func authorities(_ files: [String]) -> TrustPolicy {
        TrustPolicy(roots: .files(files))
    }
}
