import JSON
import JSONSchema
import Testing

/// Tests of edge cases of keywords that the official suite does not cover.
struct KeywordTests {
    static let cases: [SchemaCase] = [
        // Numbers are compared and divided exactly.
        SchemaCase(
            .draft202012, #"{"multipleOf": 0.0001}"#, valid: ["0.0075", "1e5", "0", "-0.0003", "1e400"],
            invalid: ["0.00751", "1e-5"]),
        SchemaCase(.draft202012, #"{"multipleOf": 1e-8}"#, valid: ["12391239123", "1e400"], invalid: ["1e-9"]),
        SchemaCase(
            .draft202012, #"{"multipleOf": 0.123456789}"#, valid: ["0.123456789", "0.246913578", "1.23456789e8"],
            invalid: ["1e308", "1e400", "0.1234567890000000000000001"]),
        SchemaCase(
            .draft202012, #"{"multipleOf": 3}"#, valid: ["3e400", "3.0", "9223372036854775806", "-9"],
            invalid: ["1e400", "3.1", "1e999999999"]),
        SchemaCase(
            .draft202012, #"{"multipleOf": 1e400}"#, valid: ["0", "1e400", "5e400", "1e401"],
            invalid: ["1", "1e399", "1.5e400"]),
        SchemaCase(.draft202012, #"{"multipleOf": 7e-999999999}"#, valid: ["7", "0"], invalid: ["1"]),
        SchemaCase(
            .draft202012, #"{"multipleOf": 1234567890123456789012345678901234567890123}"#,
            valid: [
                "2469135780246913578024691357802469135780246", "0", "1234567890123456789012345678901234567890123000",
            ],
            invalid: ["2469135780246913578024691357802469135780247", "1e400", "1"]),
        SchemaCase(
            .draft202012, #"{"multipleOf": 0.00000000000000000000000000000000000000000000000007}"#,
            valid: ["7e-50", "14e-50"], invalid: ["8e-50", "7e-51"]),
        SchemaCase(
            .draft202012, #"{"multipleOf": 5}"#, valid: ["1e2", "10.0", "18446744073709551615"],
            invalid: ["18446744073709551616"]),
        SchemaCase(
            .draft202012, #"{"minimum": 9007199254740993}"#,
            valid: ["9007199254740993", "9007199254740993.0", "1e400"],
            invalid: ["9007199254740992", "9007199254740992.9", "-1e400"]),
        SchemaCase(
            .draft202012, #"{"exclusiveMaximum": 0.1}"#, valid: ["0.09999999999999999999999", "-1e400"],
            invalid: ["0.1", "0.10000000000000000000001", "1e400"]),
        SchemaCase(.draft202012, #"{"maximum": 1e400}"#, valid: ["1e400", "9e399"], invalid: ["1.1e400", "1e401"]),
        SchemaCase(.draft202012, #"{"const": 1e400}"#, valid: ["10e399"], invalid: ["1e401"]),
        SchemaCase(
            .draft202012, #"{"enum": [1, "1", true, [1], {"a": 1}]}"#, valid: ["1.0", #""1""#, "[1.0]", #"{"a": 1}"#],
            invalid: ["false", "0", "[true]", "null"]),
        SchemaCase(
            .draft202012, #"{"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, null, [1]]}"#, valid: ["1e1", "null", "[1]"],
            invalid: ["11", "[2]", "true", "{}"]),
        SchemaCase(.draft202012, #"{"enum": []}"#, invalid: ["1", "null"]),
        SchemaCase(.draft202012, #"{"const": "é"}"#, valid: [#""\u00e9""#], invalid: [#""e\u0301""#]),
        // Lengths are counted in Unicode scalars.
        SchemaCase(
            .draft202012, #"{"minLength": 2, "maxLength": 3}"#, valid: [#""👨‍👩""#, #""ab""#, #""äöü""#],
            invalid: [#""👨""#, #""👨‍👩‍👧""#, #""e\u0301e\u0301""#]),
        SchemaCase(.draft202012, #"{"maxLength": 1e400, "minItems": 1e400}"#, valid: [#""abc""#], invalid: ["[1]"]),
        SchemaCase(.draft202012, #"{"maxLength": 2.0}"#, valid: [#""ab""#], invalid: [#""abc""#]),
        SchemaCase(
            .draft202012, #"{"properties": {"é": {"type": "null"}}, "required": ["é"]}"#, valid: [#"{"\u00e9": null}"#],
            invalid: [#"{"e\u0301": null}"#]),
        SchemaCase(
            .draft202012, #"{"required": ["a", "b"], "properties": {"b": {"type": "null"}, "c": false}}"#,
            valid: [#"{"b": null, "a": 1}"#],
            invalid: [#"{"a": 1, "c": 1}"#, #"{"a": 1, "x": 1}"#, #"{"b": null}"#, #"{"a": 1, "b": 1}"#]),
        SchemaCase(
            .draft202012, #"{"uniqueItems": true}"#,
            valid: ["[1, true]", "[0, false]", #"["a", "A"]"#, "[1, 2, 3, 4, 5, 6, 7, 8, 9]"],
            invalid: [
                "[1, 1.0]", #"[{"a": 1, "b": 2}, {"b": 2, "a": 1}]"#, "[1, 2, 3, 4, 5, 6, 7, 8, 1.00]", "[[1], [1e0]]",
            ]),
        // Evaluated members and elements.
        SchemaCase(
            .draft202012,
            #"{"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "unevaluatedProperties": false}"#,
            valid: [#"{"a": 1}"#, "{}"], invalid: [#"{"a": 2}"#]),
        SchemaCase(
            .draft202012,
            #"{"anyOf": [{"properties": {"a": true}}, {"properties": {"b": true}}], "unevaluatedProperties": false}"#,
            valid: [#"{"a": 1, "b": 1}"#], invalid: [#"{"c": 1}"#]),
        SchemaCase(
            .draft202012, #"{"not": {"not": {"properties": {"a": true}}}, "unevaluatedProperties": false}"#,
            valid: ["{}"], invalid: [#"{"a": 1}"#]),
        SchemaCase(
            .draft202012, #"{"allOf": [{"unevaluatedProperties": true}], "unevaluatedProperties": false}"#,
            valid: [#"{"a": 1}"#]),
        SchemaCase(
            .draft202012,
            #"{"dependentSchemas": {"a": {"properties": {"a": true, "b": true}}}, "unevaluatedProperties": false}"#,
            valid: [#"{"a": 1, "b": 1}"#], invalid: [#"{"b": 1}"#]),
        SchemaCase(
            .draft202012,
            #"{"oneOf": [{"prefixItems": [{"type": "null"}]}, {"prefixItems": [true, true], "minItems": 2}], "unevaluatedItems": false}"#,
            valid: ["[1, 2]", "[null]"], invalid: ["[1, 2, 3]", "[1]"]),
        SchemaCase(
            .draft202012,
            #"{"prefixItems": [true], "allOf": [{"contains": {"type": "string"}}], "unevaluatedItems": {"type": "null"}}"#,
            valid: [#"[1, "a", null]"#], invalid: [#"[1, "a", 2]"#, "[1]"]),
    ]

    @Test(arguments: cases)
    func edges(_ test: SchemaCase) throws {
        try test.check()
    }

    @Test func patterns() throws {
        let schema = try JSONSchema(text: #"{"pattern": "(a+)+$"}"#)
        #expect(!schema.isValid(.string(String(repeating: "a", count: 100_000) + "!")))
        // Patterns are not anchored, and "$" matches only at the very end.
        try SchemaCase(.draft202012, #"{"pattern": "b$"}"#, valid: [#""ab""#], invalid: [#""ab\n""#]).check()
        try SchemaCase(.draft202012, #"{"pattern": "^.$"}"#, valid: [#""😀""#], invalid: [#""ab""#]).check()
        try SchemaCase(
            .draft202012,
            #"{"patternProperties": {"^a": {"type": "null"}, "b$": {"minimum": 3}}, "additionalProperties": {"type": "string"}}"#,
            valid: [#"{"a": null, "b": 3, "c": "x", "ab": null}"#],
            invalid: [#"{"ab": 1}"#, #"{"b": 2}"#, #"{"c": 1}"#]
        ).check()
    }

    @Test func contentIsAnnotation() throws {
        let schema = try JSONSchema(
            text:
                #"{"contentEncoding": "base64", "contentMediaType": "application/json", "contentSchema": {"type": "null"}}"#
        )
        #expect(schema.isValid("not base64 at all !"))
    }

    @Test func concurrentUse() async throws {
        let schema = try JSONSchema(text: #"{"items": {"pattern": "^[a-z]+$"}}"#)
        let results = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<16 {
                group.addTask { schema.isValid(["abc", .string(index.isMultiple(of: 2) ? "x" : "X")]) }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(results == 8)
    }
}
