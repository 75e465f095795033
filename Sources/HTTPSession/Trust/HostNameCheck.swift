/// Whether a certificate is for a host (RFC 9525 section 6).
enum HostNameCheck {
    /// Compares a host with the names and addresses of a certificate.
    ///
    /// The common name is looked at only where a certificate has no alternative names at all, as OpenSSL does.
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
        // The wildcard stands for exactly one label, and not for a whole top-level domain.
        let domain = name.dropFirst(2)
        guard domain.contains("."), let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
        return host[host.index(after: dot)...] == domain
    }

    private static func withoutDot(_ name: String) -> String {
        name.utf8.last == UInt8(ascii: ".") ? String(name.dropLast()) : name
    }
}
