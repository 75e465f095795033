/// Writes JSON that stands inside of a `script` element.
///
/// `<` is always written as an escape, so that nothing in a text can end the element or begin a comment in it.
struct EmbeddedJSON {
    /// What was written.
    var bytes: [UInt8] = []
    private var needsComma = false

    /// Starts an object.
    mutating func beginObject() { begin(UInt8(ascii: "{")) }

    /// Ends an object.
    mutating func endObject() { end(UInt8(ascii: "}")) }

    /// Starts an array.
    mutating func beginArray() { begin(UInt8(ascii: "[")) }

    /// Ends an array.
    mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes a member's name; its value comes next.
    mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: "\":".utf8)
        needsComma = false
    }

    /// Writes a number as a member's name; its value comes next.
    mutating func key(_ number: Int) {
        separate()
        bytes.append(contentsOf: "\"\(number)\":".utf8)
        needsComma = false
    }

    /// Writes a number.
    mutating func number(_ value: some BinaryInteger) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes a number, or null for none.
    mutating func number(_ value: (some BinaryInteger)?) {
        if let value { number(value) } else { null() }
    }

    /// Writes null.
    mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a boolean.
    mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes a text.
    ///
    /// - Parameter limit: The most bytes of it that are written; an ellipsis and the number of the others stand for them.
    mutating func string(_ text: String, limit: Int = .max) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { buffer in
            var end = buffer.count
            if end > limit {
                end = max(0, limit)
                while end > 0, buffer[end] & 0xC0 == 0x80 { end -= 1 }
            }
            append(UnsafeBufferPointer(rebasing: buffer[..<end]))
            if end < buffer.count { bytes.append(contentsOf: "… (\(buffer.count - end) more bytes)".utf8) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a text, or null for none.
    mutating func string(_ text: String?, limit: Int = .max) {
        if let text { string(text, limit: limit) } else { null() }
    }

    /// Puts a comma before what is written next, which continues an array that was begun elsewhere.
    mutating func separateNext() { needsComma = true }

    /// Makes a line of its own of what is written next; white space between JSON's tokens means nothing.
    mutating func lineBreak() { bytes.append(0x0A) }

    private mutating func begin(_ byte: UInt8) {
        separate()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func end(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in 0..<text.count {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "<")
            else { continue }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            start = index + 1
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            default:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 15))
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
