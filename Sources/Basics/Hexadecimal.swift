/// Hexadecimal encoding and decoding (RFC 4648, section 8).
package enum Hexadecimal {
    /// Returns whether a byte is a hexadecimal digit in either case.
    @inlinable @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { value(of: byte) != nil }

    /// Returns the value of a digit in either case; nil for any other byte.
    @inlinable @inline(__always)
    package static func value(of digit: UInt8) -> UInt8? {
        if ASCII.isDigit(digit) { return digit - UInt8(ascii: "0") }
        let letter = (digit | 0x20) &- UInt8(ascii: "a")
        return letter <= 5 ? letter + 10 : nil
    }

    /// Returns the digit of a value below 16.
    @inlinable @inline(__always)
    package static func digit(_ value: UInt8, uppercase: Bool = false) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : (uppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")) + (value - 10)
    }

    /// Returns a hexadecimal number, padded with leading zeros to a minimum number of digits.
    package static func padded(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Encodes bytes as two digits each.
    package static func encode(_ bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            text.append(digit(byte >> 4, uppercase: uppercase))
            text.append(digit(byte & 15, uppercase: uppercase))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes pairs of digits; returns nil for any other text.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for byte in text {
            guard let value = value(of: byte) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }
}
