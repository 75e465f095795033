import Basics
import JSONSchema
package import SuiteModel

/// The string formats of `type`, each defined by a standard.
package enum TextFormat {
    /// Returns whether a string has the format. Types that are not string formats never match.
    package static func holds(_ text: String, _ type: Matcher.ValueType) -> Bool {
        switch type {
        case .uuid: isUUID(text)
        case .date: Instant(date: text) != nil
        case .dateTime: Instant(dateTime: text) != nil && !text.utf8.contains(UInt8(ascii: " "))
        case .email: isEmailAddress(text)
        case .uri: URISyntax.isURI(text)
        case .ipv4: isIPv4(text[...])
        case .ipv6: isIPv6(text[...])
        case .string, .number, .integer, .boolean, .array, .object, .null: false
        }
    }

    /// Returns the reason why a similar string does not have the format, such as `which has no scheme`; otherwise nil.
    static func flaw(_ text: String, _ type: Matcher.ValueType) -> MessageText? {
        switch type {
        case .dateTime:
            if Instant(date: text) != nil { return "which is a date without a time" }
            if Instant(dateTime: text) != nil { return "which has a space instead of the T" }
            return Instant.flaw(text).map { "which \($0)" }
        case .date:
            if Instant(dateTime: text) != nil { return "which is a date-time" }
            return Instant.flaw(text).map { "which \($0)" }
        case .uuid:
            let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
            guard text.utf8.count > 8, digits.allSatisfy(Hexadecimal.isDigit) else { return nil }
            if digits.count != 32 { return "which has \(digits.count) digits, not 32" }
            return digits.count == text.utf8.count
                ? "which has no hyphens" : "which has its hyphens in the wrong places"
        case .email: return text.contains("@") ? nil : "which has no @"
        case .uri: return URISyntax.isURI("x:" + text) ? "which has no scheme" : nil
        case .ipv4: return isIPv6(text[...]) ? "which is an IPv6 address" : nil
        case .ipv6: return isIPv4(text[...]) ? "which is an IPv4 address" : nil
        case .string, .number, .integer, .boolean, .array, .object, .null: return nil
        }
    }

    /// Returns whether the string is a UUID in the 8-4-4-4-12 format (RFC 9562, section 4).
    private static func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        for (index, byte) in text.utf8.enumerated() {
            switch index {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
            default: if !Hexadecimal.isDigit(byte) { return false }
            }
        }
        return true
    }

    /// Returns whether the string is an address `local@domain` (RFC 5321, section 4.1.2), including non-ASCII letters
    /// (RFC 6531).
    private static func isEmailAddress(_ text: String) -> Bool {
        guard let at = text.lastIndex(of: "@") else { return false }
        let local = text[..<at]
        let domain = text[text.index(after: at)...]
        guard !local.isEmpty, local.utf8.count <= 64, !domain.isEmpty, domain.utf8.count <= 255 else { return false }
        if text.unicodeScalars.contains(where: { $0.value >= 0x80 && isInvisible($0) }) { return false }
        let isLocal =
            local.first == "\"" ? local.utf8.count >= 3 && EmailFormat.isQuotedString(local.utf8) : isDotString(local)
        return isLocal && (domain.first == "[" ? isAddressLiteral(domain) : isDomain(domain))
    }

    /// Returns whether a scalar is a space, control or format character, which does not occur in addresses on purpose.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        return switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func isDotString(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.utf8.allSatisfy { $0 >= 0x80 || ASCII.isAlphanumeric($0) || isAtomSymbol($0) }
        }
    }

    private static func isAtomSymbol(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", "/", "=", "?", "^", "_", "`", "{", "|", "}", "~": true
        default: false
        }
    }

    private static func isDomain(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            let bytes = label.utf8
            return !bytes.isEmpty && bytes.count <= 63 && bytes.first != UInt8(ascii: "-")
                && bytes.last != UInt8(ascii: "-")
                && bytes.allSatisfy { $0 >= 0x80 || ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isAddressLiteral(_ text: Substring) -> Bool {
        guard text.last == "]" else { return false }
        let inner = text.dropFirst().dropLast()
        return inner.lowercased().hasPrefix("ipv6:") ? isIPv6(inner.dropFirst(5)) : isIPv4(inner)
    }

    /// Returns whether the string consists of four decimal octets without leading zeros (RFC 3986, section 3.2.2,
    /// IPv4address).
    static func isIPv4(_ text: Substring) -> Bool {
        let octets = text.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4
            && octets.allSatisfy { octet in
                let bytes = octet.utf8
                guard (1...3).contains(bytes.count), bytes.allSatisfy(ASCII.isDigit), let value = Int(octet) else {
                    return false
                }
                return value <= 255 && (bytes.count == 1 || bytes.first != UInt8(ascii: "0"))
            }
    }

    /// Returns whether the string is an IPv6 address (RFC 4291, section 2.2) without a zone.
    static func isIPv6(_ text: Substring) -> Bool {
        guard text.utf8.count <= 45 else { return false }
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)
        guard groups.count >= 3, groups.count <= 9 else { return false }
        // "::" at either end results in two empty groups; one of them is removed.
        if groups[0].isEmpty {
            guard groups[1].isEmpty else { return false }
            groups.removeFirst()
        }
        if let last = groups.last, last.isEmpty {
            guard groups.count >= 2, groups[groups.count - 2].isEmpty || groups.count == 1 else {
                return groups.count == 1
            }
            groups.removeLast()
        }
        var count = 0
        var compressions = 0
        for (index, group) in groups.enumerated() {
            if group.isEmpty {
                compressions += 1
            } else if index == groups.count - 1, group.contains(".") {
                guard isIPv4(group) else { return false }
                count += 2
            } else {
                guard group.utf8.count <= 4, group.utf8.allSatisfy(Hexadecimal.isDigit) else { return false }
                count += 1
            }
        }
        return compressions == 0 ? count == 8 : compressions == 1 && count <= 7
    }
}

/// The grammar of URIs with a scheme (RFC 3986, section 3).
enum URISyntax {
    /// Returns whether a string is a URI with a scheme.
    static func isURI(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon].utf8
        guard let first = scheme.first, ASCII.isLetter(first),
            scheme.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E })
        else { return false }
        var rest = text[text.index(after: colon)...]
        if let hash = rest.firstIndex(of: "#") {
            guard consistsOfCharacters(rest[rest.index(after: hash)...], and: "/?") else { return false }
            rest = rest[..<hash]
        }
        if let question = rest.firstIndex(of: "?") {
            guard consistsOfCharacters(rest[rest.index(after: question)...], and: "/?") else { return false }
            rest = rest[..<question]
        }
        guard rest.hasPrefix("//") else { return consistsOfCharacters(rest, and: "/") }
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex(of: "/") ?? afterSlashes.endIndex
        return isAuthority(afterSlashes[..<end]) && consistsOfCharacters(afterSlashes[end...], and: "/")
    }

    /// Returns whether the string is `[userinfo@]host[:port]` (section 3.2).
    private static func isAuthority(_ text: Substring) -> Bool {
        var rest = text
        if let at = rest.lastIndex(of: "@") {
            guard rest[..<at].utf8.allSatisfy({ $0 != 0x40 }), consistsOfCharacters(rest[..<at], and: "") else {
                return false
            }
            rest = rest[rest.index(after: at)...]
        }
        if rest.first == "[" {
            guard let bracket = rest.firstIndex(of: "]") else { return false }
            let port = rest[rest.index(after: bracket)...]
            return isLiteral(rest[..<bracket].dropFirst()) && (port.isEmpty || isPort(port))
        }
        let colon = rest.firstIndex(of: ":") ?? rest.endIndex
        let host = rest[..<colon]
        return consistsOfCharacters(host, and: "") && !host.utf8.contains(0x40)
            && (colon == rest.endIndex || isPort(rest[colon...]))
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.utf8.dropFirst().allSatisfy(ASCII.isDigit)
    }

    /// Returns whether the text between brackets is an IPv6 address or IPvFuture.
    private static func isLiteral(_ text: Substring) -> Bool {
        guard text.first == "v" || text.first == "V" else { return TextFormat.isIPv6(text) }
        let parts = text.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[0].utf8.allSatisfy(Hexadecimal.isDigit)
            && !parts[1].isEmpty && consistsOfCharacters(parts[1], and: "") && !parts[1].contains("%")
    }

    /// Returns whether a string contains only `pchar` (section 3.3), valid percent-encodings, and the given characters.
    private static func consistsOfCharacters(_ text: Substring, and others: StaticString) -> Bool {
        var pending = 0
        for byte in text.utf8 {
            if pending > 0 {
                guard Hexadecimal.isDigit(byte) else { return false }
                pending -= 1
                continue
            }
            switch Unicode.Scalar(byte) {
            case "%": pending = 2
            case "-", ".", "_", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", ":", "@": break
            default:
                let isOther = others.withUTF8Buffer { $0.contains(byte) }
                guard isOther || ASCII.isAlphanumeric(byte) else { return false }
            }
        }
        return pending == 0
    }
}
