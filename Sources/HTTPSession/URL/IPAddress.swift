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

    /// Whether a text is an address of the family; the parsed form, at most 16 bytes, is not kept.
    private static func parses(_ text: String, _ family: CInt) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { bytes in
            guard let base = bytes.baseAddress else { return false }
            return inet_pton(family, text, base) == 1
        }
    }
}
