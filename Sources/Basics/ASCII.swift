/// Character classes and operations for ASCII bytes in text protocols.
package enum ASCII {
    /// Returns whether a byte is `0` to `9`.
    @inlinable @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

    /// Returns whether a byte is a letter of either case.
    @inlinable @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") <= 25 }

    /// Returns whether a byte is a letter or a digit.
    @inlinable @inline(__always)
    package static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

    /// Returns whether a byte is a space or a tab: optional whitespace (RFC 9110, section 5.6.3).
    @inlinable @inline(__always)
    package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Returns whether a byte is a space, a tab or one of the line separators LF, VT, FF and CR.
    @inlinable @inline(__always)
    package static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 <= 4 }

    /// Returns whether a byte is unreserved in URIs: a letter, a digit or one of `-._~` (RFC 3986, section 2.3).
    @inlinable
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isAlphanumeric(byte)
        }
    }

    /// Returns whether a byte is a sub-delimiter of URIs (RFC 3986, section 2.2).
    @inlinable
    package static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Returns a letter in lowercase, and any other byte unchanged.
    @inlinable @inline(__always)
    package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

    /// Returns whether two strings are equal, ignoring the case of ASCII letters.
    @inlinable @inline(__always)
    package static func equalIgnoringCase(_ first: String, _ second: String) -> Bool {
        guard first.utf8.count == second.utf8.count else { return false }
        // Most names have the expected case, and short strings are compared as two words. Most others differ in their
        // first letter.
        if first == second { return true }
        guard let one = first.utf8.first, let other = second.utf8.first, (one ^ other) & 0xDF == 0 else { return false }
        return differOnlyInCase(first, second)
    }

    /// Returns whether two strings of the same length are equal, ignoring the case of ASCII letters.
    @usableFromInline
    static func differOnlyInCase(_ first: String, _ second: String) -> Bool {
        var first = first
        var second = second
        return first.withUTF8 { first in
            second.withUTF8 { second in
                for index in first.indices where lowercased(first[index]) != lowercased(second[index]) { return false }
                return true
            }
        }
    }

    /// Returns bytes without those at both ends that satisfy a predicate.
    ///
    /// - Parameter isTrimmed: The predicate for removed bytes; by default spaces and tabs.
    @inlinable
    package static func trimmed<Bytes: BidirectionalCollection<UInt8>>(
        _ bytes: Bytes, _ isTrimmed: (UInt8) -> Bool = isBlank
    ) -> Bytes.SubSequence {
        guard let first = bytes.firstIndex(where: { !isTrimmed($0) }),
            let last = bytes.lastIndex(where: { !isTrimmed($0) })
        else { return bytes[bytes.startIndex..<bytes.startIndex] }
        return bytes[first...last]
    }

    /// Returns a string without the ASCII bytes at both ends that satisfy a predicate.
    ///
    /// - Parameter isTrimmed: The predicate for removed bytes; by default spaces and tabs.
    @inlinable
    package static func trimmed(_ text: Substring, _ isTrimmed: (UInt8) -> Bool = isBlank) -> Substring {
        Substring(trimmed(text.utf8, isTrimmed))
    }

    /// Returns a decimal number, padded with leading zeros to a minimum number of digits.
    package static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, digits - text.utf8.count - (number < 0 ? 1 : 0)))
        return (number < 0 ? "-" : "") + zeros + text
    }
}
