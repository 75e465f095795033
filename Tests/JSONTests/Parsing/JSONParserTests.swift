import JSON
import Testing

struct JSONParserTests {
    @Test(
        arguments: [
            ("null", .null), (" true ", true), ("\tfalse\r\n", false), ("0", 0), ("-12", -12), ("1.5", 1.5),
            ("\"\"", ""),
            ("\"abc\"", "abc"), ("[]", []), ("[ ]", []), ("[1,2 , 3]", [1, 2, 3]), ("{}", [:]), ("{ }", [:]),
            ("{\"a\":{\"b\":[null]}}", ["a": ["b": [.null]]]),
            ("\"a\\n\\t\\\"\\\\\\/\\b\\f\\r\"", "a\n\t\"\\/\u{8}\u{C}\r"),
            ("\"\\u0041\\u00e9\\u20AC\\uD83D\\uDE00\"", "A\u{E9}\u{20AC}\u{1F600}"),
            ("\"\u{E9}\u{1F600}\"", "\u{E9}\u{1F600}"),
            ("\"\\u0000\"", "\u{0}"), ("\"\u{7F}\"", "\u{7F}"),
            ("\"12345678\\n12345678901234567890\"", "12345678\n12345678901234567890"),
            ("\"/* no comment */\"", "/* no comment */"), ("[\"]\", \"}\"]", ["]", "}"]),
        ] as [(String, JSONValue)])
    func values(_ text: String, _ expected: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == expected)
    }

    @Test(arguments: [
        ("", 0, "expected a value, found the end of the text"),
        ("  ", 2, "expected a value, found the end of the text"),
        ("nul", 0, "expected a value, found \"nul\""),
        ("True", 0, "expected a value, found \"True\"; write true"),
        ("nullx", 0, "expected a value, found \"nullx\""),
        ("NaN", 0, "expected a value, found \"NaN\"; JSON has no such value: write null or a string"),
        ("'a'", 0, "expected a value, found \"'\"; write JSON strings in double quotes"),
        ("<html>", 0, "expected a value, found \"<\""),
        ("1 2", 2, "expected the end of the text, found \"2\""),
        ("{} ]", 3, "expected the end of the text, found \"]\""),
        ("[", 1, "expected a value or \"]\", found the end of the text"),
        ("[1,]", 3, "expected a value after \",\", found \"]\"; remove the comma after the last element"),
        ("[1 2]", 3, "expected \",\" or \"]\" after the array element, found \"2\""),
        ("[1", 2, "expected \",\" or \"]\" after the array element, found the end of the text"),
        ("[1}", 2, "expected \",\" or \"]\" after the array element, found \"}\""),
        ("{a: 1}", 1, "expected a member name in double quotes or \"}\", found \"a\""),
        ("{\"a\" 1}", 5, "expected \":\" after the member name, found \"1\""),
        ("{\"a\":}", 5, "expected a value after \":\", found \"}\""),
        (
            "{\"a\":1,}", 7,
            "expected a member name in double quotes after \",\", found \"}\"; remove the comma after the last member"
        ),
        ("{\"a\":1 \"b\":2}", 7, "expected \",\" or \"}\" after the member, found a quotation mark"),
        ("{\"a\":1", 6, "expected \",\" or \"}\" after the member, found the end of the text"),
        ("01", 0, "a number must not have leading zeros"),
        ("[-]", 2, "expected a digit after \"-\", found \"]\""),
        ("[1.]", 3, "expected a digit after the decimal point, found \"]\""),
        ("[1e+]", 4, "expected a digit in the exponent, found \"]\""),
        ("+1", 0, "expected a value, found \"+\"; a JSON number must not have a plus sign"),
        (".5", 0, "expected a value, found \".\"; a JSON number must have a digit before the decimal point"),
        (
            "[-Infinity]", 2,
            "expected a digit after \"-\", found \"Infinity\"; JSON has no infinity: write null or a string"
        ),
        ("[1, // one", 4, "expected a value after \",\", found \"/\"; JSON does not allow comments"),
        (
            "[1 /* one */]", 3,
            "expected \",\" or \"]\" after the array element, found \"/\"; JSON does not allow comments"
        ),
        ("{/**/}", 1, "expected a member name in double quotes or \"}\", found \"/\"; JSON does not allow comments"),
        (
            "{'a': 1}", 1,
            "expected a member name in double quotes or \"}\", found \"'\"; write JSON strings in double quotes"
        ),
        ("{\"a\": None}", 6, "expected a value after \":\", found \"None\"; write null"),
        (
            "[undefined]", 1,
            "expected a value or \"]\", found \"undefined\"; JSON has no such value: write null or a string"
        ),
        ("\"abc", 0, "unterminated string: expected a closing quotation mark"),
        ("\"ab\\", 4, "expected an escape sequence after \"\\\", found the end of the text"),
        ("\"a\nb\"", 2, "a control character (U+000A) in a string must be escaped: \"\\n\""),
        (
            "\"long enough for words \u{1}\"", 23,
            "a control character (U+0001) in a string must be escaped: \"\\u0001\""
        ),
        (
            "\"\\x41\"", 1,
            "unknown escape sequence: \"\\\" is followed by \"x41\"; expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX"
        ),
        ("\"\\u12G4\"", 5, "expected four hexadecimal digits after \"\\u\", found \"…G4\""),
        ("abcdefghijklmnopqrstuvwxyz", 0, "expected a value, found \"abcdefghijklmnopqrstuvwx…\""),
        ("eyJh.b", 0, "expected a value, found \"eyJh…\""),
        ("7f3a-", 1, "expected the end of the text, found \"…f3a…\""),
        ("1.x9", 2, "expected a digit after the decimal point, found \"…x9\""),
        ("\"\\u12", 5, "expected four hexadecimal digits after \"\\u\", found the end of the text"),
        (
            "\"\\ud800\"", 1,
            "\"\\ud800\" is a high surrogate: expected a low surrogate after it"
        ),
        (
            "\"\\ud800\\u0041\"", 1,
            "\"\\ud800\" is a high surrogate, but \"\\u0041\" after it is not a low surrogate"
        ),
        ("\"\\udc00\"", 1, "\"\\udc00\" is a low surrogate without a high surrogate before it"),
        ("\u{FEFF}1", 0, "JSON text must not start with a byte order mark; save the text without it"),
        ("[\u{A0}1]", 1, "expected a value or \"]\", found \"\u{A0}\""),
        ("[\u{B}1]", 1, "expected a value or \"]\", found the control character U+000B"),
    ])
    func problems(_ text: String, _ offset: Int, _ message: String) throws {
        let error = try #require(throws: JSONParseError.self) { try JSONValue(parsing: text) }
        #expect(error.explanation == message)
        #expect(error.byteOffset == offset)
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0xC3, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 1),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
            ([0x22, 0xE2, 0x82, 0xAC, 0x80, 0x22], 4), ([0x22, 0x5C, 0x6E, 0xE2, 0x82, 0x22], 3),
            // A sequence must not be combined across an escape.
            ([0x22, 0xC3, 0x5C, 0x6E, 0xA9, 0x22], 1),
        ] as [([UInt8], Int)])
    func invalidUTF8(_ bytes: [UInt8], _ offset: Int) throws {
        let error = try #require(throws: JSONParseError.self) { try JSONValue(parsing: bytes) }
        #expect(error.message.hasPrefix("invalid UTF-8 in a string"))
        #expect(error.byteOffset == offset)
    }

    @Test func linesAndColumns() throws {
        let error = try #require(throws: JSONParseError.self) {
            try JSONValue(parsing: "{\n  \"\u{E9}\u{1F600}\": [1,\r\n\t\"\u{20AC}\", x]\n}")
        }
        #expect(error.line == 3)
        #expect(error.column == 7)
        #expect(error.description == "line 3, column 7: expected a value after \",\", found \"x\"")
    }

    @Test func depthIsBounded() throws {
        let parser = JSONParser(limits: .init(maximumDepth: 3))
        #expect(try parser.parse("[[[1]], [[2]]]") == [[[1]], [[2]]])
        let error = try #require(throws: JSONParseError.self) { try parser.parse("[{\"a\":[[") }
        #expect(error.message == "the JSON text exceeds the maximum depth of 3 levels")
        #expect(error.byteOffset == 7)
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(throws: JSONParseError.self) { try JSONParser(limits: .init(maximumDepth: .max)).parse(deep) }
        let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        let value = try JSONValue(parsing: deepest)
        #expect(value.serialized() == deepest)
        #expect(try value == JSONValue(parsing: deepest))
    }

    @Test func sizeIsBounded() throws {
        let parser = JSONParser(limits: .init(maximumBytes: 4))
        #expect(try parser.parse("1234") == 1234)
        let error = try #require(throws: JSONParseError.self) { try parser.parse("12345") }
        #expect(error.message == "the JSON text of 5 bytes exceeds the maximum of 4 bytes")
    }

    /// A few members, and enough members for an index.
    @Test(arguments: [0, 1, 13, 14, 15, 30, 300])
    func duplicateMembers(_ others: Int) throws {
        let more = (0..<others).map { ", \"n\($0)\": \($0)" }.joined()
        let text = "{\"a\": 1\(more), \"b\": 2, \"\\u0061\": 3}"
        let rest = (0..<others).map { "\"n\($0)\":\($0)," }.joined()
        let last = try JSONParser(duplicateMembers: .keepLast).parse(text)
        #expect(last.serialized() == "{\"a\":3,\(rest)\"b\":2}")
        #expect(last["a"] == 3)
        #expect(last["n\(others - 1)"] == (others > 0 ? .number(JSONNumber(others - 1)) : nil))
        #expect(try JSONParser(duplicateMembers: .keepFirst).parse(text).serialized() == "{\"a\":1,\(rest)\"b\":2}")
        let error = try #require(throws: JSONParseError.self) {
            try JSONParser(duplicateMembers: .reject).parse(text)
        }
        #expect(error.message == "duplicate member \"a\"")
        #expect(error.byteOffset == text.utf8.count - 12)
    }

    @Test func duplicateMembersAreReported() throws {
        let text = """
            {"users": [{"id": 1}, {
              "id": 2, "x": {"y": [], "y": 1,
              "y": 2}, "id": 3
            }], "a b": {"c": 1, "c": 1}}
            """
        var duplicates: [JSONDuplicateMember] = []
        let value = try JSONParser().parse(Array(text.utf8), duplicates: &duplicates)
        #expect(value["users"]?[1]?["x"]?["y"] == 2)
        #expect(
            duplicates.map(\.description) == [
                "line 2, column 27: duplicate member $.users[1].x.y",
                "line 3, column 3: duplicate member $.users[1].x.y",
                "line 3, column 12: duplicate member $.users[1].id",
                "line 4, column 21: duplicate member $['a b'].c",
            ])
        #expect(duplicates.last?.byteOffset == text.utf8.count - 8)
        _ = try JSONParser().parse(Array("{\"a\":1}".utf8), duplicates: &duplicates)
        #expect(duplicates.isEmpty)
        let many = "{" + (0..<1000).map { "\"\($0 % 10)\":\($0)" }.joined(separator: ",") + "}"
        let last = try JSONParser().parse(Array(many.utf8), duplicates: &duplicates)
        #expect(last.objectValue?.count == 10)
        #expect(last["9"] == 999)
        #expect(duplicates.count == JSONParser.maximumDuplicateCount)
    }

    /// Cached names are found by their bytes. Names of any length are distinguished, including those with colliding
    /// hashes.
    @Test func manyNames() throws {
        let names = (0..<3000).map { "name " + String(repeating: "x", count: $0 % 40) + String($0) + "\u{E9}" }
        let objects = (0..<4).map { turn in
            "{" + names.map { "\"\($0)\":\(turn)" }.joined(separator: ",") + "}"
        }
        let value = try JSONValue(parsing: "[" + objects.joined(separator: ",") + "]")
        for turn in 0..<4 {
            let object = try #require(value[turn]?.objectValue)
            #expect(Array(object.keys) == names)
            #expect(names.allSatisfy { object[$0]?.numberValue?.int64 == Int64(turn) })
        }
    }

    @Test func rawBuffersAndStringsAreReadAlike() throws {
        let text = "{\"a\": [1, \"\u{E9}\"]}"
        let fromRaw = try Array(text.utf8).withUnsafeBytes { try JSONParser().parse($0) }
        #expect(fromRaw == ["a": [1, "\u{E9}"]])
        #expect(try JSONParser().parse(text) == fromRaw)
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(throws: JSONParseError.self) { try JSONParser().parse(none) }
    }

    /// Every truncation of the text is rejected, and none traps.
    @Test func truncatedTexts() throws {
        let text = Array("{\"key\": [1.5e+3, \"\\ud83d\\ude00\u{20AC}\", true, {\"n\": null}]}".utf8)
        _ = try JSONValue(parsing: text)
        for length in text.indices {
            #expect(throws: JSONParseError.self) { try JSONValue(parsing: Array(text[..<length])) }
        }
    }
}
