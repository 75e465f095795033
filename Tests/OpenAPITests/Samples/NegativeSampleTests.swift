import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Values that violate a schema")
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
        "Each value has exactly one violation",
        arguments: [
            (
                #"{"type": "object", "required": ["a"], "properties": {"a": {"const": 1}, "b": {"const": true}}}"#,
                [
                    "without a: {\"b\":true}", "with an unknown a: {\"a\":1000004,\"b\":true}",
                    "with a string as a: {\"a\":\"text\",\"b\":true}",
                    "with a string as b: {\"a\":1,\"b\":\"text\"}",
                    "with an array as the value: []",
                ]
            ),
            (
                #"{"type": "string", "enum": ["x"]}"#,
                ["with an unknown the value: \"unknown-value\"", "with a number as the value: 12345"]
            ),
            (
                #"{"type": "integer", "minimum": 1, "maximum": 1}"#,
                ["with a string as the value: \"text\"", "with the value too small: 0", "with the value too large: 2"]
            ),
            (
                #"{"type": "object", "properties": {"n": {"type": "number", "exclusiveMinimum": 0, "examples": [0.5]}}}"#,
                [
                    "with a string as n: {\"n\":\"text\"}", "with n too small: {\"n\":0}",
                    "with an array as the value: []",
                ]
            ),
            (
                #"{"type": "object", "properties": {"s": {"type": "string", "minLength": 2, "maxLength": 3, "examples": ["abc"]}}}"#,
                [
                    "with a number as s: {\"s\":12345}", "with s too short: {\"s\":\"a\"}",
                    "with s too long: {\"s\":\"abcx\"}", "with an array as the value: []",
                ]
            ),
            (
                #"{"type": "object", "properties": {"d": {"type": "string", "format": "date", "examples": ["2026-01-02"]}}}"#,
                [
                    "with a number as d: {\"d\":12345}", "with d in the wrong format: {\"d\":\"not 2026-01-02\"}",
                    "with an array as the value: []",
                ]
            ),
            (#"{}"#, []),
            (
                #"{"type": "object", "properties": {"o": {"type": "object", "required": ["x"], "properties": {"x": {"type": "integer", "multipleOf": 5, "minimum": 5, "maximum": 10, "examples": [10]}}, "additionalProperties": false}}}"#,
                [
                    "without o.x: {\"o\":{}}", "with a string as o.x: {\"o\":{\"x\":\"text\"}}",
                    "with o.x too small: {\"o\":{\"x\":0}}", "with o.x too large: {\"o\":{\"x\":15}}",
                    "with o.x not a multiple of 5: {\"o\":{\"x\":9}}", "with a string as o: {\"o\":\"text\"}",
                    "with an unknown property in o: {\"o\":{\"x\":10,\"unknownMember\":\"text\"}}",
                    "with an array as the value: []",
                ]
            ),
            (
                #"{"type": "object", "properties": {"l": {"type": "array", "minItems": 1, "maxItems": 2, "uniqueItems": true, "items": {"type": "string", "enum": ["a", "b", "c"]}, "examples": [["a", "b"]]}}}"#,
                [
                    "with a string as l: {\"l\":\"text\"}", "with no items in l: {\"l\":[]}",
                    "with too many items in l: {\"l\":[\"a\",\"b\",\"c\"]}",
                    "with a duplicate item in l: {\"l\":[\"a\",\"a\"]}",
                    "with an unknown l[0]: {\"l\":[\"unknown-value\",\"b\"]}",
                    "with a number as l[0]: {\"l\":[12345,\"b\"]}", "with an array as the value: []",
                ]
            ),
            (
                #"{"type": "object", "minProperties": 1, "maxProperties": 1, "properties": {"a": {"const": 1}}, "additionalProperties": {"const": 2}}"#,
                [
                    "with an unknown a: {\"a\":1000004}", "with a string as a: {\"a\":\"text\"}",
                    "with an array as the value: []", "with too many properties: {\"a\":1,\"key\":2}",
                    "with too few properties: {}",
                ]
            ),
            (
                #"{"type": "object", "maxProperties": 1, "additionalProperties": {"type": "integer", "minimum": 5, "maximum": 5}}"#,
                [
                    "with a string as key: {\"key\":\"text\"}", "with key too small: {\"key\":4}",
                    "with key too large: {\"key\":6}", "with an array as the value: []",
                    "with too many properties: {\"key\":5,\"key2\":5}",
                ]
            ),
            (
                #"{"type": "object", "patternProperties": {"^x-": {"const": 1}}, "examples": [{"x-a": 1, "x-b": 1}], "additionalProperties": false}"#,
                [
                    "with an unknown x-a: {\"x-a\":1000004,\"x-b\":1}",
                    "with a string as x-a: {\"x-a\":\"text\",\"x-b\":1}", "with an array as the value: []",
                    "with an unknown property: {\"x-a\":1,\"x-b\":1,\"unknownMember\":\"text\"}",
                ]
            ),
            (
                #"{"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 1}}, "additionalProperties": false, "maxProperties": 2}"#,
                [
                    "with an unknown a: {\"a\":1000004,\"b\":1}", "with a string as a: {\"a\":\"text\",\"b\":1}",
                    "with an unknown b: {\"a\":1,\"b\":1000004}", "with a string as b: {\"a\":1,\"b\":\"text\"}",
                    "with an array as the value: []",
                    "with an unknown property: {\"a\":1,\"unknownMember\":\"text\"}",
                ]
            ),
            (
                #"{"type": "object", "propertyNames": {"enum": ["low"]}, "additionalProperties": {"const": 2}, "examples": [{"low": 2}]}"#,
                [
                    "with an unknown low: {\"low\":1000005}", "with a string as low: {\"low\":\"text\"}",
                    "with an array as the value: []", "with an unknown property: {\"low\":2,\"unknownMember\":2}",
                ]
            ),
            (
                #"{"type": "object", "required": ["a"], "properties": {"a": {"const": 1}, "b": {"type": "integer", "maximum": 3}, "r": {"const": 2, "readOnly": true}, "d": {"const": 3, "deprecated": true}}, "examples": [{"a": 1}]}"#,
                [
                    "without a: {}", "with an unknown a: {\"a\":1000004}", "with a string as a: {\"a\":\"text\"}",
                    "with a string as b: {\"a\":1,\"b\":\"text\"}", "with b too large: {\"a\":1,\"b\":4}",
                    "with an array as the value: []",
                ]
            ),
            (
                ##"{"type": "object", "properties": {"n": {"const": 1}, "t": {"$ref": "#/components/schemas/Subject"}}, "examples": [{"n": 1}]}"##,
                [
                    "with an unknown n: {\"n\":1000004}", "with a string as n: {\"n\":\"text\"}",
                    "with a string as t: {\"n\":1,\"t\":\"text\"}", "with an array as the value: []",
                ]
            ),
            (
                #"{"type": "object", "properties": {"n": {"type": ["integer", "null"], "maximum": 3}}, "examples": [{"n": null}]}"#,
                [
                    "with a string as n: {\"n\":\"text\"}", "with n too large: {\"n\":4}",
                    "with an array as the value: []",
                ]
            ),
            (
                #"{"type": "object", "properties": {"l": {"type": "array", "items": {"type": "integer", "maximum": 3}}}, "examples": [{"l": []}]}"#,
                [
                    "with a string as l: {\"l\":\"text\"}", "with a string as l[0]: {\"l\":[\"text\"]}",
                    "with l[0] too large: {\"l\":[4]}", "with an array as the value: []",
                ]
            ),
            (
                #"{"type": "array", "prefixItems": [{"const": 1}, {"type": "integer", "maximum": 3}], "examples": [[1, 2]]}"#,
                [
                    "with a string as the value: \"text\"", "with an unknown the value[0]: [1000004,2]",
                    "with a string as the value[0]: [\"text\",2]", "with a string as the value[1]: [1,\"text\"]",
                    "with the value[1] too large: [1,4]",
                ]
            ),
            (
                #"{"type": "string", "pattern": "^A+$", "maxLength": 3, "examples": ["AAA"]}"#,
                [
                    "with a number as the value: 12345", "with the value too long: \"AAAA\"",
                    "with the value in the wrong format: \"?\"",
                ]
            ),
            (
                #"{"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "integer"}]}"#,
                ["with an unknown the value: \"unknown-value\""]
            ),
        ])
    func faults(schema: String, expected: [String]) throws {
        #expect(try Self.negatives(schema) == expected)
    }
}
