import JSON
import Testing

struct MergePatchTests {
    /// The examples of RFC 7396, appendix A.
    @Test(arguments: [
        ("{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"),
        ("{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"),
        ("{\"a\":\"b\"}", "{\"a\":null}", "{}"), ("{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"),
        ("{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"), ("{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"),
        ("{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"),
        ("{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"), ("[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"),
        ("{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]"), ("{\"a\":\"foo\"}", "null", "null"),
        ("{\"a\":\"foo\"}", "\"bar\"", "\"bar\""),
        ("{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"), ("[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}"),
        ("{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"),
    ])
    func examples(_ original: String, _ patch: String, _ expected: String) throws {
        let result = try JSONValue(parsing: original).mergePatched(with: JSONValue(parsing: patch))
        #expect(result.serialized() == expected)
    }
}
