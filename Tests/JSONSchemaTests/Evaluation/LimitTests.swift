import JSON
import JSONSchema
import Testing

/// Tests of the limits on work, depth and output. The time is at most linear in the size of the input.
struct LimitTests {
    @Test func deepValues() throws {
        let schema = try JSONSchema(text: ##"{"items": {"$ref": "#"}}"##)
        var value: JSONValue = []
        for _ in 0..<900 { value = [value] }
        #expect(schema.isValid(value))
        for _ in 0..<1_000 { value = [value] }
        #expect(!schema.isValid(value))
        let violation = try #require(schema.violations(of: value).last)
        #expect(violation.kind == .limit)
        #expect(violation.message == "the validation was stopped because it exceeded 1024 levels of nested schemas")
    }

    @Test func deepestAllowed() throws {
        let schema = try JSONSchema(
            text: ##"{"anyOf": [{"items": {"$ref": "#"}}], "unevaluatedItems": false}"##,
            limits: JSONSchemaLimits(maximumDepth: .max))
        var value: JSONValue = []
        for _ in 0..<700 { value = [value] }
        #expect(schema.isValid(value))
        for _ in 0..<2_000 { value = [value] }
        #expect(!schema.isValid(value))
        #expect(schema.violations(of: value).last?.kind == .limit)
    }

    @Test func dynamicRecursionWithoutProgress() throws {
        let schema = try JSONSchema(
            text: ##"""
                {"$id": "http://x/a", "$dynamicAnchor": "n", "$ref": "b", "$defs": {
                  "b": {"$id": "b", "$dynamicRef": "#n", "$defs": {"n": {"$dynamicAnchor": "n"}}}}}
                """##)
        #expect(!schema.isValid(1))
        #expect(schema.violations(of: 1).last?.kind == .limit)
    }

    /// There are 2^30 paths through the schema.
    @Test func steps() throws {
        var definitions = JSONObject()
        for level in 0..<30 {
            let next: JSONValue = ["$ref": .string("#/$defs/l\(level + 1)")]
            definitions.append("l\(level)", ["allOf": [next, next]])
        }
        definitions.append("l30", ["minimum": 1])
        let schema = try JSONSchema(
            ["$ref": "#/$defs/l0", "$defs": .object(definitions)],
            options: JSONSchemaOptions(limits: JSONSchemaLimits(maximumSteps: 20_000)))
        #expect(!schema.isValid(2))
        let violations = schema.violations(of: 2)
        #expect(violations.map(\.kind) == [.limit])
        #expect(violations[0].message == "the validation was stopped because it took more than 20000 steps")
    }

    /// Each level is applied once, with or without tracking. Twice would result in 2^40 applications here.
    @Test func nestedBranchesAreAppliedOnce() throws {
        for keyword in ["anyOf", "oneOf", "allOf"] {
            var schema: JSONValue = ["properties": ["a": ["type": "integer"]], "unevaluatedProperties": false]
            for _ in 0..<40 { schema = [keyword: [schema], "unevaluatedProperties": false] }
            let compiled = try JSONSchema(
                schema, options: JSONSchemaOptions(limits: JSONSchemaLimits(maximumSteps: 2_000)))
            #expect(compiled.isValid(["a": 1]))
            #expect(compiled.violations(of: ["a": "x"]).first?.kind == .invalid)
            #expect(compiled.violations(of: ["a": "x"]).count == 1)
        }
    }

    @Test func numberOfViolations() throws {
        let schema = try JSONSchema(
            text: #"{"items": {"type": "null"}}"#, limits: JSONSchemaLimits(maximumViolations: 7))
        let value = JSONValue.array(Array(repeating: 1, count: 100_000))
        #expect(schema.violations(of: value).count == 7)
        let branches = try JSONSchema(
            text: #"{"anyOf": [{"items": {"type": "null"}}, {"items": {"type": "string"}}]}"#,
            limits: JSONSchemaLimits(maximumViolations: 7))
        let violations = branches.violations(of: value)
        #expect(violations.count == 1)
        #expect(violations[0].causes.count == 7)
    }

    @Test func sizeOfSchemas() throws {
        #expect(throws: JSONSchemaError.self) {
            try JSONSchema(
                text: #"{"allOf": [{}, {}, {}, {}, {}, {}]}"#, limits: JSONSchemaLimits(maximumSchemas: 5))
        }
    }

    @Test func deepSchemas() throws {
        var schema: JSONValue = ["type": "null"]
        for _ in 0..<5_000 { schema = ["items": schema] }
        let compiled = try JSONSchema(schema)
        #expect(compiled.isValid([[]]))
        var chain = JSONObject()
        for index in 0..<5_000 { chain.append("d\(index)", ["$ref": .string("#/$defs/d\(index + 1)")]) }
        chain.append("d5000", ["type": "null"])
        let references = try JSONSchema(["$ref": "#/$defs/d0", "$defs": .object(chain)])
        #expect(references.isValid(nil ?? .null))
    }

    @Test func manyUniqueElements() throws {
        let schema = try JSONSchema(text: #"{"uniqueItems": true}"#)
        let numbers = (0..<50_000).map { JSONValue.number(JSONNumber($0)) }
        #expect(schema.isValid(.array(numbers)))
        #expect(!schema.isValid(.array(numbers + [try JSONValue(parsing: "1.0e3")])))
        #expect(schema.isValid(.array((0..<20_000).map { ["a": .number(JSONNumber($0))] })))
    }

    @Test func manyProperties() throws {
        var properties = JSONObject()
        var value = JSONObject()
        for index in 0..<20_000 {
            properties.append("a_rather_long_name_\(index)_of_a_member", ["type": "integer"])
            value.append("a_rather_long_name_\(index)_of_a_member", 1)
        }
        let schema = try JSONSchema(["properties": .object(properties), "additionalProperties": false])
        #expect(schema.isValid(.object(value)))
        value.sortMembers()
        #expect(schema.isValid(.object(value)))
        value.append("other", 1)
        #expect(!schema.isValid(.object(value)))
    }
}
