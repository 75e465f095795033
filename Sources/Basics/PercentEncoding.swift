/// Percent-encoding and percent-decoding (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Appends a byte as `%` and two uppercase digits.
    @inlinable @inline(__always)
    package static func append(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(Hexadecimal.digit(byte >> 4, uppercase: true))
        output.append(Hexadecimal.digit(byte & 15, uppercase: true))
    }

    /// Percent-encodes a string.
    ///
    /// - Parameter isKept: The predicate for bytes that are not encoded; by default the unreserved ones (RFC 3986,
    ///   section 2.3).
    @inlinable
    package static func encode(
        _ text: some StringProtocol, keeping isKept: (UInt8) -> Bool = ASCII.isUnreserved
    ) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) { result.append(byte) } else { append(byte, to: &result) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Percent-decodes bytes; a `%` without two digits is kept.
    ///
    /// - Parameter plusIsSpace: Whether `+` is a space, as in forms and their queries.
    package static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            if byte == UInt8(ascii: "%"), let (value, end) = escape(in: bytes, at: index) {
                result.append(value)
                index = end
            } else {
                result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return result
    }

    /// Percent-decodes a string; invalid UTF-8 becomes U+FFFD.
    ///
    /// - Parameter plusIsSpace: Whether `+` is a space, as in forms and their queries.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        return String(decoding: decode(text.utf8, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// Percent-decodes bytes to a string; invalid UTF-8 becomes U+FFFD.
    ///
    /// - Parameter plusIsSpace: Whether `+` is a space, as in forms and their queries.
    @inlinable
    package static func decodedText(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(decoding: decode(bytes, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// Calls a closure with each decoded name and value of a query or form such as `a=1&b=2`.
    ///
    /// Follows the WHATWG URL standard, section 5.1: a name without `=` has an empty value.
    package static func eachFormPair(of text: some StringProtocol, _ body: (_ name: String, _ value: String) -> Void) {
        for pair in Substring(text).utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let value = equals.map { pair[$0...].dropFirst() } ?? pair[pair.endIndex...]
            body(
                decodedText(pair[..<(equals ?? pair.endIndex)], plusIsSpace: true),
                decodedText(value, plusIsSpace: true))
        }
    }

    /// Percent-decodes a string; returns nil for a `%` without two digits or if the result is not UTF-8.
    package static func decodeStrictly(_ text: String) -> String? {
        let bytes = text.utf8
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            guard escape(in: bytes, at: bytes.index(after: index)) != nil else { return nil }
        }
        return String(validating: decode(bytes), as: UTF8.self)
    }

    /// Returns the byte of the two digits at a position, and the position after them.
    private static func escape<Bytes: Collection<UInt8>>(
        in bytes: Bytes, at index: Bytes.Index
    ) -> (byte: UInt8, end: Bytes.Index)? {
        guard index < bytes.endIndex, let high = Hexadecimal.value(of: bytes[index]) else { return nil }
        let next = bytes.index(after: index)
        guard next < bytes.endIndex, let low = Hexadecimal.value(of: bytes[next]) else { return nil }
        return (high << 4 | low, bytes.index(after: next))
    }
}
