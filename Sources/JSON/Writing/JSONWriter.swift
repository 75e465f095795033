/// A writer of JSON text in UTF-8.
public struct JSONWriter: Sendable, Hashable {
    /// The format of the text.
    public var format: JSONFormat

    /// Creates a writer.
    public init(_ format: JSONFormat = .compact) {
        self.format = format
    }

    /// Appends the text of `value` to `output`.
    public func write(_ value: JSONValue, into output: inout [UInt8]) {
        if format == .compact {
            writeCompact(value, into: &output)
        } else {
            write(value, into: &output, level: 0)
        }
    }

    /// Appends `text` as a JSON string with its quotation marks to `output`.
    public func write(string text: String, into output: inout [UInt8]) {
        JSONWriter.write(text, into: &output)
    }

    private func writeCompact(_ value: JSONValue, into output: inout [UInt8]) {
        switch value {
        case .null:
            JSONWriter.write(word: "null", into: &output)
        case .bool(let value):
            JSONWriter.write(word: value ? "true" : "false", into: &output)
        case .number(let number):
            number.write(into: &output)
        case .string(let text):
            JSONWriter.write(text, into: &output)
        case .array(let elements):
            elements.withUnsafeBufferPointer { elements in
                output.append(UInt8(ascii: "["))
                for index in elements.indices {
                    if index > 0 { output.append(UInt8(ascii: ",")) }
                    writeCompact(elements[index], into: &output)
                }
                output.append(UInt8(ascii: "]"))
            }
        case .object(let object):
            object.withMembers { members in
                output.append(UInt8(ascii: "{"))
                for index in members.indices {
                    if index > 0 { output.append(UInt8(ascii: ",")) }
                    JSONWriter.write(members[index].key, into: &output)
                    output.append(UInt8(ascii: ":"))
                    writeCompact(members[index].value, into: &output)
                }
                output.append(UInt8(ascii: "}"))
            }
        }
    }

    private func write(_ value: JSONValue, into output: inout [UInt8], level: Int) {
        switch value {
        case .null, .bool, .number, .string:
            writeCompact(value, into: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for index in elements.indices {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                breakLine(into: &output, level: level + 1)
                write(elements[index], into: &output, level: level + 1)
            }
            if !elements.isEmpty { breakLine(into: &output, level: level) }
            output.append(UInt8(ascii: "]"))
        case .object(var object):
            if format.sortsMembers { object.sortMembers() }
            object.withMembers { members in
                output.append(UInt8(ascii: "{"))
                for index in members.indices {
                    if index > 0 { output.append(UInt8(ascii: ",")) }
                    breakLine(into: &output, level: level + 1)
                    JSONWriter.write(members[index].key, into: &output)
                    output.append(UInt8(ascii: ":"))
                    if format.indentation != nil { output.append(UInt8(ascii: " ")) }
                    write(members[index].value, into: &output, level: level + 1)
                }
                if !members.isEmpty { breakLine(into: &output, level: level) }
                output.append(UInt8(ascii: "}"))
            }
        }
    }

    @inline(__always)
    private func breakLine(into output: inout [UInt8], level: Int) {
        guard let indentation = format.indentation else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, indentation) * level))
    }

    @inline(__always)
    private static func write(word: StaticString, into output: inout [UInt8]) {
        output.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    // MARK: Strings

    /// Appends `text` as a JSON string with minimal escaping (which also satisfies RFC 8785, section 3.2.2.2).
    static func write(_ text: String, into output: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            output.append(UInt8(ascii: "\""))
            while true {
                let end = plainRun(bytes, from: start)
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
                guard end < bytes.count else { break }
                writeEscape(bytes[end], into: &output)
                start = end + 1
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Returns the end of the characters from `start` on that need no escape, scanning eight bytes at a time.
    @inline(__always)
    private static func plainRun(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        let count = bytes.count
        var index = start
        while index &+ 8 <= count {
            let special = SpecialBytes.mask(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            if special != 0 { return index &+ special.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < count {
            let byte = bytes[index]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            index &+= 1
        }
        return index
    }

    private static func writeEscape(_ byte: UInt8, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            let digits = String(byte, radix: 16)
            output.append(contentsOf: (byte < 16 ? "u000" : "u00").utf8)
            output.append(contentsOf: digits.utf8)
        default: output.append(byte)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// Returns the value as JSON text, by default on one line.
    public func serialized(_ format: JSONFormat = .compact) -> String {
        String(decoding: serializedBytes(format), as: UTF8.self)
    }

    /// Returns the value as JSON text in UTF-8, by default on one line.
    public func serializedBytes(_ format: JSONFormat = .compact) -> [UInt8] {
        var output: [UInt8] = []
        JSONWriter(format).write(self, into: &output)
        return output
    }

    /// The value as compact JSON text.
    public var description: String { serialized() }
}

extension JSONObject: CustomStringConvertible {
    /// The object as compact JSON text.
    public var description: String { JSONValue.object(self).serialized() }
}

/// The format of JSON text: line breaks, indentation and the order of members.
public struct JSONFormat: Sendable, Hashable {
    /// The number of spaces per indentation level; nil writes everything on one line without spaces.
    public var indentation: Int?
    /// Whether members are sorted by the code points of their names.
    public var sortsMembers: Bool

    /// Creates a format.
    public init(indentation: Int? = nil, sortsMembers: Bool = false) {
        self.indentation = indentation
        self.sortsMembers = sortsMembers
    }

    /// A single line without whitespace.
    public static let compact = JSONFormat()
    /// One member or element per line, indented by two spaces.
    public static let pretty = JSONFormat(indentation: 2)
    /// A single line without whitespace and with sorted members.
    ///
    /// Equal values have equal texts if their numbers use the same notation. See ``JSONValue/canonicalBytes()`` for a
    /// text that does not depend on the notation of numbers.
    public static let sorted = JSONFormat(sortsMembers: true)
    /// One member or element per line, indented by two spaces, with sorted members.
    public static let prettySorted = JSONFormat(indentation: 2, sortsMembers: true)
}

/// A writer of the canonical form defined by the JSON Canonicalization Scheme (RFC 8785).
struct CanonicalWriter {
    private(set) var output: [UInt8] = []
    private var location: [NormalizedPath.Step] = []

    mutating func write(_ value: JSONValue) throws(JSONCanonicalizationError) {
        switch value {
        case .null, .bool, .string:
            JSONWriter.compact.write(value, into: &output)
        case .number(let number):
            guard let literal = CanonicalWriter.literal(number.double) else {
                throw JSONCanonicalizationError(location: NormalizedPath(location), number: number)
            }
            output.append(contentsOf: literal.utf8)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                location.append(.index(index))
                try write(element)
                location.removeLast()
            }
            output.append(UInt8(ascii: "]"))
        case .object(var object):
            object.sortMembersByUTF16()
            output.append(UInt8(ascii: "{"))
            for (index, member) in object.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSONWriter.compact.write(string: member.key, into: &output)
                output.append(UInt8(ascii: ":"))
                location.append(.name(member.key))
                try write(member.value)
                location.removeLast()
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Formats a number as ECMAScript does (RFC 8785, section 3.2.2.3, ECMA-262 Number::toString); nil if it is
    /// infinite.
    private static func literal(_ value: Double) -> String? {
        guard value.isFinite else { return nil }
        // Swift produces the same shortest round-trip digits as ECMAScript, but in its own notation.
        let literal = ExactDecimal(literal: value.description).literal
        guard let exponent = literal.utf8.firstIndex(of: UInt8(ascii: "e")) else { return literal }
        let digits = literal[literal.utf8.index(after: exponent)...]
        return digits.hasPrefix("-") ? literal : literal[..<exponent] + "e+" + digits
    }
}

extension JSONWriter {
    /// A writer of a single line without whitespace.
    static let compact = JSONWriter(.compact)
}

extension JSONValue {
    /// Returns the value in canonical form (RFC 8785): members sorted by UTF-16 code units, numbers formatted as
    /// doubles.
    ///
    /// Values that are equal as I-JSON (RFC 7493) have the same bytes, suitable for signing and comparing. Numbers are
    /// rounded to the nearest `Double`, as RFC 8785 requires. Use ``JSONFormat/sorted`` if numbers must not be rounded.
    ///
    /// - Throws: An error if a number is beyond the range of `Double`.
    public func canonicalBytes() throws(JSONCanonicalizationError) -> [UInt8] {
        var writer = CanonicalWriter()
        try writer.write(self)
        return writer.output
    }
}

/// The error of a value without a canonical form: a number is beyond the range of `Double` (RFC 8785, section 3.2.2.3).
public struct JSONCanonicalizationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The location of the number.
    public let location: NormalizedPath
    /// The number that is out of range.
    public let number: JSONNumber

    /// Creates an error.
    public init(location: NormalizedPath, number: JSONNumber) {
        self.location = location
        self.number = number
    }

    /// The description of the error and its location, without a final period.
    public var description: String {
        "\(location.shorthand): \(number.literal) has no canonical form because it exceeds the range of a double; "
            + "write it as a string"
    }
}
