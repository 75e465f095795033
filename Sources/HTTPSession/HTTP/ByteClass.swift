/// Character classes of HTTP messages and URLs, as 256-bit tables.
enum ByteClass {
    /// A set of byte values.
    struct Set: Sendable {
        private var low: (UInt64, UInt64) = (0, 0)

        /// Creates a set of the ASCII letters and digits plus the bytes of `others`.
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

        /// Returns whether `byte` is in the set; bytes above 127 never are.
        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            if byte < 64 { return low.0 & (1 << UInt64(byte)) != 0 }
            if byte < 128 { return low.1 & (1 << UInt64(byte & 63)) != 0 }
            return false
        }
    }

    /// The bytes of a token (RFC 9110, section 5.6.2).
    static let token = Set(alphanumericAnd: "!#$%&'*+-.^_`|~")

    /// The bytes that need no encoding in a path: pchar and "/" (RFC 3986, section 3.3), and brackets, which servers
    /// accept.
    static let path = Set(alphanumericAnd: "-._~!$&'()*+,;=:@/[]")

    /// The bytes that need no encoding in a query or fragment.
    ///
    /// These are the bytes of RFC 3986, section 3.4, and brackets, which servers accept.
    static let query = Set(alphanumericAnd: "-._~!$&'()*+,;=:@/?[]")

    /// The bytes of a registered name that this library accepts as a host.
    static let host = Set(alphanumericAnd: "-._~")

    /// The bytes that need no encoding in user information (RFC 3986, section 3.2.1).
    static let userInfo = Set(alphanumericAnd: "-._~!$&'()*+,;=:")

    /// Returns whether `string` is a valid, nonempty token.
    static func isToken(_ string: String) -> Bool {
        let set = token
        return !string.isEmpty && string.utf8.allSatisfy { set.contains($0) }
    }

    /// Returns whether `string` is a valid field value: it has no CR, LF or NUL (RFC 9110, section 5.5).
    static func isFieldValue(_ string: String) -> Bool {
        !string.utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 }
    }

    /// Returns `bytes` decoded as UTF-8 if that is valid, otherwise as ISO 8859-1, which loses no byte.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        if let string = String(validating: bytes, as: UTF8.self) { return string }
        var string = ""
        for byte in bytes { string.unicodeScalars.append(Unicode.Scalar(byte)) }
        return string
    }
}

extension Substring.UTF8View {
    /// Removes the rest of a quoted string (RFC 9110, section 5.6.4) and returns its value with escapes undone.
    ///
    /// The opening quotation mark must have been removed already.
    mutating func popQuotedString() -> [UInt8] {
        var value: [UInt8] = []
        while let byte = popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return value
    }
}
