import JSON
import Testing

struct JSONValueTests {
    @Test(
        arguments: [
            (.null, "null"), (true, "boolean"), (1, "integer"), (1.5, "number"), ("a", "string"), ([1], "array"),
            (["a": 1], "object"),
        ] as [(JSONValue, String)])
    func typeNames(_ value: JSONValue, _ name: String) {
        #expect(value.typeName == name)
    }

    /// Documents contain many values. One more word would require a third more memory.
    @Test func aValueIsThreeWords() {
        #expect(MemoryLayout<JSONValue>.stride <= 3 * MemoryLayout<Int>.stride)
        #expect(MemoryLayout<JSONObject>.size <= 2 * MemoryLayout<Int>.stride)
    }

    @Test(arguments: [true, false]) func anAbsentValueIsNotNull(_ isAbsent: Bool) {
        let value: JSONValue? = isAbsent ? nil : JSONValue.null
        #expect((value == nil) == isAbsent)
    }

    @Test func aNumberWithoutFractionIsAnInteger() throws {
        #expect(try JSONValue(parsing: "1.0").typeName == "integer")
        #expect(try JSONValue(parsing: "1e2").typeName == "integer")
    }

    @Test(arguments: [
        ("{\"a\": 1, \"b\": 2}", "{\"b\": 2.0, \"a\": 1e0}", true), ("[1, 2]", "[2, 1]", false),
        ("{\"a\": null}", "{}", false), ("{\"a\": 1}", "{\"b\": 1}", false), ("0", "false", false),
        ("\"1\"", "1", false),
        ("null", "false", false), ("[]", "{}", false), ("[[1.0]]", "[[1]]", true),
        // Composed and decomposed characters are different strings, because code points are compared (RFC 8259, section
        // 8.3).
        ("\"\u{E9}\"", "\"e\u{301}\"", false), ("\"\u{212B}\"", "\"A\u{30A}\"", false),
        ("{\"\u{E9}\": 1}", "{\"e\u{301}\": 1}", false), ("\"\\u00e9\"", "\"\u{E9}\"", true),
    ])
    func equality(_ first: String, _ second: String, _ expected: Bool) throws {
        let left = try JSONValue(parsing: first)
        let right = try JSONValue(parsing: second)
        #expect((left == right) == expected)
        #expect((right == left) == expected)
        if expected { #expect(left.hashValue == right.hashValue) }
        #expect(Set([left, right]).count == (expected ? 1 : 2))
    }

    @Test func subscripts() {
        let value: JSONValue = ["a": [10, 20]]
        #expect(value["a"]?[1] == 20)
        #expect(value["a"]?[2] == nil)
        #expect(value["a"]?[-1] == nil)
        #expect(value["b"] == nil)
        #expect(value[0] == nil)
        #expect(value["a"]?["b"] == nil)
    }

    @Test func accessors() {
        #expect(JSONValue.null.isNull)
        #expect(JSONValue.bool(true).boolValue == true)
        #expect(JSONValue.number(5).numberValue == 5)
        #expect(JSONValue.string("x").stringValue == "x")
        #expect(JSONValue.array([1]).arrayValue == [1])
        #expect(JSONValue.object(["a": 1]).objectValue == ["a": 1])
        #expect(JSONValue.string("x").numberValue == nil)
        #expect(JSONValue.number(0).boolValue == nil)
    }
}
