/// The parts of a URL that matter to routing, as bytes, still encoded.
struct URLParts: Sendable {
    /// The scheme in lower case; empty for a relative URL.
    var scheme: ArraySlice<UInt8> = []
    /// The host and port in lower case, without user information and the scheme's usual port.
    var authority: ArraySlice<UInt8> = []
    /// The scheme, `://` and the authority.
    private(set) var origin: [UInt8] = []
    /// The path, which begins with a slash.
    var path: ArraySlice<UInt8> = []
    /// What follows the question mark; nil without one.
    var query: ArraySlice<UInt8>?

    /// Takes a URL apart.
    init(_ url: String) {
        var rest = Array(url.utf8)[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let separator = Self.schemeEnd(rest) {
            scheme = Self.lowercased(rest[..<separator])
            rest = rest[(separator + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Self.lowercased(rest[..<end])
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
            dropUsualPort()
            rest = rest[end...]
            origin = scheme + Array("://".utf8) + authority
        }
        path = rest.isEmpty ? Array("/".utf8)[...] : rest
    }

    private mutating func dropUsualPort() {
        let port: String
        switch String(decoding: scheme, as: UTF8.self) {
        case "http", "ws": port = ":80"
        case "https", "wss": port = ":443"
        default: return
        }
        if authority.count > port.utf8.count, authority.suffix(port.utf8.count).elementsEqual(port.utf8) {
            authority = authority.dropLast(port.utf8.count)
        }
    }

    private static func schemeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        for (index, byte) in zip(bytes.indices, bytes) {
            switch byte {
            case UInt8(ascii: ":"): return index > bytes.startIndex ? index : nil
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                continue
            default: return nil
            }
        }
        return nil
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 + 32 : $0 }[...]
    }
}
