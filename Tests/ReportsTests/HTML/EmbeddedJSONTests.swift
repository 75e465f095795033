import JSON
import Testing

@testable import Reports

struct EmbeddedJSONTests {
    @Test(arguments: [
        ("", #""""#), ("Dune", #""Dune""#), ("a \"b\" \\", #""a \"b\" \\""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{0}\u{1B}\u{1F}", #""\u0000\u001b\u001f""#), ("</script><!--", #""\u003c/script>\u003c!--""#),
        ("渡辺 😀 \u{7F}", "\"渡辺 😀 \u{7F}\""),
    ])
    func text(_ text: String, _ expected: String) throws {
        var json = EmbeddedJSON()
        json.string(text)
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
        #expect(try JSONValue(parsing: json.bytes) == .string(text))
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 4, "abcd… (2 more bytes)"), ("aé", 2, "a… (2 more bytes)"),
        ("é", 0, "… (2 more bytes)"),
    ])
    func cutText(_ text: String, _ limit: Int, _ expected: String) throws {
        var json = EmbeddedJSON()
        json.string(text, limit: limit)
        #expect(try JSONValue(parsing: json.bytes) == .string(expected))
    }

    @Test func values() throws {
        var json = EmbeddedJSON()
        json.beginObject()
        json.key("a")
        json.beginArray()
        json.number(-1)
        json.number(Int?.none)
        json.bool(true)
        json.string(String?.none)
        json.beginObject()
        json.endObject()
        json.endArray()
        json.key(7)
        json.beginArray()
        json.endArray()
        json.lineBreak()
        json.key("b")
        json.null()
        json.endObject()
        #expect(
            String(decoding: json.bytes, as: UTF8.self) == #"{"a":[-1,null,true,null,{}],"7":[]"# + "\n"
                + #","b":null}"#)
    }
}
