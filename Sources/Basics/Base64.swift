/// Base64 encoding and decoding (RFC 4648, section 4).
package enum Base64 {
    /// The deviations from the standard form that a decoder accepts.
    package struct Leniency: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Missing padding.
        package static let withoutPadding = Leniency(rawValue: 1)
        /// Spaces, tabs and line breaks at any position, as in MIME.
        package static let whitespace = Leniency(rawValue: 2)
        /// `-` and `_` for `+` and `/` (RFC 4648, section 5), also mixed with them.
        package static let urlAlphabet = Leniency(rawValue: 4)
    }

    /// Encodes bytes, with padding and without line breaks.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let encoded: String? = bytes.withContiguousStorageIfAvailable(encodeBuffer)
        return encoded ?? Array(bytes).withUnsafeBufferPointer(encodeBuffer)
    }

    private static func encodeBuffer(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let padding = UInt8(ascii: "=")
        return alphabet.withUTF8Buffer { alphabet in
            String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
                var count = 0
                var index = 0
                while index < bytes.count {
                    let second = index + 1 < bytes.count ? bytes[index + 1] : 0
                    let third = index + 2 < bytes.count ? bytes[index + 2] : 0
                    let group = Int(bytes[index]) << 16 | Int(second) << 8 | Int(third)
                    text.initializeElement(at: count, to: alphabet[group >> 18 & 63])
                    text.initializeElement(at: count + 1, to: alphabet[group >> 12 & 63])
                    text.initializeElement(
                        at: count + 2, to: index + 1 < bytes.count ? alphabet[group >> 6 & 63] : padding)
                    text.initializeElement(at: count + 3, to: index + 2 < bytes.count ? alphabet[group & 63] : padding)
                    count += 4
                    index += 3
                }
                return count
            }
        }
    }

    /// Decodes bytes; returns nil for invalid Base64.
    ///
    /// Excess bits after the last byte are ignored.
    ///
    /// - Parameter leniency: The accepted deviations from the standard form.
    package static func decode(_ text: some Collection<UInt8>, allowing leniency: Leniency = []) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text {
            guard let value = value(of: byte, leniency) else {
                if byte == UInt8(ascii: "=") {
                    padding += 1
                } else if !leniency.contains(.whitespace) || !isSkipped(byte) {
                    return nil
                }
                continue
            }
            guard padding == 0 else { return nil }
            group = group << 6 | value
            digits += 1
            if digits % 4 == 0 {
                bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                bytes.append(UInt8(truncatingIfNeeded: group))
            }
        }
        let isUnpadded = padding == 0 && leniency.contains(.withoutPadding)
        switch digits % 4 {
        case 0 where padding == 0: break
        case 2 where padding == 2 || isUnpadded: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3 where padding == 1 || isUnpadded:
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        default: return nil
        }
        return bytes
    }

    @inline(__always)
    private static func value(of byte: UInt8, _ leniency: Leniency) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        case UInt8(ascii: "-") where leniency.contains(.urlAlphabet): 62
        case UInt8(ascii: "_") where leniency.contains(.urlAlphabet): 63
        default: nil
        }
    }

    private static func isSkipped(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
