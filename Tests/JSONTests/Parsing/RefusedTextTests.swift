import JSON
import Testing

/// Tests of texts that no parser may accept, and of optional ones that this parser rejects (RFC 8259).
struct RefusedTextTests {
    static let arrays: [GrammarCase] = [
        GrammarCase("1 true without comma", "[1 true]"), GrammarCase("invalid utf-8", bytes: [0x5B, 0x61, 0xE5, 0x5D]),
        GrammarCase("colon instead of comma", "[\"\": 1]"), GrammarCase("comma after close", "[\"\"],"),
        GrammarCase("comma and number", "[,1]"), GrammarCase("double comma", "[1,,2]"),
        GrammarCase("double extra comma", "[\"x\",,]"), GrammarCase("extra close", "[\"x\"]]"),
        GrammarCase("extra comma", "[\"\",]"), GrammarCase("incomplete", "[\"x\""),
        GrammarCase("incomplete invalid value", "[x"), GrammarCase("inner array no comma", "[3[4]]"),
        GrammarCase("items separated by semicolon", "[1:2]"), GrammarCase("just comma", "[,]"),
        GrammarCase("just minus", "[-]"), GrammarCase("missing value", "[   , \"\"]"),
        GrammarCase("newlines unclosed", "[\"a\",\n4\n,1,"), GrammarCase("number and comma", "[1,]"),
        GrammarCase("number and several commas", "[1,,]"),
        GrammarCase("spaces vertical tab formfeed", "[\"\u{B}a\"\\f]"),
        GrammarCase("star inside", "[*]"), GrammarCase("unclosed", "[\"\""),
        GrammarCase("unclosed trailing comma", "[1,"), GrammarCase("unclosed with new lines", "[1,\n1\n,1"),
        GrammarCase("unclosed with object inside", "[{}"), GrammarCase("incomplete false", "[fals]"),
        GrammarCase("incomplete null", "[nul]"), GrammarCase("incomplete true", "[tru]"),
        GrammarCase("multidigit number then 00", "123\u{0}"), GrammarCase("single space", " "),
        GrammarCase("no data", ""),
    ]

    static let numbers: [GrammarCase] =
        [
            "++1234", "+1", "+Inf", "-01", "-1.0.", "-2.", "-NaN", ".-1", ".2e-3", "0.1.2", "0.3e+", "0.3e", "0.e1",
            "0E+",
            "0E", "0e+", "0e", "1.0e+", "1.0e-", "1.0e", "1 000.0", "1eE2", "2.e+3", "2.e-3", "2.e3", "9.e+", "Inf",
            "NaN",
            "\u{FF11}", "1+2", "0x1", "0x42", "Infinity", "0e+-1", "-123.123foo", "123\u{E9}", "-Infinity", "-foo",
            "- 1",
            "-012", "-.123", "-1x", "1ea", "1.", ".123", "1.2a-3", "1.8011670033376514H-308", "012", "1_000", "0b1",
            "1f",
        ].map { GrammarCase("number \($0)", "[\($0)]") } + [
            GrammarCase("invalid utf-8 in bigger int", bytes: [0x5B, 0x31, 0x32, 0x33, 0xE5, 0x5D]),
            GrammarCase("invalid utf-8 in exponent", bytes: [0x5B, 0x31, 0x65, 0x31, 0xE5, 0x5D]),
            GrammarCase("invalid utf-8 in int", bytes: [0x5B, 0x30, 0xE5, 0x5D, 0x0A]),
            GrammarCase("real with invalid utf-8 after e", bytes: [0x5B, 0x31, 0x65, 0xE5, 0x5D]),
            GrammarCase("minus sign with trailing garbage", "[-foo]"), GrammarCase("lonely minus", "-"),
            GrammarCase("eight digits and a letter", "[0.12345678a]"),
            GrammarCase("digits and colons", "[0.1234567:8]"), GrammarCase("digits and slashes", "[0.1234567/8]"),
        ]

    static let objects: [GrammarCase] = [
        GrammarCase("bad value", "[\"x\", truth]"), GrammarCase("bracket key", "{[: \"x\"}\n"),
        GrammarCase("comma instead of colon", "{\"x\", null}"), GrammarCase("double colon", "{\"x\"::\"b\"}"),
        GrammarCase("emoji", "{\u{1F1E8}\u{1F1ED}}"), GrammarCase("garbage at end", "{\"a\":\"a\" 123}"),
        GrammarCase("key with single quotes", "{key: 'value'}"),
        GrammarCase(
            "lone continuation byte in key", bytes: [0x7B, 0x22, 0xB9, 0x22, 0x3A, 0x22, 0x30, 0x22, 0x2C, 0x7D]),
        GrammarCase("missing colon", "{\"a\" b}"), GrammarCase("missing key", "{:\"b\"}"),
        GrammarCase("missing semicolon", "{\"a\" \"b\"}"), GrammarCase("missing value", "{\"a\":"),
        GrammarCase("no colon", "{\"a\""), GrammarCase("non string key", "{1:1}"),
        GrammarCase("non string key but huge number", "{9999E9999:1}"),
        GrammarCase("repeated null null", "{null:null,null:null}"),
        GrammarCase("several trailing commas", "{\"id\":0,,,,,}"),
        GrammarCase("single quote", "{'a':0}"), GrammarCase("trailing comma", "{\"id\":0,}"),
        GrammarCase("trailing comment", "{\"a\":\"b\"}/**/"),
        GrammarCase("trailing comment open", "{\"a\":\"b\"}/**//"),
        GrammarCase("trailing comment slash", "{\"a\":\"b\"}//"),
        GrammarCase("trailing comment slash open", "{\"a\":\"b\"}/"),
        GrammarCase("two commas in a row", "{\"a\":\"b\",,\"c\":\"d\"}"), GrammarCase("unquoted key", "{a: \"b\"}"),
        GrammarCase("unterminated value", "{\"a\":\"a"),
        GrammarCase("with single string", "{ \"foo\" : \"bar\", \"a\" }"),
        GrammarCase("with trailing garbage", "{\"a\":\"b\"}#"), GrammarCase("comma first", "{,\"a\":1}"),
        GrammarCase("closed like an array", "{\"a\":1]"), GrammarCase("array closed like an object", "[1}"),
        GrammarCase("member in an array", "[\"a\":1]"), GrammarCase("element in an object", "{\"a\"}"),
    ]

    static let strings: [GrammarCase] =
        [
            "\\uD800\\", "\\uD800\\u", "\\uD800\\u1", "\\uD800\\u1x", "\\x00", "\\\\\\", "\\\t", "\\\u{1F300}", "\\",
            "\\u00A", "\\uD834\\uDd", "\\uD800\\uD800\\x", "\\a", "\\uqqqq", "a\u{0}a", "new\nline", "\t", "\\u\u{E9}",
            "\\uDADA", "\\uD888\\u1234", "\\uD800\\n", "\\uDd1ea", "\\uD800\\uD800\\n", "\\ud800", "\\ud800abc",
            "\\uDFAA",
            "\\U0041", "\\u+123", "\\u 123", "\\u-123", "\\'", "\\0", "\\v", "\\e", "\u{1F}", "\u{1}", "\r",
        ].map { GrammarCase("string \($0)", "[\"\($0)\"]") } + [
            GrammarCase("single quote", "['single quote']"), GrammarCase("single string no double quotes", "abc"),
            GrammarCase("single doublequote", "\""), GrammarCase("no quotes with bad escape", "[\\n]"),
            GrammarCase("leading uescaped thinspace", "[\\u0020\"asd\"]"),
            GrammarCase("with trailing garbage", "\"\"x"),
            GrammarCase("accentuated char no quotes", "[\u{E9}]"), GrammarCase("escaped emoji", "[\"\\\u{1F300}\"]"),
            GrammarCase("start escape unclosed", "[\"\\"), GrammarCase("unterminated with escape", "[\"\\\"]"),
        ]

    /// Strings that are not valid UTF-8.
    static let encodings: [GrammarCase] =
        ([
            ("invalid utf-8 after escape", [0x5C, 0x75, 0x30, 0x30, 0x36, 0x31, 0xE5]), ("invalid sequence", [0xFF]),
            ("lone continuation byte", [0x81]), ("UTF-8 surrogate U+D800", [0xED, 0xA0, 0x80]),
            ("UTF-8 surrogate U+DFFF", [0xED, 0xBF, 0xBF]), ("not in unicode range", [0xF4, 0xBF, 0xBF, 0xBF]),
            ("overlong sequence of 2 bytes", [0xC0, 0xAF]), ("overlong sequence of 3 bytes", [0xE0, 0x80, 0xAF]),
            ("overlong sequence of 4 bytes", [0xF0, 0x80, 0x80, 0xAF]), ("overlong null", [0xC0, 0x80]),
            ("overlong sequence of 6 bytes", [0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF]),
            ("overlong sequence of 6 bytes null", [0xFC, 0x80, 0x80, 0x80, 0x80, 0x80]),
            ("truncated utf-8", [0xE0, 0xFF]), ("iso latin 1", [0xE9]), ("5 bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
            ("truncated after 15 bytes", Array(repeating: 0x61, count: 15) + [0xE2, 0x82]),
            (
                "invalid among many characters",
                Array(repeating: 0x61, count: 100) + [0xC3] + Array(repeating: 0x61, count: 9)
            ),
            ("CESU-8", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]), ("F5", [0xF5, 0x80, 0x80, 0x80]),
        ] as [(String, [UInt8])]).flatMap { name, bytes in
            [
                GrammarCase(name, bytes: [0x5B, 0x22] + bytes + [0x22, 0x5D]),
                GrammarCase("\(name) in a name", bytes: [0x7B, 0x22] + bytes + [0x22, 0x3A, 0x30, 0x7D]),
            ]
        }

    static let structures: [GrammarCase] = [
        GrammarCase("angle bracket", "<.>"), GrammarCase("angle bracket null", "[<null>]"),
        GrammarCase("array trailing garbage", "[1]x"), GrammarCase("array with extra array close", "[1]]"),
        GrammarCase("array with unclosed string", "[\"asd]"), GrammarCase("ascii unicode identifier", "a\u{E5}"),
        GrammarCase("capitalized True", "[True]"), GrammarCase("close unopened array", "1]"),
        GrammarCase("comma instead of closing brace", "{\"x\": true,"), GrammarCase("double array", "[][]"),
        GrammarCase("end array", "]"), GrammarCase("incomplete UTF-8 BOM", bytes: [0xEF, 0xBB, 0x7B, 0x7D]),
        GrammarCase("lone invalid utf-8", bytes: [0xE5]), GrammarCase("lone open bracket", "["),
        GrammarCase("null byte outside string", "[\u{0}]"), GrammarCase("number with trailing garbage", "2@"),
        GrammarCase("object followed by closing object", "{}}"), GrammarCase("object unclosed no value", "{\"\":"),
        GrammarCase("object with comment", "{\"a\":/*comment*/\"b\"}"),
        GrammarCase("object with trailing garbage", "{\"a\": true} \"x\""), GrammarCase("open array apostrophe", "['"),
        GrammarCase("open array comma", "[,"), GrammarCase("open array open object", "[{"),
        GrammarCase("open array open string", "[\"a"), GrammarCase("open array string", "[\"a\""),
        GrammarCase("open object", "{"), GrammarCase("open object close array", "{]"),
        GrammarCase("open object comma", "{,"), GrammarCase("open object open array", "{["),
        GrammarCase("open object open string", "{\"a"), GrammarCase("open open", "[\"\\{[\"\\{[\"\\{[\"\\{"),
        GrammarCase("single eacute", bytes: [0xE9]), GrammarCase("single star", "*"),
        GrammarCase("trailing hash", "{\"a\":\"b\"}#{}"), GrammarCase("uescaped LF before string", "[\\u000A\"\"]"),
        GrammarCase("unclosed array", "[1"), GrammarCase("unclosed array partial null", "[ false, nul"),
        GrammarCase("unclosed array unfinished false", "[ true, fals"),
        GrammarCase("unclosed array unfinished true", "[ false, tru"),
        GrammarCase("unclosed object", "{\"asd\":\"asd\""),
        GrammarCase("U+2060 word joined", "[\u{2060}]"), GrammarCase("UTF8 BOM no data", "\u{FEFF}"),
        GrammarCase("UTF8 BOM before value", "\u{FEFF}{}"), GrammarCase("formfeed", "[\u{C}]"),
        GrammarCase("no-break space", "[\u{A0}]"), GrammarCase("words without space", "[nulltrue]"),
        GrammarCase("UTF-16 big endian", bytes: [0x00, 0x5B, 0x00, 0x5D]),
        GrammarCase("UTF-16 little endian", bytes: [0x5B, 0x00, 0x5D, 0x00]),
        GrammarCase("UTF-16 with byte order mark", bytes: [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00]),
        GrammarCase("100,000 opening arrays", String(repeating: "[", count: 100_000)),
        GrammarCase("50,000 open array object", String(repeating: "[{\"\":", count: 50_000)),
        GrammarCase(
            "100,000 arrays", String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)),
    ]

    @Test(arguments: arrays + numbers + objects + strings + encodings + structures)
    func isRefused(_ text: GrammarCase) throws {
        let error = try #require(throws: JSONParseError.self) { try JSONValue(parsing: text.text) }
        #expect(!error.message.isEmpty)
        #expect((0...text.text.count).contains(error.byteOffset))
        #expect(error.line >= 1)
        #expect(error.column >= 1)
    }
}
