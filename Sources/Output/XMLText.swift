/// Escaping of text for XML 1.0 documents.
package enum XMLText {
    /// Appends a string as character data or as an attribute value.
    ///
    /// Characters that XML 1.0 does not allow (section 2.2), and control characters that it discourages, are shown as
    /// `\u{1B}`.
    ///
    /// - Parameters:
    ///   - isAttribute: Whether the string is an attribute value. Line breaks and tabs are then written as character
    ///     references because a parser would normalize them to spaces (section 3.3.3).
    ///   - limit: The maximum number of bytes of the string to write. An ellipsis replaces the rest.
    package static func append(_ text: String, to output: inout [UInt8], isAttribute: Bool = false, limit: Int = .max) {
        text.withBytes { bytes in
            // The fast path for most strings.
            if bytes.count <= limit, isPlain(bytes) { return output.append(contentsOf: bytes) }
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

    /// Returns whether a string can be written verbatim.
    ///
    /// It checks eight bytes at a time.
    package static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let raw = UnsafeRawBufferPointer(bytes)
        var index = 0
        /// Sets the high bit of each zero byte, and possibly of bytes after one.
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
        while index &+ 8 <= bytes.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // `<` and `>` differ in one bit.
            let brackets = (word | ones &* 2) ^ (ones &* 0x3E)
            let others =
                zeros(brackets) | zeros(word ^ (ones &* 0x26)) | zeros(word ^ (ones &* 0x22))
                | zeros(word ^ (ones &* 0x7F)) | (word &- ones &* 0x20) & ~word
            if (others | word) & (ones &* 0x80) != 0 { return false }
            index &+= 8
        }
        while index < bytes.count {
            switch bytes[index] {
            case ..<0x20, 0x22, 0x26, 0x3C, 0x3E, 0x7F...: return false
            default: index &+= 1
            }
        }
        return true
    }

    /// Appends an attribute with a leading space.
    package static func appendAttribute(_ name: String, _ value: String, to output: inout [UInt8], limit: Int = .max) {
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
            // A parser would normalize a plain CR to LF (section 2.11).
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

/// Escaping of text for HTML markup.
package enum HTMLText {
    /// Appends a string as character data or as a quoted attribute value.
    ///
    /// Control characters are shown as escapes.
    ///
    /// - Parameter limit: The maximum number of characters to write. An ellipsis replaces the rest.
    package static func append(_ text: String, to output: inout [UInt8], limit: Int = 4_000) {
        var text = text
        if text.utf8.count > limit, let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
            end < text.endIndex
        {
            text = text[..<end] + "…"
        }
        output.append(contentsOf: escaped(TextFitting.lines(text).joined(separator: "\n")).utf8)
    }

    /// Returns a string with the special characters of markup replaced by character references.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
