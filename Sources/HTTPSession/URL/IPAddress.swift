#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The parsing and formatting of IP addresses.
enum IPAddress {
    /// Returns whether a string is an IPv4 address in dotted decimal form or an IPv6 address without brackets.
    static func isLiteral(_ text: String) -> Bool {
        // No host name contains a colon, and one that ends in a digit is usually an address.
        guard let last = text.utf8.last else { return false }
        if text.utf8.contains(UInt8(ascii: ":")) { return true }
        guard last >= 48, last <= 57 else { return false }
        return parses(text, AF_INET)
    }

    /// Returns an IPv6 literal in lowercase with its optional zone, or nil if it is not one (RFC 6874).
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

    /// Returns a host as it appears in a URL; an IPv6 address is put in brackets.
    static func bracketed(_ host: String) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[" + host + "]" : host
    }

    /// Returns a host and port as they appear in a URL.
    static func authority(_ host: String, _ port: Int) -> String { bracketed(host) + ":" + String(port) }

    /// Returns whether a string is an address of the family. The parsed form, up to 16 bytes, is discarded.
    private static func parses(_ text: String, _ family: CInt) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { bytes in
            guard let base = bytes.baseAddress else { return false }
            return inet_pton(family, text, base) == 1
        }
    }
}

extension IPAddress {
    /// Returns the 4 or 16 bytes of an address without brackets, ignoring a zone; nil if it is not an address.
    static func bytes(_ text: String) -> [UInt8]? {
        var address = text
        if let mark = text.utf8.firstIndex(of: UInt8(ascii: "%")) { address = String(text[..<mark]) }
        let isVersion6 = address.utf8.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
        guard inet_pton(isVersion6 ? AF_INET6 : AF_INET, address, &bytes) == 1 else { return nil }
        return bytes
    }

    /// Returns the string form of an address of 4 or 16 bytes.
    static func text(_ bytes: some Collection<UInt8>) -> String? {
        let bytes = Array(bytes)
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        // 46 bytes are enough for the longest string and its terminator (INET6_ADDRSTRLEN).
        var text = [CChar](repeating: 0, count: 46)
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, 46) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
