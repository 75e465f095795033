import SuiteModel

/// The texts that are looked for in place of a secret: the secret, and what is left of it where its letters were changed.
///
/// What encodes a secret is none of them, as texts are decoded before they are searched.
struct SecretForms {
    /// The shortest line of a secret of several lines that is masked by itself.
    private static let shortestLine = 8

    /// The texts, none of them empty.
    private(set) var texts: [(bytes: [UInt8], kind: SecretTree.Kind)] = []

    init(_ secret: String) {
        let bytes = Array(secret.utf8)
        add(secret)
        let trimmed = Self.trimmed(bytes[...])
        if trimmed.count < bytes.count { add(String(decoding: trimmed, as: UTF8.self)) }
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        guard lines.count > 1 else { return }
        for line in lines.map(Self.trimmed) where line.count >= Self.shortestLine {
            add(String(decoding: line, as: UTF8.self))
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return bytes.prefix(0) }
        return bytes[first...last]
    }

    private mutating func add(_ secret: String) {
        guard !secret.isEmpty else { return }
        let bytes = Array(secret.utf8)
        // A short one would match everywhere, and the masks would tell it.
        if SecretText.isShort(secret) {
            texts.append((bytes, .whole))
            texts.append((Array(Base64.encode(bytes).utf8), .whole))
            return
        }
        texts.append((bytes, .anywhere))
        addAnywhere(Self.withoutEscapes(bytes))
        guard bytes.contains(where: { $0 >= 0x80 }) else { return }
        // Letters of ASCII are compared without regard to case.
        addAnywhere(Array(secret.lowercased().utf8))
        addAnywhere(Array(secret.uppercased().utf8))
        addTakenForUTF8(secret.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        addTakenForUTF8(secret.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        // What takes UTF-8 for Latin-1, or for the superset of it that browsers take it for.
        addAnywhere(bytes.flatMap { Array(String(Unicode.Scalar($0)).utf8) })
        addAnywhere(bytes.flatMap { Array(String(Self.windows1252($0)).utf8) })
        let scalars = secret.unicodeScalars
        if scalars.allSatisfy({ $0.value < 0x100 }) { addTakenForUTF8(scalars.map { UInt8($0.value) }) }
        addAnywhere(scalars.flatMap { Array(String($0.isASCII ? $0 : "\u{FFFD}").utf8) })
    }

    /// Adds bytes that are no UTF-8, and the text that is made of them where they are taken for it.
    private mutating func addTakenForUTF8(_ bytes: [UInt8]) {
        addAnywhere(bytes)
        addAnywhere(Array(String(decoding: bytes, as: UTF8.self).utf8))
    }

    /// The character of a byte in windows-1252 (WHATWG Encoding).
    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        let high: StaticString = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ"
        guard 0x80..<0xA0 ~= byte else { return Unicode.Scalar(byte) }
        let scalars = high.description.unicodeScalars
        return scalars[scalars.index(scalars.startIndex, offsetBy: Int(byte) - 0x80)]
    }

    private mutating func addAnywhere(_ bytes: [UInt8]) {
        let ascii = bytes.count { $0 > 0x20 && $0 < 0x7F }
        let isText = String(validating: bytes, as: UTF8.self).map { !SecretText.isShort($0) } ?? (bytes.count > 3)
        guard isText, ascii >= SecretText.shortestAnywhere || !bytes.starts(with: [0xEF, 0xBF, 0xBD]) else { return }
        texts.append((bytes, .anywhere))
    }

    /// A text with its escapes undone until there are none.
    private static func withoutEscapes(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        // Each time makes it shorter.
        while let decoded = bytes.withUnsafeBufferPointer({ DecodedText.undoing(.nested, in: $0) }) {
            bytes = decoded.bytes
        }
        return bytes
    }
}
