import NIOSSL

/// The certificates that BoringSSL's verification has looked at, root first, and the one it refused.
final class SeenCertificates {
    var certificates: [NIOSSLCertificate] = []
    var refused: NIOSSLCertificate?
}

/// Makes TLS handlers that keep BoringSSL's own verification and only watch its verdicts.
///
/// NIOSSL has deprecated the callback that tells each certificate's verdict, in favour of one that replaces the whole
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
            if verdict == .failed {
                if seen.refused == nil { seen.refused = certificate }
            } else if seen.certificates.last != certificate {
                seen.certificates.append(certificate)
            }
            return verdict
        }
    }
}
