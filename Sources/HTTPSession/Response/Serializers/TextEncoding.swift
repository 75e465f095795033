import Basics

/// A text encoding that the library can decode.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// UTF-8 (RFC 3629).
    case utf8 = "UTF-8"
    /// UTF-16, little-endian (RFC 2781).
    case utf16LittleEndian = "UTF-16LE"
    /// UTF-16, big-endian (RFC 2781).
    case utf16BigEndian = "UTF-16BE"
    /// ISO 8859-1, in which the value of each byte is its code point.
    case latin1 = "ISO-8859-1"
    /// ASCII.
    case ascii = "US-ASCII"
    /// Windows code page 1252, as defined by the WHATWG encoding standard.
    case windows1252 = "windows-1252"
    /// Big5, with the Hong Kong supplementary characters.
    case big5 = "Big5"
    /// EUC-JP, for Japanese.
    case eucJP = "EUC-JP"
    /// EUC-KR, for Korean, with the characters of Windows code page 949.
    case eucKR = "EUC-KR"
    /// GB 18030, for Chinese.
    case gb18030 = "GB18030"
    /// GBK, for simplified Chinese, which includes GB 2312.
    case gbk = "GBK"
    /// IBM code page 866, for Cyrillic.
    case ibm866 = "IBM866"
    /// ISO 2022-JP, for Japanese.
    case iso2022JP = "ISO-2022-JP"
    /// ISO 8859-2, for Central European languages.
    case latin2 = "ISO-8859-2"
    /// ISO 8859-3, for South European languages.
    case latin3 = "ISO-8859-3"
    /// ISO 8859-4, for North European languages.
    case latin4 = "ISO-8859-4"
    /// ISO 8859-5, for Cyrillic.
    case cyrillic = "ISO-8859-5"
    /// ISO 8859-6, for Arabic.
    case arabic = "ISO-8859-6"
    /// ISO 8859-7, for Greek.
    case greek = "ISO-8859-7"
    /// ISO 8859-8, for Hebrew.
    case hebrew = "ISO-8859-8"
    /// ISO 8859-9, for Turkish.
    case latin5 = "ISO-8859-9"
    /// ISO 8859-10, for Nordic languages.
    case latin6 = "ISO-8859-10"
    /// ISO 8859-11, for Thai.
    case thai = "ISO-8859-11"
    /// ISO 8859-13, for Baltic languages.
    case latin7 = "ISO-8859-13"
    /// ISO 8859-14, for Celtic languages.
    case latin8 = "ISO-8859-14"
    /// ISO 8859-15, for Western European languages with the euro sign.
    case latin9 = "ISO-8859-15"
    /// ISO 8859-16, for Southeast European languages.
    case latin10 = "ISO-8859-16"
    /// KOI8-R, for Russian.
    case koi8R = "KOI8-R"
    /// KOI8-U, for Ukrainian.
    case koi8U = "KOI8-U"
    /// Mac OS Roman.
    case macintosh = "macintosh"
    /// Shift_JIS, for Japanese, with the characters of Windows code page 932.
    case shiftJIS = "Shift_JIS"
    /// Windows code page 874, for Thai.
    case windows874 = "windows-874"
    /// Windows code page 1250, for Central European languages.
    case windows1250 = "windows-1250"
    /// Windows code page 1251, for Cyrillic.
    case windows1251 = "windows-1251"
    /// Windows code page 1253, for Greek.
    case windows1253 = "windows-1253"
    /// Windows code page 1254, for Turkish.
    case windows1254 = "windows-1254"
    /// Windows code page 1255, for Hebrew.
    case windows1255 = "windows-1255"
    /// Windows code page 1256, for Arabic.
    case windows1256 = "windows-1256"
    /// Windows code page 1257, for Baltic languages.
    case windows1257 = "windows-1257"
    /// Windows code page 1258, for Vietnamese.
    case windows1258 = "windows-1258"
    /// Mac OS Cyrillic.
    case macCyrillic = "x-mac-cyrillic"

    /// Creates an encoding from an IANA charset name or a common alias, in any case.
    /// - Parameter charset: The name.
    /// - Returns: Nil for a name that is unknown, or whose encoding the system's `iconv` does not support.
    public init?(charset: String) {
        switch charset.lowercased() {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "utf-16le", "utf-16", "utf16", "unicode", "ucs-2", "iso-10646-ucs-2": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "cp819", "ibm819": self = .latin1
        case "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us": self = .ascii
        case "windows-1252", "cp1252", "x-cp1252": self = .windows1252
        default:
            guard let system = SystemCharset(label: charset), system.isAvailable else { return nil }
            self.init(rawValue: system.rawValue)
        }
    }

    /// The charset whose text the system decodes; nil for an encoding that is decoded here.
    private var system: SystemCharset? { SystemCharset(rawValue: rawValue) }

    /// The name in the IANA registry.
    public var description: String { rawValue }

    /// The byte order mark of UTF-8.
    static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns the decoded string without a byte order mark, or nil if the bytes are invalid.
    public func decode(_ bytes: [UInt8]) -> String? {
        switch self {
        case .utf8: String(validating: bytes.dropFirst(bytes.starts(with: Self.utf8Mark) ? 3 : 0), as: UTF8.self)
        case .utf16LittleEndian, .utf16BigEndian:
            bytes.count.isMultiple(of: 2) ? String(validating: units(bytes), as: UTF16.self) : nil
        case .ascii: bytes.allSatisfy { $0 < 128 } ? String(decoding: bytes, as: UTF8.self) : nil
        case .latin1, .windows1252: decodeRepairing(bytes)
        default: system?.decode(bytes)
        }
    }

    /// Returns the decoded string without a byte order mark, with each invalid sequence replaced by U+FFFD.
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
        default:
            return system?.decodeRepairing(bytes) ?? TextEncoding.utf8.decodeRepairing(bytes)
        }
    }

    /// Returns the 16-bit code units without a byte order mark; an odd byte at the end is dropped.
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

/// The detection of the encoding of a text body.
struct TextDetection {
    /// The encoding that the body or its header declares.
    enum Found: Equatable {
        /// A known encoding.
        case encoding(TextEncoding)
        /// The name of an unknown encoding.
        case unknown(String)
    }

    /// The declared encoding; nil if there is none.
    let found: Found?
    /// Whether the content type implies UTF-8, as JSON does.
    let isUTF8ByDefinition: Bool

    /// Detects the encoding of a body with its `Content-Type`.
    init(_ body: [UInt8], contentType: String?) {
        let type = contentType.flatMap { MediaRange($0) }
        isUTF8ByDefinition = type?.isJSON ?? false
        if let mark = Self.mark(body) {
            found = .encoding(mark)
        } else if let charset = contentType.flatMap({ Self.charset(in: $0) }) {
            found = Self.found(charset, body)
        } else if let type, type.subtype == "xml" || type.subtype.hasSuffix("+xml") {
            found = Self.xmlEncoding(body)
        } else if type?.subtype == "html" {
            found = Self.htmlEncoding(body)
        } else {
            found = nil
        }
    }

    private static func found(_ name: String, _ body: [UInt8]) -> Found {
        TextEncoding(charset: name).map { .encoding($0) } ?? .unknown(name)
    }

    /// Returns the encoding that a byte order mark indicates.
    private static func mark(_ body: [UInt8]) -> TextEncoding? {
        if body.starts(with: TextEncoding.utf8Mark) { return .utf8 }
        if body.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
        if body.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        return nil
    }

    /// Returns the encoding of JSON that starts with an ASCII character and its zero byte (RFC 4627, section 3).
    static func jsonEncoding(_ body: [UInt8]) -> Found? {
        guard body.count >= 2 else { return nil }
        if body[0] == 0, body[1] != 0 { return .encoding(.utf16BigEndian) }
        if body[0] != 0, body[1] == 0 { return .encoding(.utf16LittleEndian) }
        return nil
    }

    /// Returns the value of the `charset` parameter (RFC 9110, section 8.3.1).
    static func charset(in contentType: String) -> String? {
        var rest = contentType.utf8[...]
        guard let first = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        rest = rest[first...]
        while rest.first == UInt8(ascii: ";") {
            rest = rest.dropFirst().drop { $0 == 32 || $0 == 9 }
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(name.count)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst()
            let value = parameterValue(&rest)
            if ASCII.equalIgnoringCase(ByteClass.text(Array(name)), "charset") {
                return value.isEmpty ? nil : ByteClass.text(value)
            }
        }
        return nil
    }

    /// Parses a token or quoted string, up to the next semicolon.
    private static func parameterValue(_ rest: inout Substring.UTF8View) -> [UInt8] {
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            let value = rest.popQuotedString()
            rest = rest.drop { $0 != UInt8(ascii: ";") }
            return value
        }
        var value = Array(rest.prefix { $0 != UInt8(ascii: ";") })
        rest = rest.dropFirst(value.count)
        while let last = value.last, ASCII.isBlank(last) { value.removeLast() }
        return value
    }

    // MARK: Encodings declared in the body

    /// Returns the encoding that an XML declaration names (XML 1.0, section 4.3.3).
    private static func xmlEncoding(_ body: [UInt8]) -> Found? {
        if let wide = jsonEncoding(body) { return wide }
        let start = body.prefix(256)
        guard start.starts(with: Array("<?xml".utf8)), let end = start.firstIndex(of: UInt8(ascii: ">")) else {
            return nil
        }
        return name(after: "encoding", in: start[..<end]).map { inSingleBytes(found($0, body)) }
    }

    /// Returns the encoding that a `meta` element in the first 1024 bytes names (HTML standard, prescan a byte stream).
    private static func htmlEncoding(_ body: [UInt8]) -> Found? {
        var rest = body.prefix(1024)
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            guard ASCII.equalIgnoringCase(ByteClass.text(rest.prefix(4)), "meta") else { continue }
            let element = rest.prefix { $0 != UInt8(ascii: ">") }
            if let charset = name(after: "charset", in: element) { return inSingleBytes(found(charset, body)) }
            rest = rest.dropFirst(element.count)
        }
        return nil
    }

    /// Replaces UTF-16 with UTF-8, because a declaration that was read byte by byte cannot be in UTF-16.
    private static func inSingleBytes(_ found: Found) -> Found {
        switch found {
        case .encoding(.utf16LittleEndian), .encoding(.utf16BigEndian): .encoding(.utf8)
        default: found
        }
    }

    /// Returns the word after `attribute=`, with or without quotes.
    private static func name(after attribute: StaticString, in bytes: ArraySlice<UInt8>) -> String? {
        let wanted = attribute.withUTF8Buffer { Array($0) }
        var rest = bytes
        while let first = rest.first {
            let candidate = rest.prefix(wanted.count)
            guard candidate.count == wanted.count else { return nil }
            guard ASCII.lowercased(first) == wanted[0],
                zip(candidate, wanted).allSatisfy({ ASCII.lowercased($0) == $1 })
            else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(wanted.count).drop { $0 <= 32 }
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop { $0 <= 32 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
            let word = rest.prefix { byte in
                byte > 32 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'") && byte != UInt8(ascii: ";")
                    && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
            }
            return word.isEmpty ? nil : ByteClass.text(word)
        }
        return nil
    }
}
