/// Tells texts that are IP addresses from others.
enum IPAddressText {
    /// Whether a text is an IPv4 address (RFC 3986, section 3.2.2) or an IPv6 one (RFC 4291, section 2.2).
    static func isAddress(_ text: String) -> Bool {
        isVersion4(text[...]) || isVersion6(text)
    }

    private static func isVersion4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && (part.utf8.count == 1 || part.utf8.first != 0x30) && (Int(part) ?? 256) < 256
            }
    }

    private static func isVersion6(_ text: String) -> Bool {
        // A zone (RFC 4007) such as `%eth0` stands behind the address.
        let address = text.prefix { $0 != "%" }
        var groups = address.split(separator: ":", omittingEmptySubsequences: false)
        guard groups.count >= 3, groups.count <= 9 else { return false }
        var count = 0
        if let last = groups.last, last.contains(".") {
            guard isVersion4(last) else { return false }
            groups.removeLast()
            count = 2
        }
        let endsInVersion4 = count == 2
        var gaps = 0
        for (index, group) in groups.enumerated() {
            if group.isEmpty {
                // The edges of an address may be a gap's: `::1`, `1::`.
                let isEdge = index == 0 || (index == groups.count - 1 && !endsInVersion4)
                if !isEdge { gaps += 1 }
                continue
            }
            let isHexadecimal = group.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
            }
            guard isHexadecimal, group.utf8.count <= 4 else { return false }
            count += 1
        }
        if address.hasPrefix(":"), !address.hasPrefix("::") { return false }
        if address.hasSuffix(":"), !address.hasSuffix("::") { return false }
        return gaps == 0 ? count == 8 && groups.allSatisfy { !$0.isEmpty } : gaps == 1 && count < 8
    }
}
