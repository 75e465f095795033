import Basics
import RegularExpressions

/// The formats with simple rules: UUIDs and JSON Pointers.
enum TokenFormats {
    /// Returns whether bytes are a UUID in the form 8-4-4-4-12 (RFC 9562, section 4).
    static func isUUID(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
            default: if !Hexadecimal.isDigit(byte) { return false }
            }
        }
        return true
    }

    /// Returns whether bytes are a JSON Pointer (RFC 6901, section 3).
    static func isJSONPointer(_ bytes: some Sequence<UInt8>) -> Bool {
        var isFirst = true
        var afterTilde = false
        for byte in bytes {
            if isFirst, byte != UInt8(ascii: "/") { return false }
            if afterTilde, byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") { return false }
            isFirst = false
            afterTilde = byte == UInt8(ascii: "~")
        }
        return !afterTilde
    }

    /// Returns whether bytes are a relative JSON Pointer (draft-bhutton-relative-json-pointer-00, section 3).
    static func isRelativeJSONPointer(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = ByteCursor(bytes)
        guard takeNumber(&cursor) else { return false }
        // Index manipulation: "+" or "-" and a positive number.
        if cursor.take("+") || cursor.take("-") {
            guard cursor.next != UInt8(ascii: "0"), takeNumber(&cursor) else { return false }
        }
        if cursor.take("#") { return cursor.isAtEnd }
        return isJSONPointer(bytes[cursor.position...])
    }

    /// Consumes a number without leading zeros.
    private static func takeNumber(_ cursor: inout ByteCursor) -> Bool {
        let isZero = cursor.next == UInt8(ascii: "0")
        let digits = cursor.skipDigits()
        return digits > 0 && !(isZero && digits > 1)
    }
}

/// The format of ECMA-262 patterns with the flag `u`. A correct pattern that is too large for the engine is valid.
enum RegexFormat {
    static func isPattern(_ text: String) -> Bool {
        do throws(RegularExpressionError) {
            _ = try RegularExpression(text, dialect: .ecmaScript)
            return true
        } catch {
            return error.isTooLarge
        }
    }
}
