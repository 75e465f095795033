import Basics
import Diagnostics
import JSON
import Testing

@testable import YAML

/// Tests that written values are parsed as the same values.
struct YAMLWriterTests {
    /// Strings that YAML parsers interpret differently, or cannot parse, without quotes.
    static let strings = [
        "", " ", "a", "yes", "no", "Yes", "NO", "on", "off", "y", "n", "null", "Null", "NULL", "~", "true", "TRUE",
        "False",
        "1", "-1", "+1", "1.5", ".5", "5.", "1e3", "1E-3", "0x1f", "0x1F", "0o17", "0b1", "012", "1_000", "1:30",
        "190:20:30",
        ".inf", "-.inf", "+.INF", "-.Inf", ".nan", ".NaN", "-", "--", "---", "--- a", "...", "- a", "-a", "? a", "?",
        "?a",
        ":", ": a", ":a", "a:", "a: b", "a:b", "a:?", "a : b", "a #b", "a#b", "#a", "@a", "`a", "%a", "!a", "!!str a",
        "&a", "*a",
        "a&b", "|", ">", "|a", "=", "<<", "[a]", "{a}", "[", "]", "{", "}", "a,b", ",", "a]", "a}", "'", "\"", "'a'",
        "\"a\"", "it's", "say \"x\"", "it's \"x\"", "\\", "a\\b", " a", "a ", "\ta", "a\t", "a\tb", "\n", "a\n", "a\nb",
        "a\nb\n", "a\nb\n\n", "\na", "a\n\nb", " a\nb", "a \nb", "a\r\nb", "a\rb", "a\n# b", "a\n--- b", "a\n  b\nc",
        "é",
        "e\u{301}", "\u{301}e", "日本", "🙂", "\u{A0}a", "\u{3000}", "\u{0}", "\u{7}", "\u{1B}", "\u{7F}", "\u{85}",
        "\u{2028}",
        "\u{2029}", "\u{202E}a", "\u{FEFF}", "\u{FEFF}a", "\u{FFFE}", "\u{E000}", "\u{1F600}\u{200D}", "2026-11-22",
        "2026-11-22T10:00:00Z", "2xx", "200", "$.a", "${x}", "a ${x} b", "{ $ref: a }", "/books/{id}",
        "GET /books?a=1&b=2",
        "application/json; charset=utf-8", "http://localhost:8080/a#b", "C:\\a",
        String(repeating: "long ", count: 40) + "x",
    ]

    private static func read(_ text: String) throws -> JSONValue {
        let (documents, diagnostics) = YAMLStream.parse(SourceFile(name: "a.yaml", text: text))
        try #require(diagnostics.isEmpty, "\(TextRenderer(color: false).render(diagnostics))\(text)")
        try #require(documents.count == 1, "\(text)")
        return documents[0].json
    }

    private static let styles: [YAMLWriter.Style] = {
        var careful = YAMLWriter.Style()
        careful.quoting = .butWords
        careful.hasLiterals = false
        careful.hasShortElements = { $0 > 2 }
        var narrow = YAMLWriter.Style()
        narrow.width = 12
        return [YAMLWriter.Style(), careful, narrow]
    }()

    private static func check(_ value: JSONValue) throws {
        for style in styles {
            var writer = YAMLWriter(style)
            writer.writeEntry(.text("root"), YAMLOutput(value), indentation: 0)
            let read = try read(writer.text)
            #expect(read["root"] == value, "\(writer.text)")
        }
    }

    @Test(arguments: strings)
    func stringsAreReadAsThemselves(_ text: String) throws {
        let string = JSONValue.string(text)
        try Self.check(string)
        try Self.check(.array([string, string]))
        try Self.check(.array([.array([string])]))
        try Self.check(
            .object(JSONObject([(text, string), ("other", .array([.object(JSONObject([(text, string)]))]))])))
    }

    @Test(arguments: [
        ("yes", "\"yes\""), ("null", "\"null\""), ("~", "\"~\""), ("1e3", "\"1e3\""), ("0x1f", "\"0x1f\""),
        ("012", "\"012\""), ("1:30", "\"1:30\""), ("-.inf", "\"-.inf\""), ("", "\"\""), (" a", "\" a\""),
        ("a: b", "\"a: b\""), ("a #b", "\"a #b\""), ("say \"x\"", "'say \"x\"'"), ("it's \"x\"", "\"it's \\\"x\\\"\""),
        ("a\tb", "\"a\\tb\""), ("\u{202E}", "\"\\u202E\""), ("2026-11-22", "2026-11-22"), ("2xx", "2xx"), ("é", "é"),
        ("a:b", "a:b"), ("GET /a", "GET /a"),
    ])
    func quotesStandWhereTheyAreNeeded(_ text: String, _ expected: String) {
        #expect(YAMLText.scalar(text, in: .flow) == expected)
    }

    @Test func someLocationsNeedMoreQuotes() {
        #expect(YAMLText.scalar("say \"x\"", in: .block) == "say \"x\"")
        #expect(YAMLText.scalar("o:?", in: .flow) == "\"o:?\"")
        #expect(YAMLText.scalar("a, b", in: .block) == "a, b")
        #expect(YAMLText.scalar("a, b", in: .flow) == "\"a, b\"")
        #expect(YAMLText.scalar("${x}", in: .block) == "${x}")
        #expect(YAMLText.scalar("${x}", in: .flow) == "\"${x}\"")
        #expect(YAMLText.scalar("é", in: .block, quoting: .butWords) == "\"é\"")
        #expect(YAMLText.scalar("a word", in: .block, quoting: .butWords) == "a word")
    }

    @Test func longKeysAreRead() throws {
        let key = String(repeating: "key ", count: 400) + "end"
        let inner = JSONValue.object(JSONObject([(key, .array([1, .object(JSONObject([(key, "x")]))]))]))
        try Self.check(inner)
        try Self.check(.array([inner]))
    }

    @Test(arguments: [UInt64](1...40))
    func anyValueIsReadAsItself(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<25 { try Self.check(Self.value(&random, depth: 4)) }
    }

    // MARK: Random values

    private static let pieces = [
        "a", "b", "Z", "0", "1", "9", "x", "e", "o", "-", "+", ".", "_", ":", " ", " ", "#", ",", "[", "]", "{", "}",
        "&", "*",
        "!", "|", ">", "'", "\"", "%", "@", "`", "?", "=", "~", "<", "\\", "/", "$", "\n", "\n", "\t", "\r", "é", "日",
        "🙂",
        "\u{85}", "\u{2028}", "\u{FEFF}", "\u{0}", "\u{A0}", "yes", "null", "true", "inf", "nan",
    ]

    private static func text(_ random: inout SplitMix64) -> String {
        if Int.random(in: 0..<4, using: &random) == 0 { return strings.randomElement(using: &random) ?? "" }
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    @Test func commentsStandBeforeTheirEntries() throws {
        let inner = YAMLOutput.mapping([
            (.text("a"), .commented(["first", "", "second"], .plain("1"))),
            (.text("b"), .sequence([.commented(["element"], .text("x")), .text("z")])),
            (.text("c"), .commented(["control \u{7}\nand # break"], .mapping([(.text("d"), .plain("2"))]))),
        ])
        var writer = YAMLWriter()
        writer.writeEntry(.text("list"), .sequence([inner, .commented(["whole"], inner)]), indentation: 0)
        let part = """
                b:
                  # element
                  - x
                  - z
                # control   and # break
                c: { d: 2 }

            """
        #expect(
            writer.text == """
                list:
                  # first
                  #
                  # second
                  - a: 1
                \(part)  # whole
                  # first
                  #
                  # second
                  - a: 1
                \(part)
                """)
        let value = try JSONValue(parsing: #"{"a": 1, "b": ["x", "z"], "c": {"d": 2}}"#)
        #expect(try Self.read(writer.text)["list"] == .array([value, value]))
    }

    private static func value(_ random: inout SplitMix64, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number(JSONNumber(Int.random(in: -1_000...1_000, using: &random)))
        case 3...5: return .string(text(&random))
        case 6:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                object[text(&random)] = value(&random, depth: depth - 1)
            }
            return .object(object)
        }
    }
}
