#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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
