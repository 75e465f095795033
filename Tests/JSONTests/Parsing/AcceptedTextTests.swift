import JSON
import Testing

/// Tests of texts that every parser must accept, and of optional ones that this parser accepts (RFC 8259).
struct AcceptedTextTests {
    static let arrays: [GrammarCase] = [
        GrammarCase("arrays with spaces", "[[]   ]"), GrammarCase("empty string", "[\"\"]"), GrammarCase("empty", "[]"),
        GrammarCase("ending with newline", "[\"a\"]"), GrammarCase("false", "[false]"),
        GrammarCase("heterogeneous", "[null, 1, \"1\", {}]"), GrammarCase("null", "[null]"),
        GrammarCase("with 1 and newline", "[1\n]"), GrammarCase("with leading space", " [1]"),
        GrammarCase("with several null", "[1,null,null,null,2]"), GrammarCase("with trailing space", "[2] "),
        GrammarCase("lonely false", "false"), GrammarCase("lonely int", "42"), GrammarCase("lonely negative", "-0.1"),
        GrammarCase("lonely null", "null"), GrammarCase("lonely string", "\"asd\""), GrammarCase("lonely true", "true"),
        GrammarCase("string empty", "\"\""), GrammarCase("trailing newline", "[\"a\"]\n"),
        GrammarCase("true in array", "[true]"), GrammarCase("whitespace array", " [] "),
        GrammarCase("all whitespace", " \t\r\n[ \t\r\n] \t\r\n"),
        GrammarCase("much whitespace", String(repeating: " ", count: 37) + "1" + String(repeating: "\n ", count: 21)),
    ]

    static let numbers: [GrammarCase] = [
        GrammarCase("number", "[123e65]"), GrammarCase("0e+1", "[0e+1]"), GrammarCase("0e1", "[0e1]"),
        GrammarCase("after space", "[ 4]"),
        GrammarCase("close to zero", "[-0." + String(repeating: "0", count: 77) + "1]"),
        GrammarCase("int with exp", "[20e1]"), GrammarCase("minus zero", "[-0]"), GrammarCase("negative int", "[-123]"),
        GrammarCase("negative one", "[-1]"), GrammarCase("real capital e", "[1E22]"),
        GrammarCase("real capital e neg exp", "[1E-2]"), GrammarCase("real capital e pos exp", "[1E+2]"),
        GrammarCase("real exponent", "[123e45]"), GrammarCase("real fraction exponent", "[123.456e78]"),
        GrammarCase("real neg exp", "[1e-2]"), GrammarCase("real pos exponent", "[1e+2]"),
        GrammarCase("simple int", "[123]"), GrammarCase("simple real", "[123.456789]"),
        GrammarCase("double huge neg exp", "[123.456e-789]"), GrammarCase("huge exp", "[0.4e00669999999999999999999]"),
        GrammarCase("neg int huge exp", "[-1e+9999]"), GrammarCase("pos double huge exp", "[1.5e+9999]"),
        GrammarCase("real neg overflow", "[-123123e100000]"), GrammarCase("real pos overflow", "[123123e100000]"),
        GrammarCase("real underflow", "[123e-10000000]"),
        GrammarCase("too big neg int", "[-123123123123123123123123123123]"),
        GrammarCase("too big pos int", "[100000000000000000000]"),
        GrammarCase("very big negative int", "[-237462374673276894279832749832423479823246327846]"),
    ]

    static let objects: [GrammarCase] = [
        GrammarCase("basic", "{\"asd\":\"sdf\"}"), GrammarCase("two", "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}"),
        GrammarCase("duplicated key", "{\"a\":\"b\",\"a\":\"c\"}"),
        GrammarCase("duplicated key and value", "{\"a\":\"b\",\"a\":\"b\"}"), GrammarCase("empty", "{}"),
        GrammarCase("empty key", "{\"\":0}"), GrammarCase("escaped null in key", "{\"foo\\u0000bar\": 42}"),
        GrammarCase("extreme numbers", "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }"),
        GrammarCase("long strings", "{\"x\":[{\"id\": \"\(String(repeating: "x", count: 40))\"}], \"id\": \"x\"}"),
        GrammarCase("simple", "{\"a\":[]}"),
        GrammarCase("string unicode", "{\"title\":\"\\u041f\\u043e\\u043b\\u0442\\u043e\\u0440\\u0430\"}"),
        GrammarCase("with newlines", "{\n\"a\": \"b\"\n}"), GrammarCase("space before colon", "{\"a\" \t\r\n:1}"),
    ]

    static let strings: [GrammarCase] = [
        GrammarCase("1 2 3 bytes UTF-8 sequences", "[\"\\u0060\\u012a\\u12AB\"]"),
        GrammarCase("accepted surrogate pair", "[\"\\uD801\\udc37\"]"),
        GrammarCase("accepted surrogate pairs", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]"),
        GrammarCase("allowed escapes", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"),
        GrammarCase("backslash and u escaped zero", "[\"\\\\u0000\"]"),
        GrammarCase("backslash doublequotes", "[\"\\\"\"]"), GrammarCase("comments", "[\"a/*b*/c/*d//e\"]"),
        GrammarCase("double escape a", "[\"\\\\a\"]"), GrammarCase("double escape n", "[\"\\\\n\"]"),
        GrammarCase("escaped control character", "[\"\\u0012\"]"),
        GrammarCase("escaped noncharacter", "[\"\\uFFFF\"]"), GrammarCase("in array", "[\"asd\"]"),
        GrammarCase("in array with leading space", "[ \"asd\"]"),
        GrammarCase("last surrogates 1 and 2", "[\"\\uDBFF\\uDFFF\"]"),
        GrammarCase("nbsp uescaped", "[\"new\\u00A0line\"]"),
        GrammarCase("noncharacter U+10FFFF", bytes: [0x5B, 0x22, 0xF4, 0x8F, 0xBF, 0xBF, 0x22, 0x5D]),
        GrammarCase("noncharacter U+FFFF", bytes: [0x5B, 0x22, 0xEF, 0xBF, 0xBF, 0x22, 0x5D]),
        GrammarCase("null escape", "[\"\\u0000\"]"), GrammarCase("one byte utf-8", "[\"\\u002c\"]"),
        GrammarCase("pi", "[\"\u{3C0}\"]"), GrammarCase("reserved character", "[\"\u{1BFFF}\"]"),
        GrammarCase("simple ascii", "[\"asd \"]"), GrammarCase("space", "\" \""),
        GrammarCase("surrogates U+1D11E", "[\"\\uD834\\uDd1e\"]"), GrammarCase("three byte utf-8", "[\"\\u0821\"]"),
        GrammarCase("two byte utf-8", "[\"\\u0123\"]"), GrammarCase("U+2028", "[\"\u{2028}\"]"),
        GrammarCase("U+2029", "[\"\u{2029}\"]"), GrammarCase("uEscape", "[\"\\u0061\\u30af\\u30EA\\u30b9\"]"),
        GrammarCase("uescaped newline", "[\"new\\u000Aline\"]"), GrammarCase("unescaped DEL", "[\"\u{7F}\"]"),
        GrammarCase("unicode", "[\"\\uA66D\"]"), GrammarCase("escaped backslash", "[\"\\u005C\"]"),
        GrammarCase("escaped double quote", "[\"\\u0022\"]"), GrammarCase("U+200B", "[\"\\u200B\"]"),
        GrammarCase("U+2064", "[\"\\u2064\"]"), GrammarCase("U+FDD0", "[\"\\uFDD0\"]"),
        GrammarCase("U+FFFE", "[\"\\uFFFE\"]"), GrammarCase("utf8", "[\"\u{20AC}\u{1D11E}\"]"),
        GrammarCase("with DEL", "[\"a\u{7F}a\"]"),
        GrammarCase("BOM in a string", "[\"\u{FEFF}\"]"),
    ]

    @Test(arguments: arrays + numbers + objects + strings)
    func isAccepted(_ text: GrammarCase) throws {
        let value = try JSONValue(parsing: text.text)
        #expect(try JSONValue(parsing: value.serializedBytes()) == value)
        #expect(try JSONValue(parsing: value.serializedBytes(.pretty)) == value)
    }

    @Test func fiveHundredLevels() throws {
        let text = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        #expect(try JSONValue(parsing: text).serialized() == text)
    }
}
