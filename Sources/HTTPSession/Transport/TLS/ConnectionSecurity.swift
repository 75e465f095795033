import Basics
import NIOCore
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The TLS side of one connection: its handler, the certificates seen, and the reason of a failure in words.
final class ConnectionSecurity {
    let handler: NIOSSLClientHandler
    /// The name that the certificate must be for.
    private let name: String
    private let host: String
    private let options: TLSOptions
    private let rule: TrustRule
    private let seen: SeenCertificates
    private let contexts: TLSContexts
    /// What is known of the TLS session, once its handshake has succeeded.
    private(set) var details: TLSDetails?

    /// Prepares TLS for a connection.
    init(
        options: TLSOptions, version: HTTPVersionPolicy, host: String, certificates: TLSContexts
    ) throws(TLSContexts.Failure) {
        rule = options.trust.rule.resolved(for: host)
        name = options.serverName ?? host
        let context = try certificates.context(for: options, rule: rule, version: version)
        seen = SeenCertificates(isBinding: rule.needsVerifiedChain)
        do {
            // A host that is an address is compared with the certificate's addresses, and not named in the handshake.
            // A dot at the end is no part of the name there (RFC 6066 section 3).
            let serverName = IPAddress.isLiteral(name) ? nil : name.hasSuffix(".") ? String(name.dropLast()) : name
            handler = try VerdictObservation.handler(context: context, serverHostname: serverName, seen: seen)
        } catch {
            throw TLSContexts.Failure(message: "TLS cannot be set up for the host \(name): \(error)")
        }
        self.host = host
        self.options = options
        contexts = certificates
    }

    /// Takes note of what the handshake has agreed on, and says why the server is not trusted, if it is not.
    func finishHandshake(
        target: String, negotiatedProtocol: String?
    ) -> (reason: SessionError.Reason, message: String)? {
        var chain = Array(seen.certificates.reversed())
        if let leaf = handler.peerCertificate, chain.first != leaf { chain = [leaf] + chain.filter { $0 != leaf } }
        let evaluation = TrustEvaluation(
            target: target, host: name, chain: chain.compactMap { try? $0.toDERBytes() },
            chainProblem: seen.refused == nil && !rule.allRoots.isEmpty ? nil : refusal(target), contexts: contexts)
        do throws(TLSContexts.Failure) {
            switch try evaluation.verdict(of: rule) {
            case .refused(let problem, let message): return (.certificate(problem), message)
            case .trusted(let isVerified):
                details = TLSDetails(
                    certificates: evaluation.chain, version: version, verified: isVerified,
                    negotiatedProtocol: negotiatedProtocol)
                return nil
            }
        } catch {
            return (.invalidTrust, error.message)
        }
    }

    /// Whether the connection is the transport's first to this host that is not verified.
    var isFirstUnverified: Bool { details?.verified == false && contexts.isFirstUnverified(host) }

    private var version: String {
        switch handler.tlsVersion {
        case .tlsv1?: "TLSv1"
        case .tlsv11?: "TLSv1.1"
        case .tlsv12?: "TLSv1.2"
        case .tlsv13?: "TLSv1.3"
        default: "TLS"
        }
    }

    // MARK: Failures

    /// Says why a handshake has failed.
    func failure(_ error: (any Error)?, target: String) -> (reason: SessionError.Reason, message: String) {
        if case .unableToValidateCertificate? = error as? NIOSSLError { return refused(target) }
        if case .handshakeFailed(let inner)? = error as? NIOSSLError {
            let text = "\(inner)"
            if text.contains("CERTIFICATE_VERIFY_FAILED") { return refused(target) }
            if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
                return (.tlsFailed, "\(target) does not speak TLS at this port: it answered with something else")
            }
            if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
                let (oldest, newest) = options.versions
                let offered = oldest == newest ? "\(newest)" : "\(oldest) to \(newest.rawValue)"
                return (
                    .tlsFailed, "\(target) has no version of TLS in common with this client, which offers \(offered)"
                )
            }
            if text.contains("EOF during handshake") {
                return (.tlsFailed, "\(target) closed the connection in the TLS handshake")
            }
            if let words = TLSAlert.clientCertificateProblem(inner, hasIdentity: options.identity != nil) {
                return (.tlsFailed, "\(target) \(words)")
            }
            if case .sslError(let stack) = inner, let first = stack.first {
                return (.tlsFailed, "the TLS handshake with \(target) failed: \(TLSAlert.words(first))")
            }
            return (.tlsFailed, "the TLS handshake with \(target) failed: \(text)")
        }
        guard let error else { return (.tlsFailed, "\(target) closed the connection in the TLS handshake") }
        if let error = error as? IOError {
            let words = String(cString: strerror(error.errnoCode))
            return (.tlsFailed, "the connection to \(target) broke in the TLS handshake: \(words)")
        }
        if case .uncleanShutdown? = error as? NIOSSLError {
            return (.tlsFailed, "\(target) closed the connection in the TLS handshake")
        }
        return (.tlsFailed, "the TLS handshake with \(target) failed: \(error)")
    }

    private func refused(_ target: String) -> (reason: SessionError.Reason, message: String) {
        let (problem, message) = refusal(target)
        return (.certificate(problem), message)
    }

    /// Why the chain does not end at a root.
    private func refusal(_ target: String) -> (problem: SessionError.CertificateProblem, message: String) {
        let prefix = "the certificate of \(target) is not trusted: "
        guard let certificate = seen.refused else { return (.other, prefix + "its verification failed") }
        let isLeaf = handler.peerCertificate == nil || handler.peerCertificate == certificate
        let now = WallClock.secondsSince1970()
        let whose = isLeaf ? "it" : "that of an authority in its chain"
        if Int64(certificate.notValidAfter) < now { return (.expired, prefix + "\(whose) has expired") }
        if Int64(certificate.notValidBefore) > now { return (.notYetValid, prefix + "\(whose) is not valid yet") }
        if let der = try? certificate.toDERBytes(), CertificateSummary(der: der)?.isSelfIssued == true {
            // A server may send its authority's certificate too, which is the one that is refused then.
            guard let leaf = handler.peerCertificate, leaf != certificate else {
                return (.selfSigned, prefix + "it is self-signed")
            }
            return (.unknownAuthority, prefix + "the authority that issued it is not a trusted one")
        }
        return (.unknownAuthority, prefix + "no trusted authority has issued it")
    }
}

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

/// What a TLS failure means, in words.
enum TLSAlert {
    /// What a server has against the client's certificate, or nil if a failure is about something else.
    ///
    /// With TLS 1.3 a server looks at the client's certificate after the client has finished its handshake, so its refusal
    /// arrives when the request has been sent (RFC 8446 section 4.4.2).
    static func clientCertificateProblem(_ error: BoringSSLError, hasIdentity: Bool) -> String? {
        guard case .sslError(let stack) = error, let first = stack.first else { return nil }
        let text = first.description
        guard text.contains("ALERT_") else { return nil }
        if text.contains("ALERT_CERTIFICATE_REQUIRED") || !hasIdentity && text.contains("ALERT_HANDSHAKE_FAILURE") {
            let isSure = text.contains("ALERT_CERTIFICATE_REQUIRED")
            return isSure
                ? "requires a client certificate, and none was given"
                : "refused the TLS handshake: it may require a client certificate, or has no cipher in common"
        }
        for (name, words) in refusals where text.contains(name) {
            return "refused the client certificate: \(words)"
        }
        return nil
    }

    private static let refusals = [
        ("ALERT_UNKNOWN_CA", "it does not know the authority that issued it"),
        ("ALERT_BAD_CERTIFICATE", "it is not acceptable"), ("ALERT_CERTIFICATE_EXPIRED", "it has expired"),
        ("ALERT_CERTIFICATE_REVOKED", "it has been revoked"), ("ALERT_CERTIFICATE_UNKNOWN", "it is not acceptable"),
        ("ALERT_UNSUPPORTED_CERTIFICATE", "it is of a kind that is not supported"),
        ("ALERT_ACCESS_DENIED", "access is denied"), ("ALERT_DECRYPT_ERROR", "its key does not fit"),
    ]

    /// What a server has against the client's certificate, or another alert that ended an established connection.
    static func words(_ error: any Error) -> String? {
        let inner: BoringSSLError
        if let error = error as? BoringSSLError {
            inner = error
        } else if case .handshakeFailed(let error)? = error as? NIOSSLError {
            inner = error
        } else {
            return nil
        }
        guard case .sslError(let stack) = inner, let first = stack.first else { return nil }
        return clientCertificateProblem(inner, hasIdentity: true) ?? "ended the TLS connection: \(words(first))"
    }

    /// The last part of BoringSSL's "error:1000:SSL routines:OPENSSL_internal:NO_SHARED_CIPHER" in lower case words.
    static func words(_ error: BoringSSLInternalError) -> String {
        let description = error.description
        let text = description.split(separator: " at ").first.map(String.init) ?? description
        let part = text.split(separator: ":").last { $0.contains("_") || $0.allSatisfy(\.isUppercase) } ?? text[...]
        return part.lowercased().split(separator: "_").joined(separator: " ")
    }
}
