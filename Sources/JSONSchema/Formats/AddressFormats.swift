import Basics

/// The formats of IP addresses.
enum AddressFormats {
    /// Returns whether bytes are four decimal octets without leading zeros (RFC 2673, section 3.2; strict as in RFC
    /// 3986).
    static func isIPv4(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard (7...15).contains(bytes.count) else { return false }
        var octets = 0
        var digits = 0
        var value = 0
        for byte in bytes {
            if ASCII.isDigit(byte) {
                if digits == 1, value == 0 { return false }
                digits += 1
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
                if digits > 3 || value > 255 { return false }
            } else if byte == UInt8(ascii: "."), digits > 0, octets < 3 {
                octets += 1
                digits = 0
                value = 0
            } else {
                return false
            }
        }
        return octets == 3 && digits > 0
    }

    /// Returns whether bytes are an IPv6 address without a zone (RFC 4291, section 2.2).
    static func isIPv6(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard (2...45).contains(bytes.count) else { return false }
        let bytes = Array(bytes)
        let colon = UInt8(ascii: ":")
        var groups = 0
        var hasGap = false
        var index = 0
        if bytes[0] == colon {
            guard bytes[1] == colon else { return false }
            hasGap = true
            index = 2
        }
        while index < bytes.count {
            let start = index
            while index < bytes.count, Hexadecimal.isDigit(bytes[index]) { index += 1 }
            if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
                guard isIPv4(bytes[start...]) else { return false }
                groups += 2
                index = bytes.count
                break
            }
            guard (1...4).contains(index - start) else { return false }
            groups += 1
            if index == bytes.count { break }
            guard bytes[index] == colon else { return false }
            index += 1
            // A single colon cannot end the address.
            guard index < bytes.count else { return false }
            if bytes[index] == colon {
                if hasGap { return false }
                hasGap = true
                index += 1
            }
        }
        return hasGap ? groups <= 7 : groups == 8
    }
}

/// The formats of host names (RFC 1123, section 2.1) and internationalized host names (RFC 5890).
enum HostnameFormat {
    /// Returns whether bytes are a host name.
    ///
    /// - Parameter checksEncodings: Whether labels with hyphens as third and fourth character must be valid A-labels.
    static func isHostname(_ bytes: UnsafeBufferPointer<UInt8>, checksEncodings: Bool = true) -> Bool {
        guard !bytes.isEmpty, bytes.count <= 253 else { return false }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
            isLabel($0, checksEncoding: checksEncodings)
        }
    }

    /// Returns whether bytes are a label of letters, digits, and hyphens. A label with `xn--` must encode a valid
    /// label.
    private static func isLabel(
        _ label: some RandomAccessCollection<UInt8>, checksEncoding: Bool = true
    ) -> Bool {
        let bytes = Array(label)
        let hyphen = UInt8(ascii: "-")
        guard (1...63).contains(bytes.count), bytes[0] != hyphen, bytes[bytes.count - 1] != hyphen,
            bytes.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == hyphen })
        else { return false }
        // Hyphens as third and fourth character are reserved for encodings (RFC 5890, section 2.3.1).
        guard checksEncoding, bytes.count >= 4, bytes[2] == hyphen, bytes[3] == hyphen else { return true }
        guard bytes[0] | 0x20 == UInt8(ascii: "x"), bytes[1] | 0x20 == UInt8(ascii: "n"),
            let decoded = Punycode.decode(bytes[4...].map { ASCII.isLetter($0) ? $0 | 0x20 : $0 })
        else { return false }
        // An encoding of a label that needs none is invalid.
        return decoded.contains { $0.value >= 0x80 } && InternationalLabel.isValid(decoded)
            && Punycode.encode(decoded).map { $0.count == bytes.count - 4 } ?? false
    }

    static func isInternationalHostname(_ text: String) -> Bool {
        var labels: [[Unicode.Scalar]] = [[]]
        for scalar in text.unicodeScalars {
            // The label separators of RFC 3490, section 3.1.
            switch scalar.value {
            case 0x2E, 0x3002, 0xFF0E, 0xFF61: labels.append([])
            default: labels[labels.count - 1].append(scalar)
            }
        }
        var length = labels.count - 1
        for label in labels {
            guard let encoded = encodedLength(of: label) else { return false }
            length += encoded
        }
        return length <= 253
    }

    /// Returns the length of a label in ASCII, or `nil` if the label is invalid.
    private static func encodedLength(of label: [Unicode.Scalar]) -> Int? {
        // Longer labels never fit, and encoding them takes more than linear time.
        guard label.count <= 63 else { return nil }
        if label.allSatisfy({ $0.isASCII }) {
            return isLabel(label.map { UInt8(truncatingIfNeeded: $0.value) }) ? label.count : nil
        }
        guard InternationalLabel.isValid(label), let encoded = Punycode.encode(label) else { return nil }
        let length = encoded.count + 4
        return length <= 63 ? length : nil
    }
}

/// The formats of mailboxes (RFC 5321, section 4.1.2) and internationalized mailboxes (RFC 6531, section 3.3).
package enum EmailFormat {
    static func isMailbox(_ bytes: UnsafeBufferPointer<UInt8>, isInternational: Bool) -> Bool {
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let local = bytes[..<at]
        let domain = bytes[(at + 1)...]
        // The limits of RFC 5321, section 4.5.3.1.
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

    /// Returns whether a local part that starts with a quotation mark is a `Quoted-string` (RFC 5321, section 4.1.2).
    package static func isQuotedString(_ text: some BidirectionalCollection<UInt8>) -> Bool {
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

    /// Returns whether bytes are an address literal: `[192.0.2.1]` or `[IPv6:2001:db8::1]`.
    private static func isAddressLiteral(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard text.last == UInt8(ascii: "]") else { return false }
        let inner = text.dropFirst().dropLast()
        if inner.contains(where: { $0 < 0x20 }) { return false }
        let tag = inner.prefix(5).map { $0 | 0x20 }
        // Setting this bit leaves digits and colons unchanged, so the whole tag can be compared at once.
        if tag.elementsEqual("ipv6:".utf8) { return AddressFormats.isIPv6(inner.dropFirst(5)) }
        return AddressFormats.isIPv4(inner)
    }
}
