import JSON
import JSONSchema
import Testing

/// Tests of the order in which branches of `anyOf` and `oneOf` are reported.
struct BranchTests {
    static let pets = ##"""
        {"anyOf": [{"$ref": "#/$defs/Dog"}, {"$ref": "#/$defs/Cat"}, {"type": "null"}], "$defs": {
          "Dog": {"type": "object", "required": ["kind", "bark"], "properties": {"kind": {"const": "dog"}, "bark": {"type": "string"}}},
          "Cat": {"type": "object", "required": ["kind", "lives"], "properties": {"kind": {"const": "cat"},
            "lives": {"type": "object", "properties": {"left": {"type": "integer"}}}}}}}
        """##

    @Test func theMarkedBranchComesFirst() throws {
        let schema = try JSONSchema(text: BranchTests.pets)
        let violations = schema.violations(of: ["kind": "dog", "bark": 1])
        #expect(violations.count == 1)
        #expect(violations[0].keyword == "anyOf")
        #expect(violations[0].causes[0].description == "$.bark: expected string, got 1 (integer)")
        #expect(
            violations[0].message
                == "matches none of the 3 branches of anyOf; closest is branch 0 (#/$defs/Dog): bark: expected string, got 1 (integer)"
        )
    }

    @Test func aMarkCountsMoreThanDepth() throws {
        let schema = try JSONSchema(text: BranchTests.pets)
        let value: JSONValue = ["kind": "dog", "lives": ["left": "9"]]
        let violation = schema.violations(of: value)[0]
        #expect(violation.causes[0].description == "$: missing property \"bark\"")
        let cat: JSONValue = ["kind": "cat", "lives": ["left": "9"]]
        #expect(
            schema.violations(of: cat)[0].causes[0].description == "$.lives.left: expected integer, got \"9\" (string)")
    }

    @Test func theTypeCountsMost() throws {
        let schema = try JSONSchema(
            text:
                #"{"anyOf": [{"type": "string"}, {"type": "object", "required": ["a", "b", "c"]}, {"type": "array"}]}"#)
        #expect(schema.violations(of: ["x": 1])[0].causes[0].message == "missing property \"a\"")
        #expect(schema.violations(of: ["x": 1])[0].message.hasSuffix("missing property \"a\" (and 2 more)"))
    }

    @Test func deeperAndFewer() throws {
        let deeper = try JSONSchema(
            text: #"{"anyOf": [{"required": ["q"]}, {"properties": {"a": {"properties": {"b": {"type": "null"}}}}}]}"#)
        #expect(deeper.violations(of: ["a": ["b": 1]])[0].causes[0].instancePath.shorthand == "$.a.b")
        let fewer = try JSONSchema(text: #"{"anyOf": [{"required": ["q", "r"]}, {"required": ["s"]}]}"#)
        #expect(
            fewer.violations(of: [:] as JSONValue)[0].causes.map(\.message) == [
                "missing property \"s\"", "missing property \"q\"", "missing property \"r\"",
            ])
    }

    @Test func alternativesOfTypesAndValues() throws {
        let types = try JSONSchema(text: #"{"anyOf": [{"type": "string"}, {"type": ["null", "boolean"]}]}"#)
        #expect(types.violations(of: 1)[0].message == "expected string, boolean or null, got 1 (integer)")
        let values = try JSONSchema(text: #"{"oneOf": [{"const": "a"}, {"enum": ["b", "c"]}]}"#)
        #expect(values.violations(of: "d")[0].message == #"expected one of "a", "b", "c", got "d" (string)"#)
    }

    @Test func tooManyBranches() throws {
        let schema = try JSONSchema(
            text:
                ##"{"oneOf": [{"type": "integer"}, {"minimum": 5}, {"$ref": "#/$defs/Odd"}], "$defs": {"Odd": {"type": "number"}}}"##
        )
        let violation = schema.violations(of: 1)[0]
        #expect(
            violation.message
                == "matches 2 of 3 branches (0 and 2 (#/$defs/Odd)), expected exactly one, got 1 (integer)")
        #expect(violation.keyword == "oneOf")
        #expect(violation.causes.isEmpty)
    }

    @Test func nestedBranches() throws {
        let schema = try JSONSchema(
            text:
                #"{"anyOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"properties": {"a": {"type": "null"}}}]}"#
        )
        let violation = schema.violations(of: ["a": 1])[0]
        #expect(violation.causes[0].instancePath.shorthand == "$.a")
    }

    /// Branches with a distinguishing member: only details change, never the result.
    @Test func discriminators() throws {
        let schema = ##"""
            {"$defs": {"C": {"$ref": "#/$defs/D"}, "D": {"properties": {"k": {"$ref": "#/$defs/K"}, "n": {"type": "null"}}}, "K": {"enum": ["c", "d"]}},
             "KEYWORD": [{"properties": {"k": {"const": "a"}, "n": {"type": "integer"}}, "required": ["n"]},
                         {"properties": {"k": {"enum": ["b", "c"]}, "n": {"type": "string"}}},
                         {"$ref": "#/$defs/C"}, {"required": ["z"]}]}
            """##
        try SchemaCase(
            .draft202012, schema.replacing("KEYWORD", with: "anyOf"),
            valid: [
                #"{"k": "a", "n": 1}"#, #"{"k": "b", "n": "x"}"#, #"{"k": "c", "n": "x"}"#, #"{"k": "c", "n": null}"#,
                #"{"k": "d"}"#, #"{"k": "q", "z": 1}"#, #"{"k": 1, "z": 1}"#, "{}", "1", #"{"n": 1}"#,
            ],
            invalid: [#"{"k": "a"}"#, #"{"k": "b", "n": 1}"#, #"{"k": "q"}"#, #"{"k": 1}"#, #"{"k": "c", "n": 1}"#]
        ).check()
        try SchemaCase(
            .draft202012, schema.replacing("KEYWORD", with: "oneOf"),
            valid: [#"{"k": "a", "n": 1}"#, #"{"k": "b", "n": "x"}"#, #"{"k": "q", "z": 1}"#],
            invalid: [#"{"k": "a", "n": 1, "z": 1}"#, #"{"k": "c"}"#, #"{"k": "q"}"#, "{}"]
        ).check()
    }

    @Test func messagesOfDiscriminators() throws {
        let branches = ["a", "b", "c"].map {
            #"{"required": ["k", "v"], "properties": {"k": {"const": "\#($0)"}, "v": {"type": "null"}}}"#
        }
        let schema = try JSONSchema(text: #"{"properties": {"x": {"oneOf": [\#(branches.joined(separator: ","))]}}}"#)
        let unknown = schema.violations(of: ["x": ["k": "d", "v": 1]])[0]
        #expect(unknown.message == #"k: expected one of "a", "b", "c", got "d" (string)"#)
        #expect(unknown.instancePath.shorthand == "$.x")
        #expect(
            unknown.causes.map(\.schemaPath.description)
                == (0..<3).map { "/properties/x/oneOf/\($0)/properties/k/const" })
        let known = schema.violations(of: ["x": ["k": "b", "v": 1]])[0]
        #expect(
            known.causes.map(\.description) == [
                "$.x.v: expected null, got 1 (integer)", #"$.x.k: expected "a" (string), got "b" (string)"#,
                #"$.x.k: expected "c" (string), got "b" (string)"#,
            ])
    }
}
