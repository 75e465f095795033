public import JSON

/// What of a secret value is masked, and how.
public enum SecretText {
    /// A secret with fewer Unicode scalars is masked only where it is a whole value.
    public static let shortestAnywhere = 4

    /// Whether a secret is masked only where it is a whole value: one that is short, or a word that stands everywhere.
    public static func isShort(_ text: String) -> Bool {
        text == "true" || text == "false" || text == "null"
            || text.unicodeScalars.prefix(shortestAnywhere).count < shortestAnywhere
    }

    /// The texts and numbers in a value, at any depth; names of members are none.
    public static func leaves(of value: JSONValue) -> [String] {
        var texts: [String] = []
        var pending = [value]
        while let value = pending.popLast() {
            switch value {
            case .null, .bool: break
            case .number: texts.append(value.serialized())
            case .string(let text): if !text.isEmpty { texts.append(text) }
            case .array(let elements): pending.append(contentsOf: elements)
            case .object(let members): for member in members { pending.append(member.value) }
            }
        }
        return texts
    }
}

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
