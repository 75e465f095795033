import Basics

/// The evaluation of a trust rule after a handshake.
struct TrustEvaluation {
    /// The result of applying a rule to a server.
    enum Verdict {
        /// The server is trusted; `isVerified` is false if only an insecure policy trusts it.
        case trusted(isVerified: Bool)
        /// The server is not trusted, for the given reason.
        case refused(SessionError.CertificateProblem, MessageText)
    }

    /// The server, for messages.
    let target: String
    /// The host name that the certificate must match.
    let host: String
    /// The certificates in DER, the server's own first: the verified chain, or all known certificates.
    let chain: [[UInt8]]
    /// The reason why the chain does not end at a trusted root; nil if it does.
    let chainProblem: (problem: SessionError.CertificateProblem, message: MessageText)?
    let contexts: TLSContexts

    private var leaf: CertificateSummary? { chain.first.flatMap { CertificateSummary(der: $0) } }

    /// Returns the verdict of a rule for this host.
    func verdict(of rule: TrustRule) throws(TLSContexts.Failure) -> Verdict {
        try verdict(of: rule, siblings: rule.allRoots, checksName: true)
    }

    private func verdict(
        of rule: TrustRule, siblings: [TrustRoots], checksName: Bool
    ) throws(TLSContexts.Failure) -> Verdict {
        switch rule {
        case .roots(let roots):
            if let chainProblem { return .refused(chainProblem.problem, chainProblem.message) }
            if siblings.count > 1, try !isAnchored(at: roots, siblings) {
                return .refused(
                    .unknownAuthority,
                    "the certificate of \(target) is not trusted: the trust policy does not include its authority")
            }
            return nameProblem(checksName) ?? .trusted(isVerified: true)
        case .pins(let pins):
            if let problem = try mismatch(pins) { return .refused(.pinMismatch, problem) }
            return nameProblem(checksName) ?? .trusted(isVerified: true)
        case .anyone, .perHost: return .trusted(isVerified: false)
        case .all(let rules): return try all(rules, siblings, checksName)
        case .any(let rules): return try any(rules, siblings, checksName)
        case .anyName(let rule): return try verdict(of: rule, siblings: siblings, checksName: false)
        }
    }

    private func all(
        _ rules: [TrustRule], _ siblings: [TrustRoots], _ checksName: Bool
    ) throws(TLSContexts.Failure) -> Verdict {
        guard !rules.isEmpty else {
            return .refused(.other, "the trust policy for \(target) does not trust any certificate")
        }
        var isVerified = false
        for rule in rules {
            let verdict = try verdict(of: rule, siblings: siblings, checksName: checksName)
            guard case .trusted(let part) = verdict else { return verdict }
            isVerified = isVerified || part
        }
        return .trusted(isVerified: isVerified)
    }

    private func any(
        _ rules: [TrustRule], _ siblings: [TrustRoots], _ checksName: Bool
    ) throws(TLSContexts.Failure) -> Verdict {
        var refusals: [(problem: SessionError.CertificateProblem, message: MessageText)] = []
        var unverified: Verdict?
        for rule in rules {
            switch try verdict(of: rule, siblings: siblings, checksName: checksName) {
            case .trusted(isVerified: true): return .trusted(isVerified: true)
            case .trusted(isVerified: false): unverified = .trusted(isVerified: false)
            case .refused(let problem, let message):
                if !refusals.contains(where: { $0.message == message }) { refusals.append((problem, message)) }
            }
        }
        if let unverified { return unverified }
        guard let first = refusals.first else {
            return .refused(.other, "the trust policy for \(target) does not trust any certificate")
        }
        return .refused(first.problem, refusals.map(\.message).joined(separator: "; and "))
    }

    // MARK: Names

    private func nameProblem(_ checksName: Bool) -> Verdict? {
        guard checksName else { return nil }
        guard let leaf else { return .refused(.other, "the certificate of \(target) cannot be read") }
        if HostNameCheck.matches(host, leaf) { return nil }
        let own = leaf.hasAlternativeNames ? leaf.names : leaf.commonName.map { [$0] } ?? []
        let names = own.isEmpty ? "" : " but for \(own.joined(separator: ", "))"
        return .refused(.wrongHost, "the certificate of \(target) is not for the host \(host)\(names)")
    }

    // MARK: Roots

    /// Returns whether the chain ends at these roots; other roots accepted in the handshake may belong to other rules.
    private func isAnchored(at roots: TrustRoots, _ all: [TrustRoots]) throws(TLSContexts.Failure) -> Bool {
        guard let anchor = chain.last else { return false }
        switch roots {
        case .only(let sources): return try contains(anchor, sources)
        case .system(let additional):
            if try contains(anchor, additional) { return true }
            // The root is one of the system's if no other rule contributed it.
            for case .only(let sources) in all where try contains(anchor, sources) { return false }
            for case .system(let others) in all where others != additional {
                if try contains(anchor, others) { return false }
            }
            return true
        }
    }

    private func contains(_ certificate: [UInt8], _ sources: [CertificateSource]) throws(TLSContexts.Failure) -> Bool {
        for source in sources where try contexts.certificates(source).contains(certificate) { return true }
        return false
    }

    // MARK: Pins

    private func mismatch(_ pins: TrustPins) throws(TLSContexts.Failure) -> MessageText? {
        let isVerified = chainProblem == nil
        let candidates = pins.location == .chain && isVerified ? chain[...] : chain.prefix(1)
        let summaries = candidates.compactMap { CertificateSummary(der: $0) }
        if !pins.keys.isEmpty {
            if summaries.contains(where: { pins.keys.contains($0.publicKeyPin) }) { return nil }
            let seen = summaries.map { "\($0.publicKeyPin) (\(Self.label($0)))" }.joined(separator: ", ")
            let expected = pins.keys.map(\.description).joined(separator: ", ")
            return "no key in the certificates of \(target) is pinned: expected \(expected),"
                + " got \(seen.isEmpty ? "none" : seen)"
        }
        for source in pins.certificates {
            let pinned = try contexts.certificates(source)
            if candidates.contains(where: { pinned.contains($0) }) { return nil }
        }
        let seen = summaries.map { "SHA-256 \($0.fingerprint) (\(Self.label($0)))" }.joined(separator: ", ")
        return "no certificate of \(target) is pinned: got \(seen.isEmpty ? "none" : seen)"
    }

    private static func label(_ certificate: CertificateSummary) -> String {
        certificate.commonName ?? certificate.names.first ?? certificate.subject
    }
}

/// The check whether a certificate is valid for a host (RFC 9525, section 6).
enum HostNameCheck {
    /// Returns whether a host matches one of the names or addresses of a certificate.
    ///
    /// As in OpenSSL, the common name is used only if a certificate has no alternative names at all.
    static func matches(_ host: String, _ certificate: CertificateSummary) -> Bool {
        if let address = IPAddress.bytes(host) {
            return certificate.ipAddresses.contains { IPAddress.bytes($0) == address }
        }
        let host = withoutDot(host.lowercased())
        if certificate.hasAlternativeNames { return certificate.dnsNames.contains { matches(host, name: $0) } }
        return certificate.commonName.map { matches(host, name: $0.lowercased()) } ?? false
    }

    private static func matches(_ host: String, name: String) -> Bool {
        let name = withoutDot(name)
        guard name.hasPrefix("*.") else { return host == name }
        // The wildcard matches exactly one label, and not a whole top-level domain.
        let domain = name.dropFirst(2)
        guard domain.contains("."), let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
        return host[host.index(after: dot)...] == domain
    }

    private static func withoutDot(_ name: String) -> String {
        name.utf8.last == UInt8(ascii: ".") ? String(name.dropLast()) : name
    }
}
