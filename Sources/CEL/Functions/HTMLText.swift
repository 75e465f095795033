import CAssets

/// The escaping of text in HTML (WHATWG HTML, section 13.1.4).
enum HTMLText {
    /// The maximum length in bytes of a character reference, without `&` and `;`.
    private static let maximumReference = 12

    /// The code points of the named character references of HTML 4.
    private static let codePoints: [String: Unicode.Scalar] = {
        var points: [String: Unicode.Scalar] = [:]
        for line in AssetLines.lines(of: Asset.htmlEntities) {
            let fields = line.split(separator: " ")
            guard fields.count == 2, let value = UInt32(fields[1], radix: 16), let scalar = Unicode.Scalar(value) else {
                continue
            }
            points[String(fields[0])] = scalar
        }
        return points
    }()

    /// Returns a string with references for the characters that have a meaning in elements and quoted attributes.
    static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): result += Array("&amp;".utf8)
            case UInt8(ascii: "<"): result += Array("&lt;".utf8)
            case UInt8(ascii: ">"): result += Array("&gt;".utf8)
            case UInt8(ascii: "\""): result += Array("&quot;".utf8)
            case UInt8(ascii: "'"): result += Array("&#39;".utf8)
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns a string with the characters that its references stand for. An unknown reference is kept.
    static func unescaped(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "&"),
                let end = bytes.prefix(maximumReference + 1).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(String(decoding: bytes[..<end], as: UTF8.self))
            {
                result += Array(String(scalar).utf8)
                bytes = bytes[(end + 1)...]
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the character of a reference without `&` and `;`; nil if it is unknown.
    private static func scalar(_ reference: String) -> Unicode.Scalar? {
        guard reference.utf8.first == UInt8(ascii: "#") else { return codePoints[reference] }
        let number = reference.dropFirst()
        let isHexadecimal = number.hasPrefix("x") || number.hasPrefix("X")
        let digits = isHexadecimal ? number.dropFirst() : number
        // The initializer accepts a sign, which a reference must not have.
        guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), value > 0
        else { return nil }
        return Unicode.Scalar(value)
    }
}
