/// Text in an XML 1.0 document.
enum XMLText {
    /// Appends a text as character data.
    ///
    /// Characters that XML 1.0 cannot hold (section 2.2), and control characters that it should not, are shown as
    /// `\u{1B}`.
    ///
    /// - Parameters:
    ///   - isAttribute: Whether the text is an attribute's value, in which line breaks and tabs are references, for a
    ///     parser would make them spaces (section 3.3.3).
    ///   - limit: The most bytes of the text that are written; an ellipsis stands for the rest.
    static func append(_ text: String, to output: inout [UInt8], isAttribute: Bool = false, limit: Int = .max) {
        var text = text
        text.withUTF8 { bytes in
            var end = bytes.count
            if end > limit {
                end = max(0, limit)
                while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            }
            append(UnsafeBufferPointer(rebasing: bytes[..<end]), to: &output, isAttribute: isAttribute)
            guard end < bytes.count else { return }
            output.append(contentsOf: "… (\(bytes.count - end) more bytes)".utf8)
        }
    }

    /// Appends an attribute with a space before it.
    static func appendAttribute(_ name: String, _ value: String, to output: inout [UInt8], limit: Int = .max) {
        output.append(UInt8(ascii: " "))
        output.append(contentsOf: name.utf8)
        output.append(contentsOf: "=\"".utf8)
        append(value, to: &output, isAttribute: true, limit: limit)
        output.append(UInt8(ascii: "\""))
    }

    private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], isAttribute: Bool) {
        var start = 0
        var index = 0
        func replace(_ length: Int, with text: String) {
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
            output.append(contentsOf: text.utf8)
            index += length
            start = index
        }
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "<"): replace(1, with: "&lt;")
            case UInt8(ascii: ">"): replace(1, with: "&gt;")
            case UInt8(ascii: "&"): replace(1, with: "&amp;")
            case UInt8(ascii: "\"") where isAttribute: replace(1, with: "&quot;")
            case 0x0A where isAttribute: replace(1, with: "&#10;")
            case 0x09 where isAttribute: replace(1, with: "&#9;")
            // A parser would read a plain CR as LF (section 2.11).
            case 0x0D: replace(1, with: "&#13;")
            case 0x0A, 0x09: index += 1
            case ..<0x20, 0x7F: replace(1, with: escape(UInt32(byte)))
            case 0xC2 where index + 1 < bytes.count && bytes[index + 1] < 0xA0:
                replace(2, with: escape(UInt32(bytes[index + 1])))
            case 0xEF where index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE:
                replace(3, with: escape(bytes[index + 2] == 0xBE ? 0xFFFE : 0xFFFF))
            default: index += 1
            }
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
    }

    private static func escape(_ value: UInt32) -> String {
        "\\u{" + String(value, radix: 16, uppercase: true) + "}"
    }
}
