import NIOSSL

/// The certificates that BoringSSL's verification has looked at, root first, and the one it refused.
final class SeenCertificates {
    private(set) var certificates: [NIOSSLCertificate] = []
    private(set) var refused: NIOSSLCertificate?
    private let isBinding: Bool

    /// - Parameter isBinding: Whether a refusal ends the handshake; otherwise it is only noted.
    init(isBinding: Bool) {
        self.isBinding = isBinding
    }

    /// Notes the verdict on a certificate, and gives the one that is to hold.
    func note(_ verdict: NIOSSLVerificationResult, _ certificate: NIOSSLCertificate) -> NIOSSLVerificationResult {
        if verdict == .failed, refused == nil { refused = certificate }
        if verdict == .certificateVerified || !isBinding, !certificates.contains(certificate) {
            certificates.append(certificate)
        }
        return isBinding ? verdict : .certificateVerified
    }
}

/// Makes TLS handlers that keep BoringSSL's own verification and only watch its verdicts.
///
/// NIOSSL has deprecated the callback that tells each certificate's verdict, in favor of one that replaces the whole
/// verification. Only the former keeps the standard verification and yet says which certificate failed, and gives the
/// chain that was verified; it is reached through a protocol, which has no deprecated name.
protocol VerdictObserving {
    static func handler(
        context: NIOSSLContext, serverHostname: String?, seen: SeenCertificates
    ) throws -> NIOSSLClientHandler
}

enum VerdictObservation {
    static func handler(
        context: NIOSSLContext, serverHostname: String?, seen: SeenCertificates
    ) throws -> NIOSSLClientHandler {
        let implementation: any VerdictObserving.Type = VerdictObserver.self
        return try implementation.handler(context: context, serverHostname: serverHostname, seen: seen)
    }
}

private enum VerdictObserver: VerdictObserving {
    @available(*, deprecated, message: "calls NIOSSL's deprecated initializer")
    static func handler(
        context: NIOSSLContext, serverHostname: String?, seen: SeenCertificates
    ) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: serverHostname) { verdict, certificate in
            seen.note(verdict, certificate)
        }
    }
}
