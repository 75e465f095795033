/// Masks text that JSON allows in strings and libyaml rejects: escapes of surrogates, and characters such as U+007F.
///
/// Equal texts have equal masked forms, so the formatted text can still be compared with the original.
enum JSONMask {
    /// Returns JSON text with the rejected characters replaced; the numbers of bytes and characters stay the same.
    static func masked(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"):
                // JSON has escapes only in strings; \uD800 to \uDFFF are halves of surrogate pairs.
                if isSurrogate(bytes[index...].prefix(4)) { result[index] = UInt8(ascii: "_") }
                index += 2
                continue
            case 0x7F: result[index] = UInt8(ascii: "_")
            // U+0080 to U+009F become U+00A0 to U+00BF.
            case 0xC2: mask(&result, index + 1, where: 0x80...0x9F, adding: 0x20)
            // U+2028 and U+2029, which libyaml parses as line breaks.
            case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80:
                mask(&result, index + 2, where: 0xA8...0xA9, adding: 2)
            // U+FEFF.
            case 0xEF where index + 2 < bytes.count && bytes[index + 1] == 0xBB:
                mask(&result, index + 2, where: 0xBF...0xBF, adding: 0xFF)
            // U+FFFE and U+FFFF.
            case 0xEF where index + 2 < bytes.count && bytes[index + 1] == 0xBF:
                mask(&result, index + 2, where: 0xBE...0xBF, adding: 0xFE)
            default: break
            }
            index += 1
        }
        return result
    }

    private static func mask(
        _ bytes: inout [UInt8], _ index: Int, where range: ClosedRange<UInt8>, adding difference: UInt8
    ) {
        guard index < bytes.count, range.contains(bytes[index]) else { return }
        bytes[index] &+= difference
    }

    /// Returns whether an escape starts like that of a surrogate: `\uD8` to `\uDF`.
    private static func isSurrogate(_ escape: ArraySlice<UInt8>) -> Bool {
        guard escape.count == 4, let last = escape.last else { return false }
        return escape[escape.startIndex + 1] == UInt8(ascii: "u")
            && escape[escape.startIndex + 2] | 0x20 == UInt8(ascii: "d")
            && (last == UInt8(ascii: "8") || last == UInt8(ascii: "9")
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(last | 0x20))
    }
}
