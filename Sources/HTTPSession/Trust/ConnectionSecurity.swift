import NIOCore
import NIOSSL

/// The TLS side of one connection: its handler, the certificates seen, and the reason of a failure in words.
final class ConnectionSecurity {
    let handler: NIOSSLClientHandler
    private let host: String
    private let isVerified: Bool
    private let seen: SeenCertificates
    /// What is known of the TLS session, once its handshake has succeeded.
    private(set) var details: TLSDetails?

    /// Prepares TLS for a connection.
    init(
        options: TLSOptions, version: HTTPVersionPolicy, host: String, certificates: TLSContexts
    ) throws(TLSContexts.Failure) {
        let context = try certificates.context(for: options, version: version)
        let seen = SeenCertificates()
        do {
            // A host that is an address is compared with the certificate's addresses, and not named in the handshake.
            let name = IPAddress.isLiteral(host) ? nil : host
            handler = try VerdictObservation.handler(context: context, serverHostname: name, seen: seen)
        } catch {
            throw TLSContexts.Failure(message: "TLS cannot be set up for the host \(host): \(error)")
        }
        self.host = host
        self.seen = seen
        isVerified = options.trust.roots != .none
    }

    /// Takes note of what the handshake has agreed on.
    func noteHandshake() {
        var chain = Array(seen.certificates.reversed())
        if chain.isEmpty, let leaf = handler.peerCertificate { chain = [leaf] }
        let version =
            switch handler.tlsVersion {
            case .tlsv1?: "TLSv1"
            case .tlsv11?: "TLSv1.1"
            case .tlsv12?: "TLSv1.2"
            case .tlsv13?: "TLSv1.3"
            default: "TLS"
            }
        details = TLSDetails(
            certificates: chain.compactMap { try? $0.toDERBytes() }, version: version, verified: isVerified)
    }

    /// Says why a handshake has failed.
    func failure(_ error: (any Error)?, target: String) -> (reason: SessionError.Reason, message: String) {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return (
                .certificate(.wrongHost),
                "the certificate of \(target) is not for the host \(host)\(names)"
            )
        }
        if case .unableToValidateCertificate? = error as? NIOSSLError { return refused(target) }
        if case .handshakeFailed(let inner)? = error as? NIOSSLError {
            let text = "\(inner)"
            if text.contains("CERTIFICATE_VERIFY_FAILED") { return refused(target) }
            if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
                return (.tlsFailed, "\(target) does not speak TLS at this port: it answered with something else")
            }
            if text.contains("EOF during handshake") {
                return (.tlsFailed, "\(target) closed the connection in the TLS handshake")
            }
            if case .sslError(let stack) = inner, let first = stack.first {
                return (.tlsFailed, "the TLS handshake with \(target) failed: \(Self.words(first.description))")
            }
            return (.tlsFailed, "the TLS handshake with \(target) failed: \(text)")
        }
        guard let error else { return (.tlsFailed, "\(target) closed the connection in the TLS handshake") }
        if let error = error as? IOError {
            return (.tlsFailed, "the connection to \(target) broke in the TLS handshake: \(error)")
        }
        if case .uncleanShutdown? = error as? NIOSSLError {
            return (.tlsFailed, "\(target) closed the connection in the TLS handshake")
        }
        return (.tlsFailed, "the TLS handshake with \(target) failed: \(error)")
    }

    private func refused(_ target: String) -> (reason: SessionError.Reason, message: String) {
        let prefix = "the certificate of \(target) is not trusted: "
        guard let certificate = seen.refused else {
            return (.certificate(.other), prefix + "its verification failed")
        }
        let now = WallClock.secondsSince1970()
        if Int64(certificate.notValidAfter) < now {
            return (.certificate(.expired), prefix + "it has expired")
        }
        if Int64(certificate.notValidBefore) > now {
            return (.certificate(.notYetValid), prefix + "it is not valid yet")
        }
        if let der = try? certificate.toDERBytes(), let names = CertificateNames(der), names.issuer == names.subject {
            // A server may send its authority's certificate too, which is the one that is refused then.
            guard let leaf = handler.peerCertificate, leaf != certificate else {
                return (.certificate(.selfSigned), prefix + "it is self-signed")
            }
            return (.certificate(.unknownAuthority), prefix + "the authority that issued it is not a trusted one")
        }
        return (.certificate(.unknownAuthority), prefix + "no trusted authority has issued it")
    }

    /// The names that the certificate is for, in parentheses.
    private var names: String {
        guard let leaf = handler.peerCertificate ?? seen.certificates.last else { return "" }
        let names = leaf._subjectAlternativeNames().compactMap { name in
            name.nameType == .dnsName ? String(decoding: name.contents, as: UTF8.self) : nil
        }
        return names.isEmpty ? "" : " but for \(names.joined(separator: ", "))"
    }

    /// The last part of BoringSSL's "error:1000:SSL routines:OPENSSL_internal:NO_SHARED_CIPHER" in lower case words.
    private static func words(_ description: String) -> String {
        let text = description.split(separator: " at ").first.map(String.init) ?? description
        let part = text.split(separator: ":").last { $0.contains("_") || $0.allSatisfy(\.isUppercase) } ?? text[...]
        return part.lowercased().split(separator: "_").joined(separator: " ")
    }
}
