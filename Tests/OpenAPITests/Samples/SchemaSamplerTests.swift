import JSON
import JSONSchema
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Values that satisfy a schema")
struct SchemaSamplerTests {
    private static func description(
        _ schema: String, version: String = "3.1.0", named: String = SampleSchemas.named
    ) throws -> OpenAPIDescription {
        let text = """
            {"openapi": "\(version)", "info": {"title": "a", "version": "1"}, "paths": {},
             "components": {"schemas": {"Subject": \(schema)\(named.isEmpty ? "" : ",\n" + named)}}}
            """
        let (description, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.isEmpty, "\(problems)")
        return try #require(description)
    }

    private static func subject(_ description: OpenAPIDescription) throws -> DescriptionNode {
        try #require(description.root["components"]?["schemas"]?["Subject"])
    }

    @Test("A schema that cannot restrict parts restricts none", arguments: SampleSchemas.all)
    func restrictions(text: String) throws {
        let description = try Self.description(text)
        let schema = try Self.subject(description)
        let sampler = SchemaSampler(description, direction: .request)
        guard !sampler.mayRestrictParts(schema), let value = try? sampler.sample(schema) else { return }
        var restrictions = sampler.restrictions(of: value, schema)
        var places: [(path: [String], value: JSONValue)] = [([], value)]
        while let (path, part) = places.popLast() {
            #expect(restrictions.allowedValues(at: path) == nil, "\(text) at \(path)")
            switch part {
            case .object(let object): places += object.map { (path + [$0.key], $0.value) }
            case .array(let elements): places += elements.enumerated().map { (path + ["\($0.offset)"], $0.element) }
            case .null, .bool, .number, .string: break
            }
        }
    }

    @Test(
        "A schema may restrict parts by an enumeration or a constant, also elsewhere",
        arguments: [
            (#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#, false), (#"{"enum": [1, 2]}"#, true),
            (#"{"properties": {"a": {"items": {"const": 1}}}}"#, true),
            (##"{"anyOf": [{"$ref": "#/components/schemas/Other"}]}"##, true),
        ])
    func mayRestrict(text: String, _ expected: Bool) throws {
        let description = try Self.description(text, named: #""Other": {"properties": {"b": {"enum": ["c"]}}}"#)
        let sampler = SchemaSampler(description, direction: .request)
        #expect(sampler.mayRestrictParts(try Self.subject(description)) == expected)
    }

    @Test("A value and its variations satisfy the schema", arguments: SampleSchemas.all)
    func follows(text: String) throws {
        let description = try Self.description(text)
        let schema = try Self.subject(description)
        let judge = try JSONSchema(
            at: schema.pointer, in: description.root.value, options: JSONSchemaOptions(assertsFormat: true))
        for direction in SampleDirection.allCases {
            let sampler = SchemaSampler(description, direction: direction)
            for variation in 0..<3 {
                // If there is only one value, it has no variations.
                guard let value = try? sampler.sample(schema, name: "value", variation: variation) else {
                    #expect(variation > 0, "\(text)")
                    continue
                }
                #expect(judge.violations(of: value).isEmpty, "\(text): \(value)")
            }
        }
    }

    @Test("The samples cover many distinct schemas")
    func count() {
        #expect(SampleSchemas.all.count >= 120)
        #expect(Set(SampleSchemas.all).count == SampleSchemas.all.count)
    }

    @Test(
        "Values that the schema states are preferred",
        arguments: [
            (
                #"{"type": "string", "examples": ["given"], "default": "other", "enum": ["other", "given"]}"#,
                #""given""#
            ),
            (#"{"type": "string", "default": "other", "enum": ["first", "other"]}"#, #""other""#),
            (#"{"type": "integer", "examples": [1, 50], "minimum": 20}"#, "50"),
            (#"{"type": ["string", "null"], "enum": [null, "a"]}"#, #""a""#),
            (
                #"{"type": "object", "properties": {"id": {"type": "integer", "example": 7}, "tags": {"type": "array", "items": {"const": "x"}}}}"#,
                #"{"id":7,"tags":["x"]}"#
            ),
            (#"{"type": "integer", "minimum": 4, "maximum": 4}"#, "4"),
            (#"{"type": "number", "minimum": 0.25, "maximum": 0.25}"#, "0.25"),
            (
                ##"{"$ref": "#/components/schemas/Tree", "properties": {"label": {"example": "root"}}}"##,
                #"{"label":"root"}"#
            ),
        ])
    func first(text: String, expected: String) throws {
        let description = try Self.description(text)
        let value = try SchemaSampler(description, direction: .response).sample(Self.subject(description))
        #expect(value.serialized() == expected)
    }

    @Test("Equal seeds produce equal values, and different seeds different ones")
    func seeds() throws {
        let description = try Self.description(#"{"type": "string", "format": "uuid"}"#)
        let schema = try Self.subject(description)
        let values = try [1, 1, 2].map {
            try SchemaSampler(description, direction: .response, seed: $0).sample(schema, name: "id")
        }
        #expect(values[0] == values[1] && values[0] != values[2])
    }

    @Test("Read-only and write-only properties are omitted in the wrong direction")
    func directions() throws {
        let description = try Self.description(
            """
            {"type": "object", "required": ["id", "secret", "name"], "properties": {
              "id": {"type": "integer", "readOnly": true}, "secret": {"const": "s", "writeOnly": true},
              "name": {"const": "n"}}}
            """, version: "3.0.3")
        let schema = try Self.subject(description)
        let sent = try SchemaSampler(description, direction: .request).sample(schema)
        #expect(sent.objectValue.map { Array($0.keys) } == ["secret", "name"])
        let received = try SchemaSampler(description, direction: .response).sample(schema)
        #expect(received.objectValue.map { Array($0.keys) } == ["id", "name"])
    }

    @Test(
        "The OpenAPI 3.0 dialect is honored",
        arguments: [
            (#"{"type": "integer", "minimum": 3, "exclusiveMinimum": true, "maximum": 4}"#, "4"),
            (#"{"type": "integer", "maximum": 1, "exclusiveMaximum": true, "minimum": 0}"#, "0"),
            (#"{"type": "string", "nullable": true, "enum": [null]}"#, "null"),
            (##"{"$ref": "#/components/schemas/Name", "minLength": 30}"##, #""given""#),
            (#"{"type": "string", "example": "shown"}"#, #""shown""#),
            (#"{"type": "string", "const": "not known in 3.0", "example": "shown"}"#, #""shown""#),
        ])
    func dialect30(text: String, expected: String) throws {
        let description = try Self.description(
            text, version: "3.0.3", named: #""Name": {"type": "string", "example": "given"}"#)
        let value = try SchemaSampler(description, direction: .response).sample(Self.subject(description))
        #expect(value.serialized() == expected)
    }

    @Test("A discriminator determines the value of its property")
    func discriminators() throws {
        let description = try Self.description(
            """
            {"oneOf": [{"$ref": "#/components/schemas/Circle"}], "discriminator": {"propertyName": "shape"}}
            """, version: "3.0.3",
            named: #""Circle": {"type": "object", "required": ["shape"], "properties": {"shape": {"type": "string"}}}"#)
        let value = try SchemaSampler(description, direction: .response).sample(Self.subject(description))
        #expect(value.serialized() == #"{"shape":"Circle"}"#)
    }

    @Test("Branches that only a discriminator distinguishes get a property that the others reject")
    func overlappingBranches() throws {
        let description = try Self.description(
            """
            {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
             "discriminator": {"propertyName": "kind"}}
            """, version: "3.0.3",
            named: """
                "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
                "Dog": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "bark": {"type": "string"}}}
                """)
        let sampler = SchemaSampler(description, direction: .response)
        let value = try sampler.sample(Self.subject(description))
        #expect(value.serialized() == #"{"kind":"Cat","lives":5,"bark":null}"#)
        #expect(sampler.accepts(value, try Self.subject(description)))
    }

    @Test("A branch's allowed values act as discriminator values if its schema name is not allowed")
    func discriminatorsWithoutMapping() throws {
        let description = try Self.description(
            """
            {"oneOf": [{"$ref": "#/components/schemas/Circle"}, {"$ref": "#/components/schemas/Square"}],
             "discriminator": {"propertyName": "shape"}}
            """, version: "3.0.3",
            named: """
                "Circle": {"type": "object", "required": ["shape"], "properties": {"shape": {"type": "string", "enum": ["round"]}}},
                "Square": {"type": "object", "required": ["shape"], "properties": {"shape": {"type": "string", "enum": ["flat"]}}}
                """)
        let value = try SchemaSampler(description, direction: .response).sample(Self.subject(description))
        #expect(value.serialized() == #"{"shape":"round"}"#)
    }

    @Test(
        "Impossible schemas are reported in bounded time",
        arguments: [
            ("false", "the schema allows no value"),
            (
                #"{"type": "string", "minLength": 5, "maxLength": 4}"#,
                "a string must have at least 5 and at most 4 characters"
            ),
            (#"{"type": "integer", "minimum": 5, "maximum": 4}"#, "no number is within the bounds"),
            (#"{"type": "string", "pattern": "^(?!a)a$"}"#, "found no string that matches ^(?!a)a$"),
            (#"{"type": "string", "minLength": 100000000}"#, "a string requires 100000000 characters"),
            (#"{"type": "array", "minItems": 100000000}"#, "an array requires 100000000 elements"),
            (#"{"type": "object", "minProperties": 100000000}"#, "an object requires 100000000 properties"),
            (
                #"{"type": "array", "items": {"type": "boolean"}, "minItems": 3, "uniqueItems": true}"#,
                "found fewer than 3 unique elements"
            ),
            (
                ##"{"type": "object", "required": ["self"], "properties": {"self": {"$ref": "#/components/schemas/Subject"}}}"##,
                "the schema requires itself recursively"
            ),
            (##"{"$ref": "#/components/schemas/Subject"}"##, ""),
            (#"{"type": "string", "enum": []}"#, ""),
            (
                ##"{"type": "object", "required": ["a", "b"], "properties": {"a": {"$ref": "#/components/schemas/Subject"}, "b": {"$ref": "#/components/schemas/Subject"}}}"##,
                ""
            ),
        ])
    func impossible(text: String, expected: String) throws {
        let source = """
            {"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": {},
             "components": {"schemas": {"Subject": \(text)}}}
            """
        let description = try #require(TextSource(["/openapi.yaml": source]).load().description)
        let schema = try Self.subject(description)
        let failure = #expect(throws: SampleFailure.self) {
            try SchemaSampler(description, direction: .request).sample(schema)
        }
        if !expected.isEmpty { #expect(failure?.message == expected) }
    }

    @Test("References are followed across files")
    func files() throws {
        let (loaded, _) = TextSource([
            "/openapi.yaml": """
            openapi: 3.1.0
            info: { title: a, version: "1" }
            components: { schemas: { Subject: { $ref: 'parts/book.yaml#/Book' } } }
            """,
            "/parts/book.yaml": """
            Book: { type: object, required: [author], properties: { author: { $ref: 'author.yaml' } }, not: { required: [x] } }
            """,
            "/parts/author.yaml": "{ type: string, enum: [Ada] }",
        ]).load()
        let description = try #require(loaded)
        let value = try SchemaSampler(description, direction: .response).sample(Self.subject(description))
        #expect(value.serialized() == #"{"author":"Ada"}"#)
    }
}
