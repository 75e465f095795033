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
        write(value, into: &output, level: 0)
    }

    /// Appends `text` as a JSON string with its quotation marks to `output`.
    public func write(string text: String, into output: inout [UInt8]) {
        var text = text
        output.append(UInt8(ascii: "\""))
        text.withUTF8 { bytes in
            var start = 0
            for index in bytes.indices {
                let byte = bytes[index]
                if byte >= 0x20, byte != 0x22, byte != 0x5C { continue }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                writeEscape(byte, into: &output)
                start = index + 1
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        output.append(UInt8(ascii: "\""))
    }

    private func write(_ value: JSONValue, into output: inout [UInt8], level: Int) {
        switch value {
        case .null:
            output.append(contentsOf: "null".utf8)
        case .bool(let value):
            output.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .number(let number):
            write(number, into: &output)
        case .string(let text):
            write(string: text, into: &output)
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
            output.append(UInt8(ascii: "{"))
            for index in object.indices {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                breakLine(into: &output, level: level + 1)
                let member = object[index]
                write(string: member.key, into: &output)
                output.append(UInt8(ascii: ":"))
                if format.indentation != nil { output.append(UInt8(ascii: " ")) }
                write(member.value, into: &output, level: level + 1)
            }
            if !object.isEmpty { breakLine(into: &output, level: level) }
            output.append(UInt8(ascii: "}"))
        }
    }

    @inline(__always)
    private func write(_ number: JSONNumber, into output: inout [UInt8]) {
        if let digit = number.smallInteger, digit >= 0, digit <= 9 {
            output.append(UInt8(ascii: "0") + UInt8(digit))
        } else {
            output.append(contentsOf: number.literal.utf8)
        }
    }

    @inline(__always)
    private func breakLine(into output: inout [UInt8], level: Int) {
        guard let indentation = format.indentation else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, indentation) * level))
    }

    private func writeEscape(_ byte: UInt8, into output: inout [UInt8]) {
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
