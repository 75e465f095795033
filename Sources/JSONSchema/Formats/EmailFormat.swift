/// Mailboxes of RFC 5321, section 4.1.2, and with letters beyond ASCII of RFC 6531, section 3.3.
enum EmailFormat {
    static func isMailbox(_ bytes: UnsafeBufferPointer<UInt8>, isInternational: Bool) -> Bool {
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let local = bytes[..<at]
        let domain = bytes[(at + 1)...]
        // The limits of section 4.5.3.1.
        guard !local.isEmpty, local.count <= 64, !domain.isEmpty, domain.count <= 255 else { return false }
        if !isInternational, bytes.contains(where: { $0 >= 0x80 }) { return false }
        let isLocal = local.first == UInt8(ascii: "\"") ? isQuotedString(local) : isDotString(local)
        guard isLocal else { return false }
        if domain.first == UInt8(ascii: "[") { return isAddressLiteral(domain) }
        if isInternational { return HostnameFormat.isInternationalHostname(String(decoding: domain, as: UTF8.self)) }
        return HostnameFormat.isHostname(UnsafeBufferPointer(rebasing: domain))
    }

    private static func isDotString(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var wasDot = true
        for byte in text {
            if byte == UInt8(ascii: ".") {
                if wasDot { return false }
                wasDot = true
            } else {
                guard byte >= 0x80 || ASCII.isAlphanumeric(byte) || isAtomSymbol(byte) else { return false }
                wasDot = false
            }
        }
        return !wasDot
    }

    private static func isAtomSymbol(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", "/", "=", "?", "^", "_", "`", "{", "|", "}", "~": true
        default: false
        }
    }

    private static func isQuotedString(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard text.count >= 2, text.last == UInt8(ascii: "\"") else { return false }
        var isEscaped = false
        for byte in text.dropFirst().dropLast() {
            if byte < 0x20 || byte == 0x7F { return false }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                return false
            } else {
                isEscaped = byte == UInt8(ascii: "\\")
            }
        }
        return !isEscaped
    }

    /// `[192.0.2.1]` or `[IPv6:2001:db8::1]`.
    private static func isAddressLiteral(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard text.last == UInt8(ascii: "]") else { return false }
        let inner = text.dropFirst().dropLast()
        if inner.contains(where: { $0 < 0x20 }) { return false }
        let tag = inner.prefix(5).map { $0 | 0x20 }
        // A digit and a colon are the same with that bit, so that the tag can be compared as a whole.
        if tag.elementsEqual("ipv6:".utf8) { return AddressFormats.isIPv6(inner.dropFirst(5)) }
        return AddressFormats.isIPv4(inner)
    }
}
