import JSON
import Testing

struct JSONWriterTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-7", "12345678901234567890", "1.10", "1e400", "\"\"", "\"a\"", "[]", "{}",
        "[1,[2,{\"a\":[]}],\"\u{E9}\u{1F600}\"]", "{\"b\":1,\"a\":{\"\":null}}",
        "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/\u{7F}\u{2028}\"",
    ])
    func compactTextsAreWrittenAsTheyWereRead(_ text: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.serialized() == text)
        #expect(value.description == text)
        if let object = value.objectValue { #expect(object.description == text) }
        #expect(value.serializedBytes() == Array(text.utf8))
        #expect(try JSONValue(parsing: value.serialized(.pretty)) == value)
    }

    @Test func prettyText() {
        let value: JSONValue = ["b": [1, [:], []], "a": ["x": .null]]
        #expect(
            value.serialized(.pretty) == """
                {
                  "b": [
                    1,
                    {},
                    []
                  ],
                  "a": {
                    "x": null
                  }
                }
                """)
        #expect(JSONValue.array([1]).serialized(JSONFormat(indentation: 4)) == "[\n    1\n]")
    }

    @Test func sortedMembers() {
        let value: JSONValue = ["b": 1, "a": ["d": 1, "c": 2], "\u{FFFD}": 3, "\u{1F600}": 4]
        #expect(
            value.serialized(.sorted)
                == "{\"a\":{\"c\":2,\"d\":1},\"b\":1,\"\u{FFFD}\":3,\"\u{1F600}\":4}")
        #expect(JSONValue.object(["b": 1, "a": 2]).serialized(.prettySorted) == "{\n  \"a\": 2,\n  \"b\": 1\n}")
    }

    @Test func outputIsAppended() {
        var output = Array("x = ".utf8)
        JSONWriter().write([1, "a"], into: &output)
        JSONWriter().write(string: "\u{1}", into: &output)
        #expect(String(decoding: output, as: UTF8.self) == "x = [1,\"a\"]\"\\u0001\"")
    }
}
