import NIOSSL

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
