import Basics

/// The grammar of a URI with a scheme (RFC 3986, section 3).
enum URISyntax {
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

    /// `[userinfo@]host[:port]` (section 3.2).
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

    /// An IPv6 address, or IPvFuture, between brackets.
    private static func isLiteral(_ text: Substring) -> Bool {
        guard text.first == "v" || text.first == "V" else { return TextFormat.isIPv6(text) }
        let parts = text.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[0].utf8.allSatisfy(Hexadecimal.isDigit)
            && !parts[1].isEmpty && consistsOfCharacters(parts[1], and: "") && !parts[1].contains("%")
    }

    /// Whether a text has only pchar (section 3.3), whole percent-encodings, and the further characters given.
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
