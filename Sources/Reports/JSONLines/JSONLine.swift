import JSON

/// A line of JSON in the making: the bytes of an object whose members are appended one after another.
///
/// Commas are set by what stands before, so that members that a line may lack cost nothing.
struct JSONLine {
    /// The most bytes of a text; what is longer is cut, and ends in `…`.
    static let longestText = 65_536

    private(set) var bytes: [UInt8] = []
    private let writer = JSONWriter()

    /// Empties the line, and keeps its room.
    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    // MARK: Structure

    mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    mutating func beginObject(_ name: StaticString) {
        self.name(name)
        bytes.append(UInt8(ascii: "{"))
    }

    mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    mutating func beginArray(_ name: StaticString) {
        self.name(name)
        bytes.append(UInt8(ascii: "["))
    }

    mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

    /// Appends the comma that the next member or element needs.
    private mutating func separate() {
        if let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
            bytes.append(UInt8(ascii: ","))
        }
    }

    /// Appends the name of a member, which needs no escape.
    private mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    // MARK: Members

    mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        write(text)
    }

    /// Appends a member with a text, unless there is none.
    mutating func member(_ name: StaticString, _ text: String?) {
        if let text { member(name, text) }
    }

    /// Appends a member with a word that needs no escape.
    mutating func member(_ name: StaticString, word: StaticString) {
        self.name(name)
        bytes.append(UInt8(ascii: "\""))
        append(word)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func member(_ name: StaticString, _ value: Int64) {
        self.name(name)
        write(value)
    }

    mutating func member(_ name: StaticString, _ value: Int) { member(name, Int64(value)) }

    mutating func member(_ name: StaticString, _ value: Int64?) {
        if let value { member(name, value) }
    }

    mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        append(value ? "true" : "false")
    }

    mutating func member(_ name: StaticString, _ number: JSONNumber) {
        self.name(name)
        writer.write(.number(number), into: &bytes)
    }

    /// Appends a member with texts, unless there are none.
    mutating func member(_ name: StaticString, _ texts: [String]) {
        if texts.isEmpty { return }
        beginArray(name)
        for text in texts { element(text) }
        endArray()
    }

    /// Appends a member with a text that is not cut.
    mutating func whole(_ name: StaticString, _ text: String) {
        self.name(name)
        writer.write(string: text, into: &bytes)
    }

    mutating func element(_ text: String) {
        separate()
        write(text)
    }

    /// Appends a member with a value; of one that is too long the first bytes of its JSON text, as a text.
    ///
    /// - Returns: Whether the value was too long.
    mutating func member(_ name: StaticString, _ value: JSONValue) -> Bool {
        self.name(name)
        if case .string(let text) = value {
            write(text)
            return false
        }
        let start = bytes.count
        writer.write(value, into: &bytes)
        guard bytes.count - start > Self.longestText else { return false }
        let text = String(decoding: bytes[start..<start + Self.longestText], as: UTF8.self)
        bytes.removeSubrange(start...)
        write(text)
        return true
    }

    /// Appends a value to an array.
    mutating func element(_ value: JSONValue) {
        separate()
        writer.write(value, into: &bytes)
    }

    // MARK: Values

    private mutating func write(_ text: String) {
        guard text.utf8.count > Self.longestText else {
            writer.write(string: text, into: &bytes)
            return
        }
        var text = text
        let start = text.withUTF8 { bytes in
            var end = Self.longestText - "…".utf8.count
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
        writer.write(string: start + "…", into: &bytes)
    }

    private mutating func write(_ value: Int64) {
        if value >= 0, value < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var index = digits.count
            var rest = value.magnitude
            repeat {
                index -= 1
                digits[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                index -= 1
                digits[index] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[index...]))
        }
    }
}
