/// The password in a URL's user information (RFC 3986, section 3.2.1).
public enum URLPassword {
    /// Where the password stands, as it is written; nil in a URL without one.
    public static func range(in url: String) -> Range<String.Index>? {
        let bytes = url.utf8
        let at = UInt8(ascii: "@")
        // Looked for in the URL of each request: few have the sign.
        guard bytes.withContiguousStorageIfAvailable({ $0.contains(at) }) ?? bytes.contains(at),
            let scheme = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let rest = bytes[bytes.index(after: scheme)...]
        guard rest.starts(with: "//".utf8) else { return nil }
        let start = rest.index(rest.startIndex, offsetBy: 2)
        let end = rest[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")),
            let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let first = bytes.index(after: colon)
        return first < at ? first..<at : nil
    }

    /// The password, its percent-encoding undone; nil in a URL without one.
    public static func decoded(in url: String) -> String? {
        guard let range = range(in: url) else { return nil }
        let text = Array(url[range].utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let byte = UInt8(String(decoding: text[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
