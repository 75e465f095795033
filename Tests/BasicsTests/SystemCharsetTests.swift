import Testing

@testable import Basics

@Suite("Charsets of the system")
struct SystemCharsetTests {
    @Test("All charsets have a converter, and ASCII is the same in all of them", arguments: SystemCharset.allCases)
    func available(_ charset: SystemCharset) {
        #expect(charset.isAvailable)
        #expect(charset.decode(Array("Az 09\n".utf8)) == "Az 09\n")
        #expect(charset.decode([]) == "")
        #expect(SystemCharset(label: charset.rawValue.uppercased()) == charset)
    }

    @Test(
        "Text is decoded as in browsers",
        arguments: [
            ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B, 0x87, 0x40], "日本①"), ("x-sjis", [0xB1], "ｱ"),
            ("gb2312", [0xC4, 0xE3, 0xBA, 0xC3], "你好"), ("GB18030", [0x81, 0x30, 0x81, 0x30], "\u{80}"),
            ("big5", [0xA4, 0xA4, 0x88, 0x62], "中Ê̄"), ("EUC-JP", [0xC6, 0xFC], "日"),
            ("EUC-KR", [0xC7, 0xD1, 0xB1, 0xDB, 0x81, 0x41], "한글갂"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61], "日a"),
            ("latin2", [0xB1], "ą"), ("ISO_8859-5", [0xB0], "А"), ("iso-8859-15", [0xA4], "€"),
            ("iso-8859-9", [0xFD], "ı"), ("cp1250", [0x9C], "ś"), ("windows-1251", [0xCF, 0xF0], "Пр"),
            ("windows-1253", [0xE1], "α"), ("windows-1255", [0xE0], "א"), ("windows-1258", [0x61, 0xEC], "á"),
            ("KOI8-R", [0xF0], "П"), ("ibm866", [0x8F], "П"), ("macintosh", [0x8A], "ä"),
        ] as [(String, [UInt8], String)])
    func decoded(_ label: String, _ bytes: [UInt8], _ text: String) throws {
        let charset = try #require(SystemCharset(label: label))
        #expect(charset.decodeRepairing(bytes)?.unicodeScalars.map(\.value) == text.unicodeScalars.map(\.value))
    }

    @Test("Invalid bytes are an error, or each is replaced")
    func invalid() throws {
        let charset = try #require(SystemCharset(label: "shift_jis"))
        #expect(charset.decode([0x41, 0x93]) == nil)
        #expect(charset.decodeRepairing([0x41, 0x93]) == "A\u{FFFD}")
        #expect(charset.decode([0x41, 0xFF, 0x42]) == nil)
        #expect(charset.decodeRepairing([0x41, 0xFF, 0x42]) == "A\u{FFFD}B")
    }

    @Test("Any bytes can be decoded, and long texts are decoded as a whole", arguments: SystemCharset.allCases)
    func anything(_ charset: SystemCharset) {
        var random = SplitMix64(seed: 7)
        for _ in 0..<50 {
            let bytes = (0..<Int(random.next() % 60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(charset.decodeRepairing(bytes) != nil)
        }
        let text = String(repeating: "0123456789", count: 10_000)
        #expect(charset.decode(Array(text.utf8)) == text)
    }

    @Test(
        "Other names are unknown",
        arguments: ["", "utf-8", "utf-7", "ebcdic", "//IGNORE", "shift_jis//TRANSLIT", "char"])
    func unknown(_ label: String) {
        #expect(SystemCharset(label: label) == nil)
    }
}
