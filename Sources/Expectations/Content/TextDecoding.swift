/// Decodes bytes of the charsets that APIs send; what is invalid becomes U+FFFD.
enum TextDecoding {
    /// The text of bytes.
    ///
    /// - Parameter charset: The charset's name in lower case; a name that is not known counts as UTF-8.
    static func text(_ bytes: [UInt8], charset: String?) -> String {
        switch charset {
        case "iso-8859-1", "latin1", "iso8859-1", "windows-1252", "cp1252":
            return decode(bytes) { $0 < 0x80 || $0 > 0x9F ? Unicode.Scalar($0) : windows1252($0) }
        case "us-ascii", "ascii":
            return decode(bytes) { $0 < 0x80 ? Unicode.Scalar($0) : "\u{FFFD}" }
        case "utf-16", "utf-16le", "utf-16be":
            return utf16(bytes, isBigEndian: charset != "utf-16le", honoursMark: charset == "utf-16")
        default:
            return String(decoding: withoutByteOrderMark(bytes), as: UTF8.self)
        }
    }

    /// Whether the charset is one that text is decoded by.
    static func isKnown(_ charset: String) -> Bool {
        switch charset {
        case "", "utf-8", "utf8", "us-ascii", "ascii": true
        default: !isUTF8(charset)
        }
    }

    /// Whether bytes of the charset are UTF-8, so that they can be parsed as they are.
    static func isUTF8(_ charset: String?) -> Bool {
        switch charset {
        case "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "latin1", "iso8859-1", "windows-1252", "cp1252": false
        default: true
        }
    }

    /// The bytes without a UTF-8 byte order mark.
    static func withoutByteOrderMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    }

    private static func decode(_ bytes: [UInt8], _ scalar: (UInt8) -> Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(scalar(byte)) }
        return String(scalars)
    }

    /// The scalar of a byte from 0x80 to 0x9F; as on the web, ISO 8859-1 is taken as Windows-1252.
    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        windows1252Table[Int(byte & 0x1F)]
    }

    private static let windows1252Table: [Unicode.Scalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
        "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]

    private static func utf16(_ bytes: [UInt8], isBigEndian: Bool, honoursMark: Bool) -> String {
        var isBigEndian = isBigEndian
        var bytes = bytes[...]
        if bytes.starts(with: [0xFE, 0xFF]), honoursMark || isBigEndian {
            isBigEndian = true
            bytes = bytes.dropFirst(2)
        } else if bytes.starts(with: [0xFF, 0xFE]), honoursMark || !isBigEndian {
            isBigEndian = false
            bytes = bytes.dropFirst(2)
        }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        var iterator = bytes.makeIterator()
        while let first = iterator.next() {
            guard let second = iterator.next() else {
                // Half a code unit: an unpaired surrogate decodes to U+FFFD.
                units.append(0xD800)
                break
            }
            units.append(isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first))
        }
        return String(decoding: units, as: UTF16.self)
    }
}
