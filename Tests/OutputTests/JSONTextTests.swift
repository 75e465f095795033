import JSON
import Testing

@testable import Output

struct JSONTextTests {
    private func text(_ style: JSONTextStyle, _ write: (inout JSONText) -> Void) -> String {
        var json = JSONText(style)
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// A string and its encodings for people, in a page, and in a record.
    static let texts: [(String, String, String, String)] = [
        ("", "", "", ""),
        ("Dune", "Dune", "Dune", "Dune"),
        (#"a "b" \"#, #"a \"b\" \\"#, #"a \"b\" \\"#, #"a \"b\" \\"#),
        ("\n\r\t\u{8}\u{C}", #"\n\r\t\b\f"#, #"\n\r\t\b\f"#, #"\n\r\t\b\f"#),
        ("\u{0}\u{1B}\u{1F}", #"\u0000\u001b\u001f"#, #"\u0000\u001b\u001f"#, #"\u0000\u001b\u001f"#),
        ("</script><!--", "</script><!--", #"\u003c/script>\u003c!--"#, "</script><!--"),
        ("渡辺 😀 é", "渡辺 😀 é", "渡辺 😀 é", "渡辺 😀 é"),
        ("渡\u{7F}", #"渡\u007f"#, "渡\u{7F}", "渡\u{7F}"),
        (
            "\u{85}\u{61C}\u{202E}\u{FEFF}", #"\u0085\u061c\u202e\ufeff"#, "\u{85}\u{61C}\u{202E}\u{FEFF}",
            "\u{85}\u{61C}\u{202E}\u{FEFF}"
        ),
        ("\u{A0}\u{2010}\u{FFFD}", "\u{A0}\u{2010}\u{FFFD}", "\u{A0}\u{2010}\u{FFFD}", "\u{A0}\u{2010}\u{FFFD}"),
    ]

    @Test(arguments: texts)
    func strings(_ text: String, _ visible: String, _ embedded: String, _ record: String) throws {
        // A character that is processed several bytes at a time may be at any position among them.
        for before in 0...9 {
            let plain = String(repeating: "x", count: before)
            for (style, expected) in [(.visible, visible), (.embedded, embedded), (.record, record)]
                as [(JSONTextStyle, String)]
            {
                let written = self.text(style) { $0.string(plain + text + "12345678") }
                #expect(written == "\"" + plain + expected + "12345678\"")
                #expect(try JSONValue(parsing: Array(written.utf8)) == .string(plain + text + "12345678"))
            }
        }
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 4, "abcd… (2 more bytes)"), ("aé", 2, "a… (2 more bytes)"),
        ("é", 0, "… (2 more bytes)"),
    ])
    func cutStrings(_ text: String, _ limit: Int, _ expected: String) {
        #expect(self.text(.visible) { $0.string(text, limit: limit) } == "\"" + expected + "\"")
        #expect(self.text(.embedded) { $0.string(text, limit: limit) } == "\"" + expected + "\"")
    }

    @Test func stringsOfARecordAreCutToALength() {
        let maximumLength = JSONTextStyle.maximumRecordedTextLength
        let whole = String(repeating: "a", count: maximumLength)
        #expect(text(.record) { $0.string(whole) } == "\"" + whole + "\"")
        #expect(text(.record) { $0.string(whole + "b") } == "\"" + whole.dropLast(3) + "…\"")
        #expect(text(.record) { $0.whole("text", whole + "b") } == "\"text\":\"" + whole + "b\"")
    }

    @Test(arguments: [
        (JSONTextStyle.visible, #"{"a\u007f":["<\u0085\"\n",1.50]}"#),
        (.embedded, "{\"a\u{7F}\":[\"\\u003c\u{85}\\\"\\n\",1.50]}"),
        (.record, "{\"a\u{7F}\":[\"<\u{85}\\\"\\n\",1.50]}"),
    ])
    func values(_ style: JSONTextStyle, _ expected: String) throws {
        let value = try JSONValue(parsing: Array("{ \"a\u{7F}\": [\"<\u{85}\\\"\\n\", 1.50] }".utf8))
        #expect(text(style) { $0.value(value) } == expected)
    }

    @Test func structure() {
        let written = text(.visible) { json in
            json.beginObject()
            json.beginArray("a")
            json.integer(-1)
            json.integer(Int?.none)
            json.boolean(true)
            json.string(String?.none)
            json.beginObject()
            json.endObject()
            json.endArray()
            json.key(7)
            json.beginArray()
            json.endArray()
            json.breakLineBeforeComma()
            json.key("b")
            json.null()
            json.breakLine()
            json.member("c", word: "d")
            json.beginObject("e")
            json.member("f", milliseconds: 1_020_999)
            json.endObject()
            json.endObject()
        }
        #expect(
            written == #"{"a":[-1,null,true,null,{}],"7":[]"# + "\n" + #","b":null,"# + "\n"
                + #""c":"d","e":{"f":1.02}}"#)
    }

    @Test(arguments: [
        (0, "0"), (9, "9"), (10, "10"), (-1, "-1"), (-10, "-10"), (1_234_567_890, "1234567890"),
        (Int64.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ])
    func wholeNumbers(_ number: Int64, _ expected: String) {
        #expect(text(.record) { $0.integer(number) } == expected)
    }

    @Test(arguments: [
        (0, "0"), (999, "0"), (1_000, "0.001"), (10_000, "0.01"), (100_000, "0.1"), (1_000_000, "1"),
        (12_345_678, "12.345"), (41_000_000, "41"), (41_070_000, "41.07"), (-5, "0"),
        (Int64.max, "9223372036854.775"),
    ])
    func milliseconds(_ nanoseconds: Int64, _ expected: String) {
        #expect(text(.visible) { $0.member("t", milliseconds: nanoseconds) } == "\"t\":" + expected)
    }

    @Test func pointsInTime() {
        var time = TimeText()
        var bytes: [UInt8] = []
        for milliseconds in [0, 7, 1_700_000_000_042, 1_700_000_000_999, 1_700_000_001_000, 951_782_399_999] as [Int64]
        {
            time.append(milliseconds, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                1970-01-01T00:00:00.000Z
                1970-01-01T00:00:00.007Z
                2023-11-14T22:13:20.042Z
                2023-11-14T22:13:20.999Z
                2023-11-14T22:13:21.000Z
                2000-02-28T23:59:59.999Z

                """)
    }

    @Test(arguments: [
        (0, "0.000"), (449_999, "0.000"), (500_000, "0.001"), (41_000_000, "0.041"), (61_234_567_890, "61.235"),
        (-5, "0.000"), (Int64.max, "9223372036.855"),
    ])
    func seconds(_ nanoseconds: Int64, _ expected: String) {
        var bytes: [UInt8] = []
        DecimalText.append(seconds: nanoseconds, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        #expect(DurationText.seconds(nanoseconds) == expected)
    }
}

struct JSONTextStyleTests {
    private static let characters = ["a", "\"", "\\", "<", "\u{7F}", "\u{0}", "\u{1F}", "\n", "é", "\u{85}", "✓", "😀"]

    private static func escaped(_ text: String, _ style: JSONTextStyle) -> String {
        var buffer = ByteBuffer()
        style.append(text, to: &buffer, limit: nil)
        return String(decoding: buffer.array.dropFirst().dropLast(), as: UTF8.self)
    }

    @Test(arguments: [JSONTextStyle.visible, .embedded, .record])
    func aCharacterIsEscapedWhereverItStands(_ style: JSONTextStyle) {
        for character in Self.characters {
            let alone = Self.escaped(character, style)
            for length in 0..<26 {
                for location in 0...length {
                    let (before, behind) = (
                        String(repeating: "x", count: location), String(repeating: "y", count: length - location)
                    )
                    #expect(Self.escaped(before + character + behind, style) == before + alone + behind)
                }
            }
        }
    }

    @Test(arguments: [JSONTextStyle.visible, .embedded, .record])
    func contentIsTheStringWithoutItsMarks(_ style: JSONTextStyle) {
        for text in ["", "a", "plain and long enough for two words", "a\"b", #"{"id": 1, "title": "Dune"}"#, "\u{1B}"] {
            var buffer = ByteBuffer()
            style.append(content: text, to: &buffer)
            #expect(String(decoding: buffer.array, as: UTF8.self) == Self.escaped(text, style))
        }
    }

    @Test func longTextsOfWhichMuchIsEscaped() {
        let text = String(repeating: "\"ab\\c\u{2028}é\u{1}", count: 2_000)
        let one = Self.escaped("\"ab\\c\u{2028}é\u{1}", .visible)
        #expect(Self.escaped(text, .visible) == String(repeating: one, count: 2_000))
    }
}
