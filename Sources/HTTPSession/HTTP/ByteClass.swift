/// Classes of bytes in HTTP messages and URLs, as tables of 256 bits.
enum ByteClass {
    /// A set of byte values.
    struct Set: Sendable {
        private var low: (UInt64, UInt64) = (0, 0)

        /// The ASCII letters and digits, and the bytes of `others`.
        init(alphanumericAnd others: StaticString) {
            for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { insert(byte) }
            for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { insert(byte) }
            for byte in UInt8(ascii: "a")...UInt8(ascii: "z") { insert(byte) }
            others.withUTF8Buffer { for byte in $0 { insert(byte) } }
        }

        private mutating func insert(_ byte: UInt8) {
            if byte < 64 {
                low.0 |= 1 << UInt64(byte)
            } else if byte < 128 {
                low.1 |= 1 << UInt64(byte - 64)
            }
        }

        /// Whether `byte` is in the set; bytes above 127 never are.
        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            if byte < 64 { return low.0 & (1 << UInt64(byte)) != 0 }
            if byte < 128 { return low.1 & (1 << UInt64(byte & 63)) != 0 }
            return false
        }
    }

    /// The bytes of a token (RFC 9110 section 5.6.2).
    static let token = Set(alphanumericAnd: "!#$%&'*+-.^_`|~")

    /// The bytes a path may hold as they are: pchar and "/" (RFC 3986 section 3.3), and brackets, which servers accept.
    static let path = Set(alphanumericAnd: "-._~!$&'()*+,;=:@/[]")

    /// The bytes a query or fragment may hold as they are (RFC 3986 section 3.4), and brackets, which servers accept.
    static let query = Set(alphanumericAnd: "-._~!$&'()*+,;=:@/?[]")

    /// The bytes of a registered name that this library connects to.
    static let host = Set(alphanumericAnd: "-._~")

    /// The bytes user information may hold as they are (RFC 3986 section 3.2.1).
    static let userInfo = Set(alphanumericAnd: "-._~!$&'()*+,;=:")

    /// Whether `string` is a non-empty token.
    static func isToken(_ string: String) -> Bool {
        let set = token
        return !string.isEmpty && string.utf8.allSatisfy { set.contains($0) }
    }

    /// Whether `string` may be a field value: no CR, LF or NUL (RFC 9110 section 5.5).
    static func isFieldValue(_ string: String) -> Bool {
        !string.utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 }
    }

    /// The value of a hexadecimal digit, or nil.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// `byte` in lower case if it is an ASCII letter.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 65 < 26 ? byte | 0x20 : byte
    }

    /// Whether two strings are equal when the case of ASCII letters is ignored.
    @inline(__always)
    static func equalIgnoringCase(_ first: String, _ second: String) -> Bool {
        guard first.utf8.count == second.utf8.count else { return false }
        // Most names come in the case that is asked for, and short strings are compared in two words.
        return first == second || differOnlyInCase(first, second)
    }

    private static func differOnlyInCase(_ first: String, _ second: String) -> Bool {
        var first = first
        var second = second
        return first.withUTF8 { first in
            second.withUTF8 { second in
                for index in first.indices where lowercased(first[index]) != lowercased(second[index]) { return false }
                return true
            }
        }
    }

    /// `bytes` as text: UTF-8 where that is valid, ISO 8859-1 otherwise, so that no byte is lost.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        if let string = String(validating: bytes, as: UTF8.self) { return string }
        var string = ""
        for byte in bytes { string.unicodeScalars.append(Unicode.Scalar(byte)) }
        return string
    }
}

/// Base 64 (RFC 4648 section 4).
enum Base64 {
    /// The text that stands for the bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        alphabet.withUTF8Buffer { alphabet in
            var index = 0
            while index < bytes.count {
                let second = index + 1 < bytes.count ? bytes[index + 1] : 0
                let third = index + 2 < bytes.count ? bytes[index + 2] : 0
                let group = Int(bytes[index]) << 16 | Int(second) << 8 | Int(third)
                result.append(alphabet[group >> 18 & 63])
                result.append(alphabet[group >> 12 & 63])
                result.append(index + 1 < bytes.count ? alphabet[group >> 6 & 63] : UInt8(ascii: "="))
                result.append(index + 2 < bytes.count ? alphabet[group & 63] : UInt8(ascii: "="))
                index += 3
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension Base64 {
    /// The bytes that a text stands for, padded as it must be; nil if it is not base 64.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group = 0
        var digits = 0
        var padding = 0
        for byte in text {
            let value: Int
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(byte) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = Int(byte) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte) + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="):
                padding += 1
                value = 0
            default: return nil
            }
            if padding > 0, byte != UInt8(ascii: "=") { return nil }
            group = group << 6 | value
            digits += 1
            if digits == 4 {
                guard padding < 3 else { return nil }
                let all = [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
                bytes.append(contentsOf: all.prefix(3 - padding))
                group = 0
                digits = 0
            }
        }
        return padding < 3 ? bytes : nil
    }
}

/// Percent-encoding of bytes in URLs (RFC 3986 section 2.1).
enum PercentEncoding {
    /// The bytes with each "%" and two digits replaced by the byte they stand for.
    static func decode(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = ByteClass.hexValue(bytes[index + 1]), let low = ByteClass.hexValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
