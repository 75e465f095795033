import JSON

/// JSON text in the making: members and elements are appended as bytes, without values in between.
///
/// What would drive a terminal, or change the direction of writing, is escaped although JSON lets it stand. Each string is
/// a double-quoted scalar of YAML 1.2 too.
struct JSONText {
    /// The text so far.
    var bytes: [UInt8] = []
    /// Whether a comma comes before the next member or element.
    private var needsComma = false

    // MARK: Structure

    mutating func beginObject() { begin(UInt8(ascii: "{")) }
    mutating func endObject() { end(UInt8(ascii: "}")) }
    mutating func beginArray() { begin(UInt8(ascii: "[")) }
    mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Begins the object that is a member's value.
    mutating func beginObject(_ name: StaticString) {
        key(name)
        beginObject()
    }

    /// Begins the array that is a member's value.
    mutating func beginArray(_ name: StaticString) {
        key(name)
        beginArray()
    }

    /// Begins a text to which elements of an array are appended that are put together elsewhere: what comes next needs no
    /// comma.
    mutating func restart() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Breaks the line, behind the comma that comes before the next element.
    mutating func breakLine() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
        bytes.append(0x0A)
    }

    /// Appends the name of a member, of which the value comes next; it holds nothing that must be escaped.
    @inline(__always)
    mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Appends the name of a member, of which the value comes next.
    mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    // MARK: Values

    /// Appends a string.
    ///
    /// - Parameter limit: The most bytes of the text that are written; an ellipsis stands for the rest.
    mutating func string(_ text: String, limit: Int = .max) {
        separate()
        JSONText.append(text, to: &bytes, limit: limit)
        needsComma = true
    }

    /// Appends a whole number.
    mutating func integer(_ value: some BinaryInteger) {
        separate()
        DecimalText.append(Int64(clamping: value), to: &bytes)
        needsComma = true
    }

    /// Appends a value.
    mutating func value(_ value: JSONValue) {
        let text = value.serializedBytes()
        text.withUnsafeBufferPointer { raw(escaping: $0) }
    }

    /// Appends JSON text as it is.
    mutating func raw(_ text: [UInt8]) {
        separate()
        bytes.append(contentsOf: text)
        needsComma = true
    }

    private mutating func raw(escaping text: UnsafeBufferPointer<UInt8>) {
        separate()
        // Such characters stand only in strings.
        JSONText.append(text, to: &bytes, isText: true)
        needsComma = true
    }

    // MARK: Members

    mutating func member(_ name: StaticString, _ value: String, limit: Int = .max) {
        key(name)
        string(value, limit: limit)
    }

    mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        integer(value)
    }

    mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
        needsComma = true
    }

    /// Appends a member that is milliseconds with at most three decimals.
    mutating func member(_ name: StaticString, milliseconds nanoseconds: Int64) {
        key(name)
        DecimalText.append(milliseconds: nanoseconds, to: &bytes)
        needsComma = true
    }

    // MARK: Strings

    /// Appends a text as a JSON string.
    ///
    /// - Parameter limit: The most bytes of the text that are written; an ellipsis stands for the rest.
    static func append(_ text: String, to output: inout [UInt8], limit: Int = .max) {
        var text = text
        text.withUTF8 { bytes in
            var end = bytes.count
            if end > limit {
                end = max(0, limit)
                while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            }
            output.append(UInt8(ascii: "\""))
            append(UnsafeBufferPointer(rebasing: bytes[..<end]), to: &output, isText: false)
            if end < bytes.count { output.append(contentsOf: "… (\(bytes.count - end) more bytes)".utf8) }
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Appends valid UTF-8, escaped.
    ///
    /// - Parameter isText: Whether the bytes are JSON text, in which only what JSON lets stand is still to be escaped.
    private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], isText: Bool) {
        var start = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x20, byte < 0x7F, isText || byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                index += 1
                continue
            }
            if isText, byte < 0x20 {
                index += 1
                continue
            }
            guard let (value, length) = special(bytes, at: index) else {
                index += 1
                continue
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
            appendEscape(value, to: &output)
            index += length
            start = index
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
    }

    /// The character at an index and its length in bytes, when it is to be escaped.
    private static func special(
        _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (value: UInt32, length: Int)? {
        let byte = bytes[index]
        if byte < 0x80 { return (UInt32(byte), 1) }
        guard index + 1 < bytes.count else { return nil }
        let second = bytes[index + 1]
        switch (byte, second) {
        case (0xC2, 0x80..<0xA0), (0xD8, 0x9C):
            return (UInt32(byte & 0x1F) << 6 | UInt32(second & 0x3F), 2)
        case (0xE2, 0x80), (0xE2, 0x81), (0xEF, 0xBB), (0xEF, 0xBF):
            guard index + 2 < bytes.count else { return nil }
            let value = UInt32(byte & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
            switch value {
            case 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF:
                return (value, 3)
            default: return nil
            }
        default: return nil
        }
    }

    private static func appendEscape(_ value: UInt32, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch value {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0x22: output.append(UInt8(ascii: "\""))
        case 0x5C: output.append(UInt8(ascii: "\\"))
        default:
            output.append(UInt8(ascii: "u"))
            for shift in [12, 8, 4, 0] as [UInt32] {
                let digit = UInt8(truncatingIfNeeded: value >> shift & 0xF)
                output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
            }
        }
    }
}
