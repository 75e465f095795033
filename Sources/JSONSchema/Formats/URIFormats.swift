import Basics

/// The formats of URIs (RFC 3986) and IRIs (RFC 3987).
enum URIFormats {
    private typealias Part = Slice<UnsafeBufferPointer<UInt8>>

    /// Returns whether bytes are a URI or IRI, or a reference to one if no scheme is needed.
    static func isReference(
        _ bytes: UnsafeBufferPointer<UInt8>, needsScheme: Bool, isInternational: Bool
    ) -> Bool {
        if isInternational ? !hasInternationalCharacters(bytes) : bytes.contains(where: { $0 >= 0x80 }) { return false }
        var rest = bytes[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            guard consists(rest[(hash + 1)...], ofPathCharactersAnd: "/?") else { return false }
            rest = rest[..<hash]
        }
        var query: Part?
        if let question = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(question + 1)...]
            rest = rest[..<question]
        }
        if let query, !consists(query, ofPathCharactersAnd: "/?") { return false }
        let colon = rest.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        if let colon, rest[colon] == UInt8(ascii: ":") {
            // Without a scheme, the first segment of a path must not contain a colon.
            guard isScheme(rest[..<colon]) else { return false }
            rest = rest[(colon + 1)...]
        } else if needsScheme {
            return false
        }
        guard rest.starts(with: "//".utf8) else { return consists(rest, ofPathCharactersAnd: "/") }
        rest = rest.dropFirst(2)
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        return isAuthority(rest[..<end]) && consists(rest[end...], ofPathCharactersAnd: "/")
    }

    private static func isScheme(_ text: Part) -> Bool {
        guard let first = text.first, ASCII.isLetter(first) else { return false }
        return text.allSatisfy {
            ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    /// Returns whether a part is an authority: `[userinfo@]host[:port]` (section 3.2).
    private static func isAuthority(_ text: Part) -> Bool {
        var rest = text
        if let at = rest.firstIndex(of: UInt8(ascii: "@")) {
            guard consists(rest[..<at], ofPathCharactersAnd: "") else { return false }
            rest = rest[(at + 1)...]
            if rest.contains(UInt8(ascii: "@")) { return false }
        }
        if rest.first == UInt8(ascii: "[") {
            guard let bracket = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let port = rest[(bracket + 1)...]
            return isLiteral(rest[..<bracket].dropFirst()) && (port.isEmpty || isPort(port))
        }
        let colon = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
        return consists(rest[..<colon], ofPathCharactersAnd: "") && (colon == rest.endIndex || isPort(rest[colon...]))
    }

    private static func isPort(_ text: Part) -> Bool {
        text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy(ASCII.isDigit)
    }

    /// Returns whether the part between brackets is an `IPv6address` or `IPvFuture`.
    private static func isLiteral(_ text: Part) -> Bool {
        guard let first = text.first, first | 0x20 == UInt8(ascii: "v") else { return AddressFormats.isIPv6(text) }
        let parts = text.dropFirst().split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[0].allSatisfy(Hexadecimal.isDigit) && !parts[1].isEmpty
            && parts[1].allSatisfy {
                ASCII.isUnreserved($0) || ASCII.isSubDelimiter($0) || $0 == UInt8(ascii: ":")
            }
    }

    /// Returns whether a part contains only `pchar` (section 3.3) and some other characters.
    ///
    /// Percent-encodings must be complete.
    private static func consists(_ text: Part, ofPathCharactersAnd others: StaticString) -> Bool {
        var pending = 0
        for byte in text {
            if pending > 0 {
                guard Hexadecimal.isDigit(byte) else { return false }
                pending -= 1
            } else if byte == UInt8(ascii: "%") {
                pending = 2
            } else if !(byte >= 0x80 || ASCII.isUnreserved(byte) || ASCII.isSubDelimiter(byte)
                || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@")
                || others.withUTF8Buffer { $0.contains(byte) })
            {
                return false
            }
        }
        return pending == 0
    }

    /// Returns whether all non-ASCII characters are `ucschar`, or `iprivate` in the query (RFC 3987, section 2.2).
    private static func hasInternationalCharacters(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var isInQuery = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case UInt32(UInt8(ascii: "?")): isInQuery = true
            case UInt32(UInt8(ascii: "#")): isInQuery = false
            case 0..<0x80, 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: break
            case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD:
                if !isInQuery { return false }
            case 0x10000...0xDFFFF:
                if scalar.value & 0xFFFF >= 0xFFFE { return false }
            case 0xE1000...0xEFFFD: break
            default: return false
            }
        }
        return true
    }
}

/// The format of URI templates (RFC 6570, section 2).
enum URITemplateFormat {
    static func isTemplate(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = ByteCursor(bytes)
        while let byte = cursor.next {
            cursor.skip()
            switch byte {
            case UInt8(ascii: "{"):
                guard takeExpression(&cursor) else { return false }
            case UInt8(ascii: "%"):
                guard takeEncoded(&cursor) else { return false }
            // The apostrophe is allowed because it is valid in URIs, although the grammar omits it.
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                return false
            default: break
            }
        }
        return true
    }

    /// Consumes the expression between braces: an operator, and variables with modifiers.
    private static func takeExpression(_ cursor: inout ByteCursor) -> Bool {
        if let next = cursor.next, isOperator(next) { cursor.skip() }
        repeat {
            guard takeName(&cursor) else { return false }
            if cursor.take(":") {
                guard let next = cursor.next, next != UInt8(ascii: "0") else { return false }
                guard (1...4).contains(cursor.skipDigits()) else { return false }
            } else {
                _ = cursor.take("*")
            }
        } while cursor.take(",")
        return cursor.take("}")
    }

    /// Returns whether a byte is an operator, including those reserved for extensions (section 2.2).
    private static func isOperator(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "+", "#", ".", "/", ";", "?", "&", "=", ",", "!", "@", "|": true
        default: false
        }
    }

    /// Consumes a `varname`.
    private static func takeName(_ cursor: inout ByteCursor) -> Bool {
        var hasCharacter = false
        while let next = cursor.next {
            if ASCII.isAlphanumeric(next) || next == UInt8(ascii: "_") {
                cursor.skip()
                hasCharacter = true
            } else if next == UInt8(ascii: "%") {
                cursor.skip()
                guard takeEncoded(&cursor) else { return false }
                hasCharacter = true
            } else if next == UInt8(ascii: "."), hasCharacter {
                cursor.skip()
                hasCharacter = false
            } else {
                break
            }
        }
        return hasCharacter
    }

    private static func takeEncoded(_ cursor: inout ByteCursor) -> Bool {
        for _ in 0..<2 {
            guard let next = cursor.next, Hexadecimal.isDigit(next) else { return false }
            cursor.skip()
        }
        return true
    }
}
