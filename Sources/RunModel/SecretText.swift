public import Basics
public import JSON

/// The rules for masking secret values.
public enum SecretText {
    /// The minimum length in Unicode scalars of a secret that is masked.
    public static let minimumLength = 4

    /// Returns whether a value is never masked, because it is too short or too common a word: its masks would reveal it.
    public static func isUnmaskable(_ text: String) -> Bool {
        text == "true" || text == "false" || text == "null"
            || text.unicodeScalars.prefix(minimumLength).count < minimumLength
    }

    /// Returns a warning that a value of a secret is not masked; nil if all of them are.
    public static func warning(about name: String, _ values: [String]) -> MessageText? {
        guard let value = values.first(where: isUnmaskable) else { return nil }
        let reason: MessageText =
            value.unicodeScalars.count < minimumLength
            ? "it has fewer than \(minimumLength) characters" : "words such as true are never masked"
        return "the value of \"\(name)\" is not masked, because \(reason)"
    }

    /// Returns the strings and numbers in a value, at any depth. Member names are not included.
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
    /// Returns the range of the password as written; nil if the URL has no password.
    public static func range(in url: String) -> Range<String.Index>? {
        let bytes = url.utf8
        let at = UInt8(ascii: "@")
        // This runs for the URL of each request, and few URLs contain the character.
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

    /// Returns the percent-decoded password; nil if the URL has no password.
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
