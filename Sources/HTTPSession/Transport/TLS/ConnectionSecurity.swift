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

/// The TLS state of one connection: its handler, the observed certificates, and descriptions of failures.
final class ConnectionSecurity {
    let handler: NIOSSLClientHandler
    /// The host name that the certificate must match.
    private let name: String
    private let host: String
    private let options: TLSOptions
    private let rule: TrustRule
    private let seen: SeenCertificates
    private let contexts: TLSContexts
    /// The details of the TLS session, after its handshake has succeeded.
    private(set) var details: TLSDetails?

    /// Creates the TLS state of a connection.
    init(
        options: TLSOptions, version: HTTPVersionPolicy, host: String, certificates: TLSContexts
    ) throws(TLSContexts.Failure) {
        rule = options.trust.rule.resolved(for: host)
        name = options.serverName ?? host
        let context = try certificates.context(for: options, rule: rule, version: version)
        seen = SeenCertificates(isBinding: rule.needsVerifiedChain)
        do {
            // An IP address is compared with the certificate's addresses, and not sent in the handshake. A trailing dot
            // is not part of the name in the handshake (RFC 6066, section 3).
            let serverName = IPAddress.isLiteral(name) ? nil : name.hasSuffix(".") ? String(name.dropLast()) : name
            handler = try VerdictObservation.handler(context: context, serverHostname: serverName, seen: seen)
        } catch {
            throw TLSContexts.Failure(message: "TLS cannot be set up for the host \(name): \(error)")
        }
        self.host = host
        self.options = options
        contexts = certificates
    }

    /// Records the result of the handshake, and returns the reason if the server is not trusted.
    func finishHandshake(
        target: String, negotiatedProtocol: String?
    ) -> (reason: SessionError.Reason, message: MessageText)? {
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

    /// Whether this is the transport's first unverified connection to the host.
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

    /// Returns the reason of a failed handshake.
    func failure(_ error: (any Error)?, target: String) -> (reason: SessionError.Reason, message: MessageText) {
        if case .unableToValidateCertificate? = error as? NIOSSLError { return refused(target) }
        if case .handshakeFailed(let inner)? = error as? NIOSSLError {
            let text = "\(inner)"
            if text.contains("CERTIFICATE_VERIFY_FAILED") { return refused(target) }
            if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
                return (.tlsFailed, "\(target) does not speak TLS on this port: it sent other data")
            }
            if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
                let (oldest, newest) = options.versions
                let offered = oldest == newest ? "\(newest)" : "\(oldest) to \(newest.rawValue)"
                return (
                    .tlsFailed, "\(target) does not support the TLS version of this client: \(offered)"
                )
            }
            if text.contains("EOF during handshake") {
                return (.tlsFailed, "\(target) closed the connection during the TLS handshake")
            }
            if let words = TLSAlert.clientCertificateProblem(inner, hasIdentity: options.identity != nil) {
                return (.tlsFailed, "\(target) \(words)")
            }
            if case .sslError(let stack) = inner, let first = stack.first {
                return (.tlsFailed, "the TLS handshake with \(target) failed: \(TLSAlert.words(first))")
            }
            return (.tlsFailed, "the TLS handshake with \(target) failed: \(text)")
        }
        guard let error else { return (.tlsFailed, "\(target) closed the connection during the TLS handshake") }
        if let error = error as? IOError {
            let words = MessageText(words: String(cString: strerror(error.errnoCode)))
            return (.tlsFailed, "the connection to \(target) was lost during the TLS handshake: \(words)")
        }
        if case .uncleanShutdown? = error as? NIOSSLError {
            return (.tlsFailed, "\(target) closed the connection during the TLS handshake")
        }
        return (.tlsFailed, "the TLS handshake with \(target) failed: \(error)")
    }

    private func refused(_ target: String) -> (reason: SessionError.Reason, message: MessageText) {
        let (problem, message) = refusal(target)
        return (.certificate(problem), message)
    }

    /// Returns the reason why the chain does not end at a trusted root.
    private func refusal(_ target: String) -> (problem: SessionError.CertificateProblem, message: MessageText) {
        let prefix: MessageText = "the certificate of \(target) is not trusted: "
        guard let certificate = seen.refused else { return (.other, prefix + "its verification failed") }
        let isLeaf = handler.peerCertificate == nil || handler.peerCertificate == certificate
        let now = WallClock.secondsSince1970()
        let whose: MessageText = isLeaf ? "it" : "that of an authority in its chain"
        if Int64(certificate.notValidAfter) < now { return (.expired, prefix + "\(whose) has expired") }
        if Int64(certificate.notValidBefore) > now { return (.notYetValid, prefix + "\(whose) is not valid yet") }
        if let der = try? certificate.toDERBytes(), CertificateSummary(der: der)?.isSelfIssued == true {
            // A server may also send its authority's certificate, which is the rejected one then.
            guard let leaf = handler.peerCertificate, leaf != certificate else {
                return (.selfSigned, prefix + "it is self-signed")
            }
            return (.unknownAuthority, prefix + "the authority that issued it is not trusted")
        }
        return (.unknownAuthority, prefix + "it was not issued by a trusted authority")
    }
}

/// The certificates that BoringSSL has verified, root first, and the one it rejected.
final class SeenCertificates {
    private(set) var certificates: [NIOSSLCertificate] = []
    private(set) var refused: NIOSSLCertificate?
    private let isBinding: Bool

    /// Creates an empty record.
    /// - Parameter isBinding: Whether a rejection ends the handshake; otherwise it is only recorded.
    init(isBinding: Bool) {
        self.isBinding = isBinding
    }

    /// Records the verdict on a certificate, and returns the effective verdict.
    func note(_ verdict: NIOSSLVerificationResult, _ certificate: NIOSSLCertificate) -> NIOSSLVerificationResult {
        if verdict == .failed, refused == nil { refused = certificate }
        if verdict == .certificateVerified || !isBinding, !certificates.contains(certificate) {
            certificates.append(certificate)
        }
        return isBinding ? verdict : .certificateVerified
    }
}

/// A factory of TLS handlers that keep BoringSSL's own verification and only observe its verdicts.
///
/// NIOSSL has deprecated the callback with the verdict on each certificate, in favor of one that replaces the whole
/// verification. Only the deprecated callback keeps the standard verification and also reports which certificate failed
/// and which chain was verified. It is called through a protocol requirement, which is not deprecated.
protocol VerdictObserving {
    static func handler(
        context: NIOSSLContext, serverHostname: String?, seen: SeenCertificates
    ) throws -> NIOSSLClientHandler
}

/// The creation of TLS handlers that observe verdicts.
enum VerdictObservation {
    static func handler(
        context: NIOSSLContext, serverHostname: String?, seen: SeenCertificates
    ) throws -> NIOSSLClientHandler {
        let implementation: any VerdictObserving.Type = VerdictObserver.self
        return try implementation.handler(context: context, serverHostname: serverHostname, seen: seen)
    }
}

/// The implementation that calls NIOSSL's deprecated initializer.
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

/// Descriptions of TLS failures.
enum TLSAlert {
    /// Returns the server's objection to the client's certificate; nil if the failure has another cause.
    ///
    /// With TLS 1.3, a server validates the client's certificate after the client has finished its handshake. Its
    /// rejection therefore arrives after the request was sent (RFC 8446, section 4.4.2).
    static func clientCertificateProblem(_ error: BoringSSLError, hasIdentity: Bool) -> MessageText? {
        guard case .sslError(let stack) = error, let first = stack.first else { return nil }
        let text = first.description
        guard text.contains("ALERT_") else { return nil }
        if text.contains("ALERT_CERTIFICATE_REQUIRED") || !hasIdentity && text.contains("ALERT_HANDSHAKE_FAILURE") {
            let isSure = text.contains("ALERT_CERTIFICATE_REQUIRED")
            return isSure
                ? "requires a client certificate, but none was given"
                : "refused the TLS handshake: it may require a client certificate or another cipher"
        }
        for (name, words) in refusals where text.contains(name) {
            return "refused the client certificate: \(words)"
        }
        return nil
    }

    private static let refusals: [(name: String, words: MessageText)] = [
        ("ALERT_UNKNOWN_CA", "it does not know the authority that issued it"),
        ("ALERT_BAD_CERTIFICATE", "it is not acceptable"), ("ALERT_CERTIFICATE_EXPIRED", "it has expired"),
        ("ALERT_CERTIFICATE_REVOKED", "it has been revoked"), ("ALERT_CERTIFICATE_UNKNOWN", "it is not acceptable"),
        ("ALERT_UNSUPPORTED_CERTIFICATE", "its type is not supported"),
        ("ALERT_ACCESS_DENIED", "access is denied"), ("ALERT_DECRYPT_ERROR", "its key does not match"),
    ]

    /// Returns the server's objection to the client's certificate, or another alert that closed an established
    /// connection.
    static func words(_ error: any Error) -> MessageText? {
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

    /// Returns the last part of BoringSSL's "error:1000:SSL routines:OPENSSL_internal:NO_SHARED_CIPHER" in lowercase
    /// words.
    static func words(_ error: BoringSSLInternalError) -> MessageText {
        let description = error.description
        let text = description.split(separator: " at ").first.map(String.init) ?? description
        let part = text.split(separator: ":").last { $0.contains("_") || $0.allSatisfy(\.isUppercase) } ?? text[...]
        return MessageText(words: part.lowercased().split(separator: "_").joined(separator: " "))
    }
}
