package import JSON

/// A JSON writer that appends members and elements as bytes, without building intermediate values.
package struct JSONText: ~Copyable {
    /// The text written so far.
    package var buffer = ByteBuffer()
    /// The escaping style of strings.
    package let style: JSONTextStyle
    /// Whether a comma precedes the next member or element.
    @usableFromInline var needsComma = false

    /// Creates an empty text.
    package init(_ style: JSONTextStyle = .visible) {
        self.style = style
    }

    /// A copy of the text written so far.
    package var bytes: [UInt8] { buffer.array }

    // MARK: Structure

    /// Opens an object.
    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    /// Closes an object.
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    /// Opens an array.
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    /// Closes an array.
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Opens an object as the value of a member.
    @inlinable @inline(__always)
    package mutating func beginObject(_ name: StaticString) { key(name, then: UInt8(ascii: "{")) }

    /// Opens an array as the value of a member.
    @inlinable @inline(__always)
    package mutating func beginArray(_ name: StaticString) { key(name, then: UInt8(ascii: "[")) }

    /// Clears the text to start a sequence of array elements that is assembled elsewhere.
    ///
    /// The first one gets no comma.
    package mutating func restart() {
        buffer.removeAll()
        needsComma = false
    }

    /// Starts an element that gets its commas elsewhere.
    ///
    /// The next value gets no comma.
    package mutating func beginElement() { needsComma = false }

    /// Ends a line of JSON Lines text, in which each line is a separate value.
    package mutating func endLine() {
        buffer.append(0x0A)
        needsComma = false
    }

    /// Puts a comma before the next element, to continue an array that was opened elsewhere.
    package mutating func continueArray() { needsComma = true }

    /// Breaks the line after the comma that precedes the next element.
    package mutating func breakLine() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = false
        buffer.append(0x0A)
    }

    /// Breaks the line before the comma that precedes the next element.
    package mutating func breakLineBeforeComma() { buffer.append(0x0A) }

    /// Appends the name of a member, which must not need escaping.
    ///
    /// Its value comes next.
    @inlinable @inline(__always)
    package mutating func key(_ name: StaticString) { key(name, then: nil) }

    /// Appends the name of a member.
    ///
    /// Its value comes next.
    package mutating func key(_ name: String) {
        string(name)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Appends a number as the name of a member.
    ///
    /// Its value comes next.
    package mutating func key(_ number: Int) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        DecimalText.append(Int64(number), to: &buffer)
        buffer.append(UInt8(ascii: "\""))
        buffer.append(UInt8(ascii: ":"))
    }

    /// Appends the name of a member and the first byte of its value, with a single capacity check.
    @inlinable @inline(__always)
    package mutating func key(_ name: StaticString, then first: UInt8?) {
        appendKey(name.utf8Start, name.utf8CodeUnitCount, first ?? 0)
    }

    @inline(never) @usableFromInline
    mutating func appendKey(_ name: UnsafePointer<UInt8>, _ count: Int, _ first: UInt8) {
        let needsComma = needsComma
        buffer.append(maximum: count &+ 5) { start in
            var next = start
            if needsComma {
                next[0] = UInt8(ascii: ",")
                next += 1
            }
            next[0] = UInt8(ascii: "\"")
            (next + 1).initialize(from: name, count: count)
            next += count &+ 1
            next[0] = UInt8(ascii: "\"")
            next[1] = UInt8(ascii: ":")
            next += 2
            if first != 0 {
                next[0] = first
                next += 1
            }
            return next - start
        }
        self.needsComma = false
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        buffer.append(bracket)
    }

    private mutating func end(_ bracket: UInt8) {
        buffer.append(bracket)
        needsComma = true
    }

    // MARK: Values

    /// Appends a string.
    ///
    /// - Parameter limit: The maximum number of bytes of the string to write, or `nil` for the limit of the style.
    package mutating func string(_ text: String, limit: Int? = nil) {
        separate()
        style.append(text, to: &buffer, limit: limit)
        needsComma = true
    }

    /// Appends a string, or `null` for `nil`.
    package mutating func string(_ text: String?, limit: Int? = nil) {
        if let text { string(text, limit: limit) } else { null() }
    }

    /// Appends a literal as a string, which must not need escaping.
    package mutating func string(word: StaticString) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(word)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Appends an integer.
    @inlinable @inline(__always)
    package mutating func integer(_ value: some BinaryInteger) { append(Int64(clamping: value)) }

    @inline(never) @usableFromInline
    mutating func append(_ value: Int64) {
        let needsComma = needsComma
        buffer.append(maximum: 21) { start in
            if needsComma { start[0] = UInt8(ascii: ",") }
            let next = needsComma ? start + 1 : start
            return next - start + DecimalText.write(value, at: next)
        }
        self.needsComma = true
    }

    /// Appends an integer, or `null` for `nil`.
    @inlinable package mutating func integer(_ value: (some BinaryInteger)?) {
        if let value { integer(value) } else { null() }
    }

    /// Appends a Boolean.
    package mutating func boolean(_ value: Bool) {
        separate()
        buffer.append(value ? "true" : "false")
        needsComma = true
    }

    /// Appends `null`.
    package mutating func null() {
        separate()
        buffer.append("null")
        needsComma = true
    }

    /// Appends a number exactly as it was written in its source.
    package mutating func number(_ number: JSONNumber) {
        separate()
        buffer.append(JSONValue.number(number).serializedBytes())
        needsComma = true
    }

    /// Appends a value.
    package mutating func value(_ value: JSONValue) {
        separate()
        if style == .record {
            buffer.append(value.serializedBytes())
        } else {
            style.append(json: value.serializedBytes(), to: &buffer)
        }
        needsComma = true
    }

    /// Appends literal JSON text, including its commas.
    ///
    /// A value comes next.
    package mutating func literal(_ text: StaticString) {
        buffer.append(text)
        needsComma = false
    }

    /// Appends literal JSON text that includes its commas and ends with a complete value.
    package mutating func literal(whole text: StaticString) {
        buffer.append(text)
        needsComma = true
    }

    /// Appends a value that is already serialized.
    package mutating func raw(_ text: [UInt8]) {
        separate()
        buffer.append(text)
        needsComma = true
    }

    /// Reserves room for a number of bytes and appends the text that a closure writes, including its commas.
    ///
    /// - Parameter isWhole: Whether the text ends with a complete value.
    @inlinable @inline(__always)
    package mutating func text(upTo maximum: Int, isWhole: Bool, _ write: (inout ByteWriter) -> Void) {
        buffer.append(upTo: maximum, write)
        needsComma = isWhole
    }

    /// Appends a serialized value that a closure writes.
    package mutating func raw(_ write: (inout ByteBuffer) -> Void) {
        separate()
        write(&buffer)
        needsComma = true
    }

    /// Appends a string with an already escaped prefix.
    package mutating func string(escaped start: [UInt8], then text: String) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(start)
        style.append(content: text, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Appends valid UTF-8 as a string, without truncating it.
    package mutating func string(utf8 bytes: [UInt8]) {
        separate()
        bytes.withUnsafeBufferPointer { style.append(whole: $0, to: &buffer) }
        needsComma = true
    }

    // MARK: Members

    /// Appends a member with a string.
    package mutating func member(_ name: StaticString, _ value: String, limit: Int? = nil) {
        key(name)
        string(value, limit: limit)
    }

    /// Appends a member with a string that is not truncated.
    package mutating func whole(_ name: StaticString, _ text: String) {
        member(name, text, limit: .max)
    }

    /// Appends a member with a literal string, which must not need escaping.
    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, word: StaticString) {
        let needsComma = needsComma
        text(upTo: name.utf8CodeUnitCount &+ word.utf8CodeUnitCount &+ 8, isWhole: true) { text in
            if needsComma { text.write(",") }
            text.write("\"")
            text.write(name)
            text.write("\":\"")
            text.write(word)
            text.write("\"")
        }
    }

    /// Appends a member with an integer.
    @inlinable package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        key(name)
        integer(value)
    }

    /// Appends a member with a Boolean.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        boolean(value)
    }

    /// Appends a member with a timestamp (RFC 3339).
    package mutating func member(_ name: StaticString, _ time: inout TimeText, at milliseconds: Int64) {
        key(name)
        string(&time, at: milliseconds)
    }

    /// Appends a timestamp (RFC 3339) as a string.
    package mutating func string(_ time: inout TimeText, at milliseconds: Int64) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        time.append(milliseconds, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Appends an object with a name and a value.
    ///
    /// - Returns: Whether both were written verbatim, without escaping or truncation.
    @discardableResult
    package mutating func pair(_ name: String, _ value: String) -> Bool {
        separate()
        let isPlain = appendPlainPair(name, value)
        if !isPlain {
            buffer.append("{\"name\":")
            style.append(name, to: &buffer, limit: nil)
            buffer.append(",\"value\":")
            style.append(value, to: &buffer, limit: nil)
            buffer.append(UInt8(ascii: "}"))
        }
        needsComma = true
        return isPlain
    }

    /// Appends an object with a name and a value in one step if neither needs escaping or truncation.
    ///
    /// - Returns: Whether the object was appended.
    private mutating func appendPlainPair(_ name: String, _ value: String) -> Bool {
        name.withBytes { name in
            value.withBytes { value in
                guard style.isPlain(name), style.isPlain(value) else { return false }
                buffer.append(maximum: name.count &+ value.count &+ 24) { start in
                    var next = start
                    func write(_ word: StaticString) {
                        next.initialize(from: word.utf8Start, count: word.utf8CodeUnitCount)
                        next += word.utf8CodeUnitCount
                    }
                    func write(_ bytes: UnsafeBufferPointer<UInt8>) {
                        if let first = bytes.baseAddress { next.initialize(from: first, count: bytes.count) }
                        next += bytes.count
                    }
                    write("{\"name\":\"")
                    write(name)
                    write("\",\"value\":\"")
                    write(value)
                    write("\"}")
                    return next - start
                }
                return true
            }
        }
    }

    /// Appends a member with a duration in milliseconds, with up to three decimals.
    package mutating func member(_ name: StaticString, milliseconds nanoseconds: Int64) {
        key(name)
        number(milliseconds: nanoseconds)
    }

    /// Appends a duration in milliseconds, with up to three decimals.
    package mutating func number(milliseconds nanoseconds: Int64) {
        separate()
        DecimalText.append(milliseconds: nanoseconds, to: &buffer)
        needsComma = true
    }

    // MARK: Strings

    /// Appends a JSON string that is also a valid double-quoted scalar of YAML 1.2.
    ///
    /// Terminal control characters are escaped.
    ///
    /// - Parameter limit: The maximum number of bytes of the string to write. An ellipsis replaces the rest.
    package static func append(_ text: String, to output: inout [UInt8], limit: Int? = nil) {
        JSONTextStyle.visible.append(text, to: &output, limit: limit)
    }

    /// Appends a JSON string to a buffer.
    ///
    /// This overload and the one for arrays are specialized for their output, also for callers in other modules.
    package static func append(_ text: String, to output: inout ByteBuffer, limit: Int? = nil) {
        JSONTextStyle.visible.append(text, to: &output, limit: limit)
    }
}
