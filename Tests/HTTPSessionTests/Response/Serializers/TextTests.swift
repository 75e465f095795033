import Basics
import HTTPSession
import Testing

/// Tests of bodies decoded as text.
@Suite("Body text")
struct TextTests {
    /// Content type, bytes, and text.
    static let table: [(String?, [UInt8], String)] = [
        (nil, Array("é".utf8), "é"),
        ("text/plain", Array("é".utf8), "é"),
        ("text/plain", [0x41, 0xE9], "Aé"),
        (nil, [0xE9], "é"),
        ("text/plain; charset=utf-8", [0xEF, 0xBB, 0xBF, 0x41], "A"),
        ("text/plain; charset=UTF8", Array("日本".utf8), "日本"),
        ("text/plain; charset=\"utf-8\"", Array("é".utf8), "é"),
        ("text/plain; format=\"a;charset=x\"; CharSet=\"ISO-8859-1\"", [0xC3, 0xA9], "Ã©"),
        ("text/plain;charset=latin1 ; x=y", [0xE9, 0x80], "é\u{80}"),
        ("text/plain; charset=windows-1252", [0x80, 0x93, 0xE9, 0x94, 0x9F], "€“é”Ÿ"),
        ("text/plain; charset=Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
        ("text/html", Array("<meta charset=euc-kr>".utf8) + [0xC7, 0xD1, 0xB1, 0xDB], "<meta charset=euc-kr>한글"),
        ("text/plain; charset=us-ascii", Array("abc".utf8), "abc"),
        ("text/plain; charset=utf-16le", [0x3D, 0xD8, 0x00, 0xDE, 0x41, 0x00], "\u{1F600}A"),
        ("text/plain; charset=utf-16be", [0xD8, 0x3D, 0xDE, 0x00], "\u{1F600}"),
        ("text/plain; charset=utf-16", [0xFE, 0xFF, 0x00, 0x41], "A"),
        ("text/plain; charset=iso-8859-1", [0xFF, 0xFE, 0x41, 0x00], "A"),
        (
            "application/xml", Array("<?xml version='1.0' encoding='iso-8859-1'?><a>".utf8) + [0xE9],
            "<?xml version='1.0' encoding='iso-8859-1'?><a>é"
        ),
        (
            "application/atom+xml", Array("<?xml version=\"1.0\" encoding = \"UTF-16\"?>é".utf8),
            "<?xml version=\"1.0\" encoding = \"UTF-16\"?>é"
        ),
        ("text/xml; charset=utf-8", Array("<?xml encoding='iso-8859-1'?>é".utf8), "<?xml encoding='iso-8859-1'?>é"),
        ("text/xml", [0x3C, 0, 0x61, 0, 0x3E, 0], "<a>"),
        ("text/html", Array("<html><META charset=windows-1252>".utf8) + [0x80], "<html><META charset=windows-1252>€"),
        (
            "text/html",
            Array("<meta name=x><meta http-equiv=\"Content-Type\" content=\"text/html; charset=latin1\"/>".utf8) + [
                0xE9
            ],
            "<meta name=x><meta http-equiv=\"Content-Type\" content=\"text/html; charset=latin1\"/>é"
        ),
        ("text/html", Array("<p>charset=x".utf8), "<p>charset=x"),
        ("application/json", Array("\"é\"".utf8), "\"é\""),
    ]

    @Test("The encoding is taken from the byte order mark, the header, or the body", arguments: table.indices)
    func encodings(index: Int) throws {
        let (type, bytes, text) = Self.table[index]
        let response = try response(200, type.map { ["Content-Type": $0] } ?? [:], bytes)
        #expect(try response.string() == text)
    }

    /// Content type, bytes, error message, and repaired text.
    static let failures: [(String, [UInt8], String, String)] = [
        ("text/plain; charset=utf-8", [0x41, 0xE9], "the body is not valid UTF-8", "A\u{FFFD}"),
        ("text/plain; charset=ascii", [0x41, 0xE9], "the body is not valid US-ASCII", "A\u{FFFD}"),
        ("text/plain; charset=utf-16le", [0x41, 0, 0x42], "the body is not valid UTF-16LE", "A\u{FFFD}"),
        ("text/plain; charset=utf-16be", [0xD8, 0x00, 0, 0x41], "the body is not valid UTF-16BE", "\u{FFFD}A"),
        ("text/plain; charset=shift_jis", [0x41, 0x93], "the body is not valid Shift_JIS", "A\u{FFFD}"),
        ("text/plain; charset=ebcdic", [0x41], "unknown charset \"ebcdic\"", "A"),
        ("application/json", [0x22, 0xE9, 0x22], "the body is not valid UTF-8", "\"\u{FFFD}\""),
    ]

    @Test("Invalid bytes are an error, or are replaced on request", arguments: failures.indices)
    func invalid(index: Int) throws {
        let (type, bytes, message, repaired) = Self.failures[index]
        let response = try response(200, ["Content-Type": type], bytes)
        let error = #expect(throws: SessionError.self) { try response.string() }
        #expect(error?.message.contains(message) == true)
        #expect(try response.serialize(with: StringResponseSerializer(repairs: true)) == repaired)
    }

    @Test("Every charset of the system is an encoding")
    func systemCharsets() {
        for charset in SystemCharset.allCases {
            #expect(TextEncoding(rawValue: charset.rawValue) != nil)
            if charset.isAvailable { #expect(TextEncoding(charset: charset.rawValue)?.rawValue == charset.rawValue) }
        }
    }

    @Test("An encoding specified by the caller has priority, and the fallback is used last")
    func given() throws {
        let response = try response(200, ["Content-Type": "text/plain; charset=utf-8"], [0x80])
        #expect(try response.string(encoding: .windows1252) == "€")
        let bare = try HTTPSessionTests.response(200, [:], [0x80])
        #expect(try bare.serialize(with: StringResponseSerializer(fallback: .windows1252)) == "€")
        #expect(throws: SessionError.self) { try bare.serialize(with: StringResponseSerializer(fallback: nil)) }
    }
}
