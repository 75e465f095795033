#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// IP addresses in text.
enum IPAddress {
    /// Whether a text is an IPv4 address in dotted form or an IPv6 address without brackets.
    static func isLiteral(_ text: String) -> Bool {
        // No name ends in a digit or has a colon, save those that only look like an address.
        guard let last = text.utf8.last else { return false }
        if text.utf8.contains(UInt8(ascii: ":")) { return true }
        guard last >= 48, last <= 57 else { return false }
        return parses(text, AF_INET)
    }

    /// The address in an IPv6 literal in lower case, with its zone if it has one, or nil if it is not one (RFC 6874).
    static func version6(_ literal: String) -> String? {
        var address = literal
        var zone = ""
        if let mark = literal.utf8.firstIndex(of: UInt8(ascii: "%")) {
            address = String(literal[..<mark])
            zone = String(literal[literal.utf8.index(after: mark)...])
            if zone.hasPrefix("25"), zone.utf8.count > 2 { zone.removeFirst(2) }
            guard !zone.isEmpty, zone.utf8.allSatisfy({ ByteClass.host.contains($0) }) else { return nil }
            zone = "%" + zone
        }
        guard parses(address, AF_INET6) else { return nil }
        return address.lowercased() + zone
    }

    /// A host as it stands in a URL: an IPv6 address in brackets.
    static func bracketed(_ host: String) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[" + host + "]" : host
    }

    /// A host and a port as they stand in a URL.
    static func authority(_ host: String, _ port: Int) -> String { bracketed(host) + ":" + String(port) }

    /// Whether a text is an address of the family; the parsed form, at most 16 bytes, is not kept.
    private static func parses(_ text: String, _ family: CInt) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { bytes in
            guard let base = bytes.baseAddress else { return false }
            return inet_pton(family, text, base) == 1
        }
    }
}

extension IPAddress {
    /// The 4 or 16 bytes of an address in text, without brackets; a zone is ignored. Nil if it is not an address.
    static func bytes(_ text: String) -> [UInt8]? {
        var address = text
        if let mark = text.utf8.firstIndex(of: UInt8(ascii: "%")) { address = String(text[..<mark]) }
        let isVersion6 = address.utf8.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
        guard inet_pton(isVersion6 ? AF_INET6 : AF_INET, address, &bytes) == 1 else { return nil }
        return bytes
    }

    /// The text of an address of 4 or 16 bytes.
    static func text(_ bytes: some Collection<UInt8>) -> String? {
        let bytes = Array(bytes)
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        // 46 bytes hold the longest text and its end (INET6_ADDRSTRLEN).
        var text = [CChar](repeating: 0, count: 46)
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, 46) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
