#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A charset that the system's `iconv` decodes, which is called only when a text needs it.
///
/// These are the legacy encodings of the WHATWG encoding standard without those that are decoded here (UTF-16,
/// ISO-8859-1, windows-1252) and the user-defined one. All others are excluded, because converters that hardly anyone
/// uses are hardly tested against hostile input.
package enum SystemCharset: String, Sendable, Hashable, CaseIterable {
    /// Big5, with the Hong Kong supplementary characters.
    case big5 = "Big5"
    /// EUC-JP, for Japanese.
    case eucJP = "EUC-JP"
    /// EUC-KR, for Korean, with the characters of Windows code page 949.
    case eucKR = "EUC-KR"
    /// GB 18030, for Chinese.
    case gb18030 = "GB18030"
    /// GBK, for simplified Chinese; GB 2312 is a part of it.
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

    /// Creates a charset from its name or a common alias, in any case; returns nil for others.
    package init?(label: String) {
        guard label.utf8.count <= 20, let charset = Self.charsets[label.lowercased()] else { return nil }
        self = charset
    }

    /// Whether the system has a converter for the charset.
    package var isAvailable: Bool {
        #if canImport(Glibc) || canImport(Musl)
        return Converter(from: converterName) != nil
        #else
        return false
        #endif
    }

    /// Returns the decoded text; nil if the bytes are invalid, or if the system has no converter for the charset.
    package func decode(_ bytes: some Collection<UInt8>) -> String? { decode(Array(bytes), repairs: false) }

    /// Returns the decoded text, with each invalid sequence replaced by U+FFFD.
    ///
    /// - Returns: The text; nil if the system has no converter for the charset.
    package func decodeRepairing(_ bytes: some Collection<UInt8>) -> String? { decode(Array(bytes), repairs: true) }

    private func decode(_ bytes: [UInt8], repairs: Bool) -> String? {
        #if canImport(Glibc) || canImport(Musl)
        return Converter(from: converterName)?.text(bytes, repairs: repairs)
        #else
        return nil
        #endif
    }

    /// The name of the converter, which is the closest to the one of browsers.
    private var converterName: String {
        switch self {
        case .big5: "BIG5-HKSCS"
        case .eucKR: "UHC"
        case .gbk: "GB18030"
        case .shiftJIS: "CP932"
        case .thai, .windows874: "CP874"
        case .latin5: "CP1254"
        case .macCyrillic: "MAC-CYRILLIC"
        default: rawValue.uppercased()
        }
    }

    /// The charsets by their names and aliases in lowercase.
    private static let charsets: [String: SystemCharset] = {
        var charsets: [String: SystemCharset] = [:]
        for charset in allCases { charsets[charset.rawValue.lowercased()] = charset }
        for (charset, names) in aliases { for name in names { charsets[name] = charset } }
        for part in 2...16 where part != 12 {
            guard let charset = charsets["iso-8859-\(part)"] else { continue }
            for name in ["iso8859-\(part)", "iso_8859-\(part)", "iso8859\(part)"] { charsets[name] = charset }
        }
        for page in 1250...1258 {
            guard let charset = charsets["windows-\(page)"] else { continue }
            for name in ["cp\(page)", "x-cp\(page)"] { charsets[name] = charset }
        }
        return charsets
    }()

    /// Aliases from the WHATWG encoding standard, as far as they are in use.
    private static let aliases: [(SystemCharset, [String])] = [
        (.big5, ["big5-hkscs", "cn-big5", "csbig5", "x-x-big5"]),
        (.eucJP, ["x-euc-jp", "cseucpkdfmtjapanese"]),
        (.eucKR, ["cp949", "cseuckr", "korean", "ks_c_5601-1987", "ksc5601", "windows-949"]),
        (.gbk, ["chinese", "cp936", "csgb2312", "gb2312", "gb_2312-80", "x-gbk"]),
        (.ibm866, ["866", "cp866", "csibm866"]),
        (.iso2022JP, ["csiso2022jp"]),
        (.latin2, ["l2", "latin2"]), (.latin3, ["l3", "latin3"]), (.latin4, ["l4", "latin4"]),
        (.cyrillic, ["cyrillic"]), (.arabic, ["arabic"]), (.greek, ["greek"]),
        (.hebrew, ["hebrew", "iso-8859-8-i", "logical"]),
        (.latin5, ["l5", "latin5"]), (.latin6, ["l6", "latin6"]), (.latin9, ["l9", "latin9", "latin-9"]),
        (.thai, ["tis-620"]),
        (.koi8R, ["cskoi8r", "koi", "koi8", "koi8_r"]), (.koi8U, ["koi8-ru"]),
        (.macintosh, ["csmacintosh", "mac", "x-mac-roman"]),
        (.shiftJIS, ["csshiftjis", "cp932", "ms932", "ms_kanji", "shift-jis", "sjis", "windows-31j", "x-sjis"]),
        (.windows874, ["cp874", "dos-874"]), (.macCyrillic, ["x-mac-ukrainian"]),
    ]
}

#if canImport(Glibc) || canImport(Musl)
/// A converter from a charset to UTF-8.
private struct Converter: ~Copyable {
    private let handle: iconv_t

    /// Returns nil if the system has no converter.
    init?(from charset: String) {
        guard let handle = iconv_open("UTF-8", charset), Int(bitPattern: handle) != -1 else { return nil }
        self.handle = handle
    }

    deinit { iconv_close(handle) }

    /// Returns the text of bytes; nil if they are invalid and not repaired.
    consuming func text(_ bytes: [UInt8], repairs: Bool) -> String? {
        // iconv does not write to its input, although its parameter is mutable.
        var bytes = bytes
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 2)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { room.deallocate() }
        let isDecoded = bytes.withUnsafeMutableBytes { input in
            var rest = input[...]
            while !rest.isEmpty {
                switch run(&rest, room, into: &output) {
                case 0, E2BIG: break
                // A character that is truncated at the end.
                case EINVAL where repairs:
                    output += "\u{FFFD}".utf8
                    rest = rest[rest.endIndex...]
                case EILSEQ where repairs:
                    output += "\u{FFFD}".utf8
                    rest = rest.dropFirst()
                default: return false
                }
            }
            // Some converters keep a character until they know that no combining character follows.
            var nothing = rest
            return run(&nothing, room, into: &output) == 0
        }
        return isDecoded ? String(decoding: output, as: UTF8.self) : nil
    }

    /// Calls iconv once and returns its error code, or 0. Without input, writes the bytes that it has kept.
    private borrowing func run(
        _ rest: inout Slice<UnsafeMutableRawBufferPointer>, _ room: UnsafeMutableRawBufferPointer,
        into output: inout [UInt8]
    ) -> CInt {
        let input = UnsafeMutableRawBufferPointer(rebasing: rest)
        var next = input.isEmpty ? nil : input.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = input.count
        var target = room.baseAddress?.assumingMemoryBound(to: CChar.self)
        var free = room.count
        let status =
            input.isEmpty
            ? iconv(handle, nil, nil, &target, &free) : iconv(handle, &next, &left, &target, &free)
        let code = status == -1 ? errno : 0
        output.append(contentsOf: room[..<(room.count - free)])
        rest = rest.dropFirst(input.count - left)
        return code
    }
}
#endif
