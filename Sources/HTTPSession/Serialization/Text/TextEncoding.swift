/// An encoding of text in bytes that this library reads.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// UTF-8 (RFC 3629).
    case utf8 = "UTF-8"
    /// UTF-16, the less significant byte first (RFC 2781).
    case utf16LittleEndian = "UTF-16LE"
    /// UTF-16, the more significant byte first (RFC 2781).
    case utf16BigEndian = "UTF-16BE"
    /// ISO 8859-1, each byte the code point of its value.
    case latin1 = "ISO-8859-1"
    /// ASCII.
    case ascii = "US-ASCII"
    /// Windows code page 1252, as the WHATWG encoding standard has it.
    case windows1252 = "windows-1252"

    /// The encoding of an IANA charset name or one of its common aliases, in any case; nil for others.
    public init?(charset: String) {
        switch charset.lowercased() {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "utf-16le", "utf-16", "utf16", "unicode", "ucs-2", "iso-10646-ucs-2": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "cp819", "ibm819": self = .latin1
        case "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us": self = .ascii
        case "windows-1252", "cp1252", "x-cp1252": self = .windows1252
        default: return nil
        }
    }

    /// The name in IANA's registry.
    public var description: String { rawValue }

    /// The byte order mark of UTF-8.
    static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text of bytes without a byte order mark, or nil if they are invalid.
    public func decode(_ bytes: [UInt8]) -> String? {
        switch self {
        case .utf8: String(validating: bytes.dropFirst(bytes.starts(with: Self.utf8Mark) ? 3 : 0), as: UTF8.self)
        case .utf16LittleEndian, .utf16BigEndian:
            bytes.count.isMultiple(of: 2) ? String(validating: units(bytes), as: UTF16.self) : nil
        case .ascii: bytes.allSatisfy { $0 < 128 } ? String(decoding: bytes, as: UTF8.self) : nil
        case .latin1, .windows1252: decodeRepairing(bytes)
        }
    }

    /// The text of bytes without a byte order mark, each invalid sequence as U+FFFD.
    public func decodeRepairing(_ bytes: [UInt8]) -> String {
        switch self {
        case .utf8:
            return String(decoding: bytes.dropFirst(bytes.starts(with: Self.utf8Mark) ? 3 : 0), as: UTF8.self)
        case .utf16LittleEndian, .utf16BigEndian:
            let text = String(decoding: units(bytes), as: UTF16.self)
            return bytes.count.isMultiple(of: 2) ? text : text + "\u{FFFD}"
        case .ascii:
            return String(decoding: bytes.map { $0 < 128 ? UInt16($0) : 0xFFFD }, as: UTF16.self)
        case .latin1:
            return String(decoding: bytes.map(UInt16.init), as: UTF16.self)
        case .windows1252:
            let upper = Self.windowsUnits
            return String(
                decoding: bytes.map { 0x80..<0xA0 ~= $0 ? upper[Int($0) - 0x80] : UInt16($0) }, as: UTF16.self)
        }
    }

    /// The 16-bit units without a byte order mark; an odd byte at the end is left out.
    private func units(_ bytes: [UInt8]) -> [UInt16] {
        let high = self == .utf16BigEndian ? 0 : 1
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = 0
        while index + 1 < bytes.count {
            units.append(UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high]))
            index += 2
        }
        if units.first == 0xFEFF { units.removeFirst() }
        return units
    }

    /// The characters of the bytes 0x80 to 0x9F in code page 1252 (WHATWG encoding standard, index windows-1252).
    private static let windowsUnits: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
        0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x009D, 0x017E, 0x0178,
    ]
}
