import JSON
import OpenAPI
import Testing

@Suite("Values that do not follow a schema")
struct NegativeSampleTests {
    private static func negatives(_ schema: String) throws -> [String] {
        let text = """
            {"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "components": {"schemas": {"Subject": \(schema)}}}
            """
        let description = try #require(TextSource(["/openapi.yaml": text]).load().description)
        let node = try #require(description.root["components"]?["schemas"]?["Subject"])
        let sampler = SchemaSampler(description, direction: .request)
        let value = try sampler.sample(node)
        return sampler.negatives(node, from: value).map { "\($0.phrase): \($0.value.serialized())" }
    }

    @Test(
        "Each has one fault",
        arguments: [
            (
                #"{"type": "object", "required": ["a"], "properties": {"a": {"const": 1}, "b": {"const": true}}}"#,
                [
                    "without a: {\"b\":true}", "with a text as a: {\"a\":\"text\",\"b\":true}",
                    "with a text as b: {\"a\":1,\"b\":\"text\"}",
                ]
            ),
            (
                #"{"type": "string", "enum": ["x"]}"#,
                ["with an unknown the value: \"unknown-value\"", "with a number as the value: 12345"]
            ),
            (
                #"{"type": "integer", "minimum": 1, "maximum": 1}"#,
                ["with a text as the value: \"text\"", "with the value too small: 0", "with the value too large: 2"]
            ),
            (
                #"{"type": "object", "properties": {"n": {"type": "number", "exclusiveMinimum": 0, "examples": [0.5]}}}"#,
                ["with a text as n: {\"n\":\"text\"}", "with n too small: {\"n\":0}"]
            ),
            (
                #"{"type": "object", "properties": {"s": {"type": "string", "minLength": 2, "maxLength": 3, "examples": ["abc"]}}}"#,
                [
                    "with a number as s: {\"s\":12345}", "with s too short: {\"s\":\"a\"}",
                    "with s too long: {\"s\":\"abcx\"}",
                ]
            ),
            (
                #"{"type": "object", "properties": {"d": {"type": "string", "format": "date", "examples": ["2026-01-02"]}}}"#,
                ["with a number as d: {\"d\":12345}", "with d of the wrong form: {\"d\":\"not 2026-01-02\"}"]
            ),
            (#"{}"#, []),
            (
                #"{"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "integer"}]}"#,
                ["with an unknown the value: \"unknown-value\""]
            ),
        ])
    func faults(schema: String, expected: [String]) throws {
        #expect(try Self.negatives(schema) == expected)
    }
}
