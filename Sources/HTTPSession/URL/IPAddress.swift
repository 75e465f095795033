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
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
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
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, address, &parsed) == 1 else { return nil }
        return address.lowercased() + zone
    }
}
