import JSON

/// JSON text in the making: members and elements are appended as bytes, without values in between.
struct JSONText {
    /// The text so far.
    var bytes: [UInt8] = []
    /// What is escaped in strings.
    let style: JSONTextStyle
    /// Whether a comma comes before the next member or element.
    private var needsComma = false

    init(_ style: JSONTextStyle = .visible) {
        self.style = style
    }

    // MARK: Structure

    mutating func beginObject() { begin(UInt8(ascii: "{")) }
    mutating func endObject() { end(UInt8(ascii: "}")) }
    mutating func beginArray() { begin(UInt8(ascii: "[")) }
    mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Begins the object that is a member's value.
    @inline(__always)
    mutating func beginObject(_ name: StaticString) { key(name, then: UInt8(ascii: "{")) }

    /// Begins the array that is a member's value.
    @inline(__always)
    mutating func beginArray(_ name: StaticString) { key(name, then: UInt8(ascii: "[")) }

    /// Begins a text to which elements of an array are appended that are put together elsewhere: what comes next needs no
    /// comma.
    mutating func restart() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Begins an element behind which and before which commas are set elsewhere: what comes next needs none.
    mutating func beginElement() { needsComma = false }

    /// Ends a line of a text of which each line is a value of its own.
    mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    /// Puts a comma before what is written next, which continues an array that was begun elsewhere.
    mutating func continueArray() { needsComma = true }

    /// Breaks the line, behind the comma that comes before the next element.
    mutating func breakLine() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
        bytes.append(0x0A)
    }

    /// Breaks the line, before the comma that comes before the next element.
    mutating func breakLineBeforeComma() { bytes.append(0x0A) }

    /// Appends the name of a member, of which the value comes next; it holds nothing that must be escaped.
    @inline(__always)
    mutating func key(_ name: StaticString) { key(name, then: nil) }

    /// Appends the name of a member, of which the value comes next.
    mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Appends a number as the name of a member, of which the value comes next.
    mutating func key(_ number: Int) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        DecimalText.append(Int64(number), to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Appends a member's name and the first byte of its value, with one look at the room there is.
    @inline(__always)
    private mutating func key(_ name: StaticString, then first: UInt8?) {
        appendKey(name.utf8Start, name.utf8CodeUnitCount, first ?? 0)
    }

    @inline(never)
    private mutating func appendKey(_ name: UnsafePointer<UInt8>, _ count: Int, _ first: UInt8) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 5) { buffer in
            guard var next = buffer.baseAddress else { return }
            let start = next
            func write(_ byte: UInt8) {
                next.initialize(to: byte)
                next += 1
            }
            if needsComma { write(UInt8(ascii: ",")) }
            write(UInt8(ascii: "\""))
            next.initialize(from: name, count: count)
            next += count
            write(UInt8(ascii: "\""))
            write(UInt8(ascii: ":"))
            if first != 0 { write(first) }
            bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: next - start))
        }
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
    /// - Parameter limit: The most bytes of the text that are written; nil for as many as the style allows.
    mutating func string(_ text: String, limit: Int? = nil) {
        separate()
        style.append(text, to: &bytes, limit: limit)
        needsComma = true
    }

    /// Appends a string, or null for none.
    mutating func string(_ text: String?, limit: Int? = nil) {
        if let text { string(text, limit: limit) } else { null() }
    }

    /// Appends a word that holds nothing that must be escaped as a string.
    mutating func string(word: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(word)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Appends a whole number.
    mutating func integer(_ value: some BinaryInteger) {
        separate()
        DecimalText.append(Int64(clamping: value), to: &bytes)
        needsComma = true
    }

    /// Appends a whole number, or null for none.
    mutating func integer(_ value: (some BinaryInteger)?) {
        if let value { integer(value) } else { null() }
    }

    /// Appends a boolean.
    mutating func boolean(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
        needsComma = true
    }

    /// Appends null.
    mutating func null() {
        separate()
        append("null")
        needsComma = true
    }

    /// Appends a number as it was written.
    mutating func number(_ number: JSONNumber) {
        separate()
        JSONWriter().write(.number(number), into: &bytes)
        needsComma = true
    }

    /// Appends a value.
    mutating func value(_ value: JSONValue) {
        separate()
        if style == .record {
            JSONWriter().write(value, into: &bytes)
        } else {
            style.append(json: value.serializedBytes(), to: &bytes)
        }
        needsComma = true
    }

    /// Appends JSON text as it is.
    mutating func raw(_ text: [UInt8]) {
        separate()
        bytes.append(contentsOf: text)
        needsComma = true
    }

    private mutating func append(_ word: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    // MARK: Members

    mutating func member(_ name: StaticString, _ value: String, limit: Int? = nil) {
        key(name)
        string(value, limit: limit)
    }

    /// Appends a member with a word that holds nothing that must be escaped.
    mutating func member(_ name: StaticString, word: StaticString) {
        key(name)
        string(word: word)
    }

    mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        integer(value)
    }

    mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        boolean(value)
    }

    /// Appends a member that is a point in time (RFC 3339).
    mutating func member(_ name: StaticString, _ time: inout TimeText, at milliseconds: Int64) {
        key(name)
        bytes.append(UInt8(ascii: "\""))
        time.append(milliseconds, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Appends an object with a name and a value.
    mutating func pair(_ name: String, _ value: String) {
        append(needsComma ? ",{\"name\":" : "{\"name\":")
        style.append(name, to: &bytes, limit: nil)
        append(",\"value\":")
        style.append(value, to: &bytes, limit: nil)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Appends a member that is milliseconds with at most three decimals.
    mutating func member(_ name: StaticString, milliseconds nanoseconds: Int64) {
        key(name)
        DecimalText.append(milliseconds: nanoseconds, to: &bytes)
        needsComma = true
    }

    // MARK: Strings

    /// Appends a text as a JSON string in which what would drive a terminal is escaped, which makes it a double-quoted
    /// scalar of YAML 1.2 too.
    ///
    /// - Parameter limit: The most bytes of the text that are written; an ellipsis stands for the rest.
    static func append(_ text: String, to output: inout [UInt8], limit: Int? = nil) {
        JSONTextStyle.visible.append(text, to: &output, limit: limit)
    }
}
