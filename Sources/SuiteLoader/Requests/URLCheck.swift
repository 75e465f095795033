import Basics
import Diagnostics
import SuiteModel
import YAML

/// Validates URLs as far as possible before their expressions are evaluated.
struct URLCheck {
    /// The shared state of the readers.
    let context: LoadContext
    /// Whether WebSocket URLs are allowed.
    private let opensWebSocket: Bool

    init(_ context: LoadContext, opensWebSocket: Bool = false) {
        self.context = context
        self.opensWebSocket = opensWebSocket
    }

    /// Reports errors in a URL, and records a URL that requires a base URL.
    ///
    /// - Parameters:
    ///   - template: The URL.
    ///   - node: The scalar that contains it.
    ///   - offset: The number of Unicode scalars before it in the scalar's text.
    func check(_ template: Template, in node: YAMLNode, at offset: Int) {
        let text: String
        switch template {
        case .constant(let constant): text = constant
        case .expression: return
        case .joined(let parts):
            guard case .text(let first)? = parts.first else { return }
            text = first
        }
        if text.utf8.first == UInt8(ascii: "/") {
            context.noteRelativeURL(text, range(text[...], of: text, in: node, at: offset))
            return
        }
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            checkAuthority(text, isWhole: template.constantText != nil, in: node, at: offset)
            return
        }
        checkOther(text, isWhole: template.constantText != nil, in: node, at: offset)
    }

    /// Checks a URL that starts with neither an HTTP scheme nor a slash.
    ///
    /// - Parameters:
    ///   - text: The literal start of the URL.
    ///   - isWhole: Whether no expressions follow.
    ///   - node: The scalar that contains the URL.
    ///   - offset: The number of Unicode scalars before the URL in the scalar's text.
    private func checkOther(_ text: String, isWhole: Bool, in node: YAMLNode, at offset: Int) {
        if text.isEmpty {
            context.report("invalid-url", "the URL is empty", node.range)
            return
        }
        if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), NameRules.isToken(text[..<colon]) {
            let scheme = text[..<colon]
            let rest = text[text.index(after: colon)...]
            if rest.hasPrefix("//") {
                let lower = scheme.lowercased()
                let isWebSocket = lower == "ws" || lower == "wss"
                if isWebSocket, opensWebSocket {
                    return checkAuthority(text, isWhole: isWhole, in: node, at: offset)
                }
                context.report(
                    "invalid-url", "unsupported URL scheme \"\(scheme)\"",
                    range(text[...], of: text, in: node, at: offset),
                    suggestion: isWebSocket
                        ? "to open a WebSocket, add \"websocket\" next to the request"
                        : lower == "http" || lower == "https" ? "write \"\(lower)\"" : "use http or https")
                return
            }
            if let digit = rest.utf8.first, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") {
                context.report(
                    "invalid-url", "the URL has no scheme", range(text[...], of: text, in: node, at: offset),
                    suggestion: "write \"http://\(text)\"")
                return
            }
        }
        context.noteRelativeURL(text, range(text[...], of: text, in: node, at: offset))
    }

    /// Checks the host and the port of a URL (RFC 3986, section 3.2).
    ///
    /// - Parameters:
    ///   - text: The literal start of the URL.
    ///   - isWhole: Whether no expressions follow, which could continue the authority.
    ///   - node: The scalar that contains the URL.
    ///   - offset: The number of Unicode scalars before the URL in the scalar's text.
    private func checkAuthority(_ text: String, isWhole: Bool, in node: YAMLNode, at offset: Int) {
        let utf8 = text.utf8
        guard let slash = utf8.firstIndex(of: UInt8(ascii: "/")) else { return }
        let start = utf8.index(slash, offsetBy: 2)
        let end = utf8[start...].firstIndex {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
        }
        if end == nil, !isWhole { return }
        var authority = text[start..<(end ?? text.endIndex)]
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            authority = authority[utf8.index(after: at)...]
        }
        func report(_ message: MessageText, _ part: Substring, suggestion: MessageText? = nil) {
            let shown = part.isEmpty ? text[...] : part
            context.report(
                "invalid-url", message, range(shown, of: text, in: node, at: offset), suggestion: suggestion)
        }
        var host = authority
        var port: Substring?
        if authority.utf8.first == UInt8(ascii: "[") {
            guard let close = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else {
                report("the address \"\(authority)\" has no \"]\"", authority)
                return
            }
            let rest = authority[utf8.index(after: close)...]
            host = authority[...close]
            if rest.utf8.first == UInt8(ascii: ":") {
                port = rest.dropFirst()
            } else if !rest.isEmpty {
                report("unexpected \"\(rest)\" after an address in brackets", rest)
                return
            }
        } else if let colon = authority.utf8.firstIndex(of: UInt8(ascii: ":")) {
            if authority.utf8[utf8.index(after: colon)...].contains(UInt8(ascii: ":")) {
                report(
                    "\"\(authority)\" is not a valid host", authority, suggestion: "enclose an IPv6 address in brackets"
                )
                return
            }
            host = authority[..<colon]
            port = authority[utf8.index(after: colon)...]
        }
        if host.isEmpty {
            report("the URL has no host", "", suggestion: "for example, write \"http://localhost:8080/path\"")
            return
        }
        if host.utf8.contains(where: Self.isOutsideHost) {
            report("\"\(host)\" is not a valid host", host)
            return
        }
        guard let port, !port.isEmpty else { return }
        if !port.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
            || !(1...65535).contains(Int(port) ?? 0)
        {
            report("\"\(port)\" is not a valid port", port, suggestion: "use a number from 1 to 65535")
        }
    }

    /// Returns whether a byte is invalid in a host, even if the sender percent-encodes it.
    private static func isOutsideHost(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
    }

    /// Returns the source range of a part of the URL.
    private func range(_ part: Substring, of text: String, in node: YAMLNode, at offset: Int) -> SourceRange {
        let lower = offset + text[..<part.startIndex].unicodeScalars.count
        return ScalarLocator.range(in: node, from: lower, to: lower + part.unicodeScalars.count)
    }
}

/// Recognizes IP addresses.
enum IPAddressText {
    /// Returns whether a text is an IPv4 address (RFC 3986, section 3.2.2) or an IPv6 address (RFC 4291, section 2.2).
    static func isAddress(_ text: String) -> Bool {
        isVersion4(text[...]) || isVersion6(text)
    }

    /// Returns whether a text is an IP address, which a port may follow: `127.0.0.1:8443` or `[::1]:8443`.
    static func isAddress(_ text: String, allowsPort: Bool) -> Bool {
        if isAddress(text) || !allowsPort { return isAddress(text) }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), let port = Int(text[text.index(after: colon)...]),
            (1...65535).contains(port)
        else { return false }
        let address = text[..<colon]
        guard address.first == "[", address.last == "]" else { return isVersion4(address) }
        return isVersion6(String(address.dropFirst().dropLast()))
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
        // A zone identifier (RFC 4007) such as `%eth0` may follow the address.
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
                // An empty group at either end of the address is part of a gap: `::1`, `1::`.
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
