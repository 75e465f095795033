import JSON
import JSONSchema
import Testing

/// Tests of the messages and locations of violations.
struct ViolationTests {
    struct Expectation: Sendable, CustomTestStringConvertible {
        let schema: String
        let value: String
        let path: String
        let schemaPath: String
        let keyword: String
        let message: String

        init(
            _ schema: String, _ value: String, _ path: String, _ schemaPath: String, _ keyword: String,
            _ message: String
        ) {
            self.schema = schema
            self.value = value
            self.path = path
            self.schemaPath = schemaPath
            self.keyword = keyword
            self.message = message
        }

        var testDescription: String { "\(schema) \(value)" }
    }

    static let expectations: [Expectation] = [
        Expectation(
            #"{"properties": {"id": {"type": "integer"}}}"#, #"{"id": "3022853549"}"#, "$.id", "/properties/id/type",
            "type",
            #"expected integer, got "3022853549" (string)"#),
        Expectation(
            #"{"type": ["string", "null"]}"#, "3", "$", "/type", "type", "expected string or null, got 3 (integer)"),
        Expectation(#"{"type": "integer"}"#, "1.5", "$", "/type", "type", "expected integer, got 1.5 (number)"),
        Expectation(#"{"const": "a"}"#, "1", "$", "/const", "const", #"expected "a" (string), got 1 (integer)"#),
        Expectation(
            #"{"enum": ["red", "green"]}"#, #""gren""#, "$", "/enum", "enum",
            #"expected one of "red", "green", got "gren" (string); closest is "green""#),
        Expectation(
            #"{"enum": [1, null]}"#, #""1""#, "$", "/enum", "enum", #"expected one of 1, null, got "1" (string)"#),
        Expectation(#"{"enum": [1]}"#, "2", "$", "/enum", "enum", "expected 1 (integer), got 2 (integer)"),
        Expectation(#"{"minimum": 1.5}"#, "1", "$", "/minimum", "minimum", "expected at least 1.5, got 1"),
        Expectation(#"{"maximum": 1}"#, "1.01", "$", "/maximum", "maximum", "expected at most 1, got 1.01"),
        Expectation(
            #"{"exclusiveMinimum": 1}"#, "1.0", "$", "/exclusiveMinimum", "exclusiveMinimum",
            "expected more than 1, got 1.0"),
        Expectation(
            #"{"exclusiveMaximum": 1}"#, "1", "$", "/exclusiveMaximum", "exclusiveMaximum",
            "expected less than 1, got 1"),
        Expectation(
            #"{"multipleOf": 0.01}"#, "0.075", "$", "/multipleOf", "multipleOf",
            "expected a multiple of 0.01, got 0.075"),
        Expectation(
            #"{"minLength": 3}"#, #""äb""#, "$", "/minLength", "minLength",
            #"expected at least 3 characters, got 2: "äb""#),
        Expectation(
            #"{"maxLength": 1}"#, #""ab""#, "$", "/maxLength", "maxLength",
            #"expected at most 1 character, got 2: "ab""#),
        Expectation(
            #"{"pattern": "^a+$"}"#, #""b""#, "$", "/pattern", "pattern",
            #"expected a string that matches /^a+$/, got "b" (string)"#),
        Expectation(#"{"minItems": 2}"#, "[1]", "$", "/minItems", "minItems", "expected at least 2 elements, got 1"),
        Expectation(#"{"maxItems": 1}"#, "[1, 2]", "$", "/maxItems", "maxItems", "expected at most 1 element, got 2"),
        Expectation(
            #"{"uniqueItems": true}"#, "[1, 2, 1.0]", "$", "/uniqueItems", "uniqueItems",
            "expected unique elements, but those at 0 and 2 are equal: 1.0 (integer)"),
        Expectation(
            #"{"items": {"type": "null"}}"#, "[null, 1]", "$[1]", "/items/type", "type",
            "expected null, got 1 (integer)"),
        Expectation(
            #"{"prefixItems": [true, {"type": "null"}]}"#, "[1, 1]", "$[1]", "/prefixItems/1/type", "type",
            "expected null, got 1 (integer)"),
        Expectation(
            #"{"prefixItems": [true], "items": false}"#, "[1, 1, 1]", "$", "/items", "items",
            "expected at most 1 element, got 3"),
        Expectation(
            #"{"contains": {"type": "null"}}"#, "[1, 2]", "$", "/contains", "contains",
            #"expected an element that matches the schema of "contains", but none of the 2 elements does"#),
        Expectation(
            #"{"contains": {"type": "null"}, "minContains": 2}"#, "[null, 2]", "$", "/minContains", "minContains",
            #"expected at least 2 elements that match the schema of "contains", got 1 of 2"#),
        Expectation(
            #"{"contains": {"type": "null"}, "maxContains": 1}"#, "[null, null]", "$", "/maxContains", "maxContains",
            #"expected at most 1 element that match the schema of "contains", got 2 of 2"#),
        Expectation(
            #"{"unevaluatedItems": false}"#, "[1, 2]", "$", "/unevaluatedItems", "unevaluatedItems",
            "unexpected elements at 0, 1: no part of the schema describes them"),
        Expectation(
            #"{"required": ["name"]}"#, #"{"Name": 1}"#, "$", "/required", "required",
            #"missing property "name"; found "Name""#),
        Expectation(#"{"required": ["name"]}"#, "{}", "$", "/required", "required", #"missing property "name""#),
        Expectation(
            #"{"required": ["createdAt"]}"#, #"{"created_at": 1, "x": 2}"#, "$", "/required", "required",
            #"missing property "createdAt"; found "created_at""#),
        Expectation(
            #"{"properties": {"colour": {}}, "additionalProperties": false}"#, #"{"color": 1}"#, "$",
            "/additionalProperties", "additionalProperties",
            #"unexpected property "color"; did you mean "colour"?"#),
        Expectation(
            #"{"additionalProperties": false}"#, #"{"a": 1, "b": 2}"#, "$", "/additionalProperties",
            "additionalProperties", #"unexpected properties "a", "b""#),
        Expectation(
            #"{"additionalProperties": {"type": "null"}}"#, #"{"a b": 1}"#, "$['a b']", "/additionalProperties/type",
            "type", "expected null, got 1 (integer)"),
        Expectation(
            #"{"patternProperties": {"^x/": {"type": "null"}}}"#, #"{"x/1": 1}"#, "$['x/1']",
            "/patternProperties/^x~1/type", "type", "expected null, got 1 (integer)"),
        Expectation(
            #"{"properties": {"a": false}}"#, #"{"a": 1}"#, "$.a", "/properties/a", "false",
            #"property "a" is not allowed here, got 1 (integer)"#),
        Expectation("false", "1", "$", "", "false", "no value is allowed, got 1 (integer)"),
        Expectation(
            #"{"minProperties": 2}"#, "{}", "$", "/minProperties", "minProperties",
            "expected at least 2 properties, got 0"
        ),
        Expectation(
            #"{"maxProperties": 0}"#, #"{"a": 1}"#, "$", "/maxProperties", "maxProperties",
            "expected at most 0 properties, got 1"),
        Expectation(
            #"{"propertyNames": {"maxLength": 2}}"#, #"{"abc": 1}"#, "$", "/propertyNames", "propertyNames",
            #"the property name "abc" is not allowed: expected at most 2 characters, got 3: "abc""#),
        Expectation(
            #"{"dependentRequired": {"a": ["b"]}}"#, #"{"a": 1}"#, "$", "/dependentRequired/a", "dependentRequired",
            #"missing property "b", which property "a" requires"#),
        Expectation(
            #"{"dependentSchemas": {"a": {"maxProperties": 1}}}"#, #"{"a": 1, "b": 1}"#, "$",
            "/dependentSchemas/a/maxProperties", "maxProperties",
            "expected at most 1 property, got 2"),
        Expectation(
            #"{"unevaluatedProperties": false}"#, #"{"a": 1}"#, "$", "/unevaluatedProperties", "unevaluatedProperties",
            #"unexpected property "a": no part of the schema describes it"#),
        Expectation(
            #"{"not": {"type": "string"}}"#, #""a""#, "$", "/not", "not",
            #"expected anything but string, got "a" (string)"#),
        Expectation(#"{"not": {"const": 1}}"#, "1", "$", "/not", "not", "expected anything but 1, got 1 (integer)"),
        Expectation(
            #"{"not": {"minimum": 1}}"#, "1", "$", "/not", "not",
            #"expected a value that does not match the schema of "not", got 1 (integer)"#),
        Expectation(
            #"{"if": {"type": "string"}, "then": {"minLength": 2}}"#, #""a""#, "$", "/then/minLength", "minLength",
            #"expected at least 2 characters, got 1: "a""#),
        Expectation(
            #"{"if": {"type": "string"}, "else": {"type": "null"}}"#, "1", "$", "/else/type", "type",
            "expected null, got 1 (integer)"),
        Expectation(
            #"{"allOf": [true, {"type": "null"}]}"#, "1", "$", "/allOf/1/type", "type", "expected null, got 1 (integer)"
        ),
        Expectation(
            ##"{"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "null"}}}"##, #"{"a": 1}"#, "$.a",
            "/properties/a/$ref/type", "type",
            "expected null, got 1 (integer)"),
        Expectation(
            #"{"type": "integer"}"#, #""a\u0000\u001b\u202e\n""#, "$", "/type", "type",
            #"expected integer, got "a\u0000\u001b\u202e\n" (string)"#),
    ]

    @Test(arguments: expectations)
    func messages(_ expected: Expectation) throws {
        let violations = try JSONSchema(text: expected.schema).violations(of: JSONValue(parsing: expected.value))
        let first = try #require(violations.first)
        #expect(violations.count == 1)
        #expect(first.instancePath.shorthand == expected.path)
        #expect(first.schemaPath.description == expected.schemaPath)
        #expect(first.keyword == expected.keyword)
        #expect(first.message == expected.message)
        #expect(first.description == "\(expected.path): \(expected.message)")
        #expect(first.kind == .invalid)
    }

    @Test func locations() throws {
        let schema = try JSONSchema(
            text: ##"""
                {"$id": "http://x/main", "properties": {"a": {"$ref": "other#/$defs/b c"}, "d": {"$ref": "#e"}}, "$defs": {
                  "o": {"$id": "other", "$defs": {"b c": {"items": {"type": "null"}}}}, "e": {"$anchor": "e", "minimum": 1}}}
                """##)
        let violations = schema.violations(of: ["a": [1], "d": 0])
        #expect(
            violations.map(\.schemaLocation) == [
                "http://x/other#/$defs/b%20c/items/type", "http://x/main#/$defs/e/minimum",
            ])
        #expect(
            violations.map(\.schemaPath.description) == ["/properties/a/$ref/items/type", "/properties/d/$ref/minimum"])
        #expect(violations.map(\.instancePath.description) == ["$['a'][0]", "$['d']"])
    }

    @Test func dynamicReferencesShowWhereTheyLed() throws {
        let schema = try JSONSchema(
            text: ##"""
                {"$id": "http://x/main", "$ref": "list", "$defs": {"t": {"$dynamicAnchor": "item", "type": "string"},
                  "list": {"$id": "list", "items": {"$dynamicRef": "#item"}, "$defs": {"any": {"$dynamicAnchor": "item"}}}}}
                """##)
        let violation = try #require(schema.violations(of: ["a", 1]).first)
        #expect(violation.schemaPath.description == "/$ref/items/$dynamicRef/type")
        #expect(violation.schemaLocation == "http://x/main#/$defs/t/type")
    }

    @Test func allViolationsAreFound() throws {
        let schema = try JSONSchema(
            text: """
                {"type": "object", "required": ["a", "z"], "additionalProperties": false,
                 "properties": {"a": {"type": "integer"}, "b": {"minLength": 3, "pattern": "^x"}, "z": {}}}
                """)
        let violations = schema.violations(of: try JSONValue(parsing: #"{"b": "y", "c": 1, "a": "1"}"#))
        #expect(violations.map(\.keyword) == ["required", "additionalProperties", "minLength", "pattern", "type"])
    }

    @Test func expectedAndActual() throws {
        let type = try JSONSchema(text: #"{"type": "integer"}"#).violations(of: "x")[0]
        #expect(type.expected == "integer")
        #expect(type.actual == "x")
        let long = try JSONSchema(text: #"{"type": "integer"}"#).violations(
            of: .string(String(repeating: "x", count: 9_999)))[0]
        #expect(long.actual == nil)
        #expect(long.message.utf8.count < 200)
        #expect(long.message.hasSuffix("(string, 9999 characters)"))
    }

    /// Members described by a failed branch are not also reported as unexpected.
    @Test func unevaluatedAddsNothingToAFailedBranch() throws {
        let schema = try JSONSchema(
            text: """
                {"allOf": [{"properties": {"a": {"type": "string"}}}], "anyOf": [{"properties": {"b": {"type": "null"}}, "required": ["b"]}],
                 "unevaluatedProperties": false}
                """)
        let violations = schema.violations(of: ["a": 1, "b": 2])
        #expect(violations.map(\.keyword) == ["type", "anyOf"])
    }

    @Test func draft4Integers() throws {
        let violation = try JSONSchema(text: #"{"type": "integer"}"#, dialect: .draft4).violations(
            of: JSONValue(parsing: "1.0"))[0]
        #expect(violation.message.hasPrefix("expected integer, got 1.0, which has a fraction"))
    }
}
