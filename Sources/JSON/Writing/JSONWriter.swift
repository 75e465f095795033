/// Writes values as JSON text in UTF-8.
public struct JSONWriter: Sendable, Hashable {
    /// How values are written.
    public var format: JSONFormat

    /// Makes a writer.
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

    /// Appends `text` as a JSON string: only what must be escaped is, as briefly as possible (also RFC 8785 §3.2.2.2).
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

    /// Where the characters from `start` on that need no escape end, looked at eight bytes at a time.
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
    /// The value as JSON text, in one line unless `format` says otherwise.
    public func serialized(_ format: JSONFormat = .compact) -> String {
        String(decoding: serializedBytes(format), as: UTF8.self)
    }

    /// The value as JSON text in UTF-8, in one line unless `format` says otherwise.
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

/// How values are written: with or without line breaks, members in their own order or sorted.
public struct JSONFormat: Sendable, Hashable {
    /// How many spaces each level is indented by; nil writes everything in one line without spaces.
    public var indentation: Int?
    /// Whether members are written in the order of their names' code points.
    public var sortsMembers: Bool

    /// Makes a format.
    public init(indentation: Int? = nil, sortsMembers: Bool = false) {
        self.indentation = indentation
        self.sortsMembers = sortsMembers
    }

    /// One line without white space.
    public static let compact = JSONFormat()
    /// One member or element a line, indented by two spaces.
    public static let pretty = JSONFormat(indentation: 2)
    /// One line without white space, members sorted: equal values give equal texts if numbers are spelled alike.
    ///
    /// See ``JSONValue/canonicalBytes()`` for texts that do not depend on how numbers are spelled.
    public static let sorted = JSONFormat(sortsMembers: true)
    /// One member or element a line, indented by two spaces, members sorted.
    public static let prettySorted = JSONFormat(indentation: 2, sortsMembers: true)
}

/// Writes values in the canonical form of the JSON Canonicalization Scheme (RFC 8785).
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

    /// The text that ECMAScript gives a number (RFC 8785 §3.2.2.3, ECMA-262 Number::toString); nil for an infinite one.
    private static func literal(_ value: Double) -> String? {
        guard value.isFinite else { return nil }
        // The shortest digits that give the number back, as ECMAScript has them, in a notation of Swift's own.
        let literal = ExactDecimal(literal: value.description).literal
        guard let exponent = literal.utf8.firstIndex(of: UInt8(ascii: "e")) else { return literal }
        let digits = literal[literal.utf8.index(after: exponent)...]
        return digits.hasPrefix("-") ? literal : literal[..<exponent] + "e+" + digits
    }
}

extension JSONWriter {
    /// Writes one line without white space.
    static let compact = JSONWriter(.compact)
}

extension JSONValue {
    /// The value in canonical form (RFC 8785): members sorted by UTF-16 code units, numbers as ECMAScript writes doubles.
    ///
    /// Values that are equal as I-JSON (RFC 7493) have the same bytes, fit to be signed or compared. Numbers are rounded to
    /// the nearest `Double`, as RFC 8785 asks; what must not be rounded is written with ``JSONFormat/sorted``.
    ///
    /// - Throws: An error when a number is beyond the range of `Double`.
    public func canonicalBytes() throws(JSONCanonicalizationError) -> [UInt8] {
        var writer = CanonicalWriter()
        try writer.write(self)
        return writer.output
    }
}

/// Why a value has no canonical form: a number in it is beyond the range of `Double` (RFC 8785 §3.2.2.3).
public struct JSONCanonicalizationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place of the number.
    public let location: NormalizedPath
    /// The number.
    public let number: JSONNumber

    /// Makes an error.
    public init(location: NormalizedPath, number: JSONNumber) {
        self.location = location
        self.number = number
    }

    /// What is wrong and where, without a final full stop.
    public var description: String {
        "\(location.shorthand): \(number.literal) has no canonical form, for it is beyond the range of a double; "
            + "write it as a string"
    }
}
