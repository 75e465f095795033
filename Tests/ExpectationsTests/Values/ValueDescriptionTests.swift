import Basics
import JSON
import Testing

@testable import Expectations

@Suite("Values in messages") struct ValueDescriptionTests {
    @Test(
        arguments: [
            ("Dune", #""Dune" (string)"#), (42, "42 (integer)"), (1.5, "1.5 (number)"), (.null, "null"),
            (true, "true (boolean)"), ([1, "a"], #"[1,"a"] (array)"#), (["a": [:]], #"{"a":{}} (object)"#),
            ("a\"\\\n\u{1B}\u{202E}", #""a\"\\\n\u001b\u202e" (string)"#),
        ] as [(JSONValue, String)])
    func typed(_ value: JSONValue, _ text: String) { #expect(ValueDescription.typed(value).text == text) }

    @Test func longValuesAreCut() {
        let text = ValueDescription.typed(.string(String(repeating: "é", count: 5000))).text
        #expect(text == "\"" + String(repeating: "é", count: 71) + "…\" (string, 5000 characters)")
        let list = ValueDescription.typed(.array(Array(repeating: 12345, count: 100))).text
        #expect(list.hasSuffix("… (array, 100 elements)"))
        let object = JSONObject((0..<50).map { ("member\($0)", JSONValue.bool(true)) })
        #expect(ValueDescription.typed(.object(object)).text.hasSuffix("… (object, 50 members)"))
    }

    @Test func names() {
        #expect(ValueDescription.names(["a", "b"]) == #""a", "b""#)
        #expect(ValueDescription.names((0..<9).map { "n\($0)" }).hasSuffix(#""n7", … (9 in all)"#))
        #expect(ValueDescription.list(["a", "b", "c"]) == "a, b or c")
    }
}
