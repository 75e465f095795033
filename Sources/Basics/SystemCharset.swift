#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A charset that the system's `iconv` decodes.
///
/// The charsets are the legacy encodings of the WHATWG encoding standard, except those that are decoded here (UTF-16,
/// ISO-8859-1, windows-1252) and the user-defined one. Others are excluded, because rarely used converters are rarely
/// tested against hostile input.
package struct SystemCharset: Sendable, Hashable, CaseIterable {
    /// The name in the IANA registry.
    package let rawValue: String
    /// The name of the converter that is closest to the one of browsers.
    private let converterName: String

    /// An entry of the table of charsets.
    private struct Entry {
        let name: String
        let converter: String
        let aliases: [String]

        init(_ name: String, converter: String? = nil, aliases: [String] = []) {
            self.name = name
            self.converter = converter ?? name.uppercased()
            self.aliases = aliases
        }
    }

    /// The charsets, with those aliases from the WHATWG encoding standard that are in use.
    private static let entries = [
        Entry("Big5", converter: "BIG5-HKSCS", aliases: ["big5-hkscs", "cn-big5", "csbig5", "x-x-big5"]),
        Entry("EUC-JP", aliases: ["x-euc-jp", "cseucpkdfmtjapanese"]),
        Entry(
            "EUC-KR", converter: "UHC",
            aliases: ["cp949", "cseuckr", "korean", "ks_c_5601-1987", "ksc5601", "windows-949"]),
        Entry("GB18030"),
        Entry("GBK", converter: "GB18030", aliases: ["chinese", "cp936", "csgb2312", "gb2312", "gb_2312-80", "x-gbk"]),
        Entry("IBM866", aliases: ["866", "cp866", "csibm866"]),
        Entry("ISO-2022-JP", aliases: ["csiso2022jp"]),
        Entry("ISO-8859-2", aliases: ["l2", "latin2"]),
        Entry("ISO-8859-3", aliases: ["l3", "latin3"]),
        Entry("ISO-8859-4", aliases: ["l4", "latin4"]),
        Entry("ISO-8859-5", aliases: ["cyrillic"]),
        Entry("ISO-8859-6", aliases: ["arabic"]),
        Entry("ISO-8859-7", aliases: ["greek"]),
        Entry("ISO-8859-8", aliases: ["hebrew", "iso-8859-8-i", "logical"]),
        Entry("ISO-8859-9", converter: "CP1254", aliases: ["l5", "latin5"]),
        Entry("ISO-8859-10", aliases: ["l6", "latin6"]),
        Entry("ISO-8859-11", converter: "CP874", aliases: ["tis-620"]),
        Entry("ISO-8859-13"),
        Entry("ISO-8859-14"),
        Entry("ISO-8859-15", aliases: ["l9", "latin9", "latin-9"]),
        Entry("ISO-8859-16"),
        Entry("KOI8-R", aliases: ["cskoi8r", "koi", "koi8", "koi8_r"]),
        Entry("KOI8-U", aliases: ["koi8-ru"]),
        Entry("macintosh", aliases: ["csmacintosh", "mac", "x-mac-roman"]),
        Entry(
            "Shift_JIS", converter: "CP932",
            aliases: ["csshiftjis", "cp932", "ms932", "ms_kanji", "shift-jis", "sjis", "windows-31j", "x-sjis"]),
        Entry("windows-874", converter: "CP874", aliases: ["cp874", "dos-874"]),
        Entry("windows-1250"),
        Entry("windows-1251"),
        Entry("windows-1253"),
        Entry("windows-1254"),
        Entry("windows-1255"),
        Entry("windows-1256"),
        Entry("windows-1257"),
        Entry("windows-1258"),
        Entry("x-mac-cyrillic", converter: "MAC-CYRILLIC", aliases: ["x-mac-ukrainian"]),
    ]

    /// All charsets.
    package static var allCases: [SystemCharset] { entries.map(SystemCharset.init) }

    private init(_ entry: Entry) {
        rawValue = entry.name
        converterName = entry.converter
    }

    /// Creates a charset from its name in the IANA registry; returns nil for others.
    package init?(rawValue: String) {
        guard let charset = Self.charsets[rawValue.lowercased()], charset.rawValue == rawValue else { return nil }
        self = charset
    }

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

    /// The charsets by their names and aliases in lowercase.
    private static let charsets: [String: SystemCharset] = {
        var charsets: [String: SystemCharset] = [:]
        for entry in entries {
            for name in [entry.name.lowercased()] + entry.aliases { charsets[name] = SystemCharset(entry) }
        }
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
