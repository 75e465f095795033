import JSON
import JSONSchema
import Testing

/// Tests of errors in schemas, with their locations and messages.
struct SchemaErrorTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let dialect: JSONSchemaDialect
        let schema: String
        let pointer: String
        let message: String

        init(_ schema: String, _ pointer: String, _ message: String, _ dialect: JSONSchemaDialect = .draft202012) {
            self.dialect = dialect
            self.schema = schema
            self.pointer = pointer
            self.message = message
        }

        var testDescription: String { schema }
    }

    static let mistakes: [Mistake] = [
        Mistake("3", "", "a schema must be an object or a boolean, got 3 (integer)"),
        Mistake("true", "", "a draft 4 schema must be an object; write {} for true", .draft4),
        Mistake(#"{"not": true}"#, "/not", "a draft 4 schema must be an object; write {} for true", .draft4),
        Mistake(#"{"type": "interger"}"#, "/type", #"unknown type "interger"; did you mean "integer"?"#),
        Mistake(#"{"type": "int"}"#, "/type", #"did you mean "integer"?"#),
        Mistake(#"{"type": "color"}"#, "/type", "known types are null, boolean"),
        Mistake(#"{"type": ["string", "strin"]}"#, "/type/1", #"did you mean "string"?"#),
        Mistake(#"{"type": ["string", "string"]}"#, "/type/1", "twice"),
        Mistake(#"{"type": []}"#, "/type", "non-empty"),
        Mistake(#"{"type": 1}"#, "/type", #""type" must be the name of a type"#),
        Mistake(
            #"{"properties": {"a": {"minimum": "3"}}}"#, "/properties/a/minimum",
            #""minimum" must be a number, got "3" (string)"#),
        Mistake(#"{"exclusiveMinimum": true}"#, "/exclusiveMinimum", "only draft 4 uses true and false"),
        Mistake(
            #"{"exclusiveMinimum": true}"#, "/exclusiveMinimum", #"in draft 4 requires "minimum", which is missing"#,
            .draft4),
        Mistake(#"{"minimum": 1, "exclusiveMinimum": 1}"#, "/exclusiveMinimum", "must be true or false", .draft4),
        Mistake(#"{"multipleOf": 0}"#, "/multipleOf", "a number greater than 0, got 0"),
        Mistake(#"{"multipleOf": -1}"#, "/multipleOf", "greater than 0"),
        Mistake(#"{"minLength": -1}"#, "/minLength", "a non-negative integer, got -1"),
        Mistake(#"{"maxItems": 1.5}"#, "/maxItems", "a non-negative integer"),
        Mistake(#"{"maxItems": 1.0}"#, "/maxItems", "a non-negative integer", .draft4),
        Mistake(#"{"minProperties": "1"}"#, "/minProperties", "a non-negative integer"),
        Mistake(#"{"uniqueItems": 1}"#, "/uniqueItems", "true or false"),
        Mistake(#"{"pattern": "("}"#, "/pattern", #"invalid pattern "(": "#),
        Mistake(#"{"pattern": "(?>a)"}"#, "/pattern", "ECMA-262 does not support atomic groups"),
        Mistake(#"{"pattern": 1}"#, "/pattern", "must be a string"),
        Mistake(#"{"patternProperties": {"[": {}}}"#, "/patternProperties/[", #"invalid pattern "[": "#),
        Mistake(
            #"{"required": true}"#, "/required", #"an array of property names next to "properties""#),
        Mistake(#"{"required": ["a", 1]}"#, "/required/1", "must be a string"),
        Mistake(#"{"required": ["a", "a"]}"#, "/required/1", "twice"),
        Mistake(#"{"required": []}"#, "/required", "non-empty", .draft4),
        Mistake(#"{"dependentRequired": {"a": "b"}}"#, "/dependentRequired/a", "an array of names"),
        Mistake(
            #"{"dependencies": {"a": "b"}}"#, "/dependencies/a", "a schema must be an object or a boolean", .draft7),
        Mistake(#"{"enum": 1}"#, "/enum", "an array"),
        Mistake(#"{"enum": []}"#, "/enum", "non-empty", .draft4),
        Mistake(#"{"allOf": []}"#, "/allOf", "a non-empty array of schemas, got [] (array)"),
        Mistake(#"{"anyOf": {}}"#, "/anyOf", "a non-empty array of schemas"),
        Mistake(#"{"oneOf": [1]}"#, "/oneOf/0", "a schema must be an object or a boolean"),
        Mistake(#"{"items": [{}]}"#, "/items", #""prefixItems""#),
        Mistake(#"{"items": 1}"#, "/items", "a schema must be"),
        Mistake(#"{"properties": []}"#, "/properties", "must be an object"),
        Mistake(#"{"$defs": {"unused": {"type": "x"}}}"#, "/$defs/unused/type", "unknown type"),
        Mistake(#"{"definitions": {"a": 1}}"#, "/definitions/a", "a schema must be", .draft7),
        Mistake(#"{"title": 1}"#, "/title", "must be a string"),
        Mistake(#"{"readOnly": 1}"#, "/readOnly", "true or false"),
        Mistake(#"{"examples": 1}"#, "/examples", "an array"),
        Mistake(#"{"format": 1}"#, "/format", "a string"),
        Mistake(#"{"$id": 1}"#, "/$id", "must be a URI reference (a string), got 1 (integer)"),
        Mistake(#"{"$id": "a#b"}"#, "/$id", #"use "$anchor" to name a location"#),
        Mistake(#"{"$anchor": "1a"}"#, "/$anchor", "starts with a letter"),
        Mistake(#"{"$dynamicAnchor": "a b"}"#, "/$dynamicAnchor", "a name of letters"),
        Mistake(
            ##"{"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}"##, "/$defs/b/$anchor",
            #"already has the anchor "x""#),
        Mistake(
            ##"{"$defs": {"a": {"$id": "x"}, "b": {"$id": "x", "type": "null"}}}"##, "/$defs/b/$id",
            #"also has the URI "x""#),
        Mistake(#"{"$recursiveAnchor": 1}"#, "/$recursiveAnchor", "true or false", .draft201909),
        Mistake(##"{"$recursiveRef": "#a"}"##, "/$recursiveRef", ##"must be "#""##, .draft201909),
        Mistake(#"{"$schema": "http://nowhere/schema"}"#, "/$schema", "unknown dialect"),
        Mistake(#"{"$schema": 7}"#, "/$schema", "the URI of a metaschema"),
        Mistake(#"{"$ref": 1}"#, "/$ref", "must be a URI reference (a string), got 1 (integer)"),
        Mistake(
            ##"{"$ref": "#/$defs/pet", "$defs": {"Pet": {}}}"##, "/$ref",
            ##""#/$defs/pet" cannot be resolved: "#/$defs" has no member "pet"; did you mean "Pet"?"##),
        Mistake(##"{"$ref": "#/definitions/a"}"##, "/$ref", ##""#" has no member "definitions""##),
        Mistake(
            ##"{"$ref": "#/allOf/2", "allOf": [{}]}"##, "/$ref", ##""#/allOf" has no element "2"; it has 1 element"##),
        Mistake(##"{"$ref": "#/title/x", "title": "t"}"##, "/$ref", "which has no members"),
        Mistake(##"{"$ref": "#pet", "$defs": {"pet": {}}}"##, "/$ref", ##"did you mean "#/$defs/pet"?"##),
        Mistake(##"{"$ref": "#pat", "$defs": {"p": {"$anchor": "pet"}}}"##, "/$ref", ##"did you mean "#pet"?"##),
        Mistake(##"{"$ref": "#/~2"}"##, "/$ref", ##"the fragment of "#/~2" is not a JSON Pointer"##),
        Mistake(#"{"$ref": "other.json"}"#, "/$ref", "refers to an unknown document"),
        Mistake(#"{"items": {"$ref": "http://x/a"}}"#, "/items/$ref", "refers to an unknown document"),
        Mistake(##"{"$ref": "#"}"##, "", "infinite recursion: the schema refers to itself"),
        Mistake(
            ##"{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/a"}]}}}"##,
            "/$defs/b/anyOf/1", "infinite recursion: the schema refers to itself"),
        Mistake(##"{"if": {"$ref": "#"}}"##, "/if", "infinite recursion: the schema refers to itself"),
        Mistake(
            ##"{"$defs": {"a": {"dependentSchemas": {"x": {"$ref": "#/$defs/a"}}}}}"##, "/$defs/a/dependentSchemas/x",
            "infinite recursion: the schema refers to itself"),
        Mistake(
            ##"{"definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/definitions/a"}}}"##,
            "/definitions/b", "infinite recursion: the schema refers to itself", .draft7),
    ]

    @Test(arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let error = #expect(throws: JSONSchemaError.self) {
            try JSONSchema(text: mistake.schema, dialect: mistake.dialect)
        }
        #expect(error?.pointer.description == mistake.pointer)
        #expect(error?.message.contains(mistake.message) == true, "\(error?.message ?? "no error")")
        #expect(error?.message.hasSuffix(".") == false)
        #expect(error?.uri == "")
    }

    @Test func unknownKeywordsAreAllowed() throws {
        let schema = try JSONSchema(
            text: #"{"x-any": {"type": 3}, "example": 1, "discriminator": {"propertyName": "a"}}"#)
        #expect(schema.isValid(1))
    }

    @Test func requiredVocabulariesMustBeKnown() throws {
        var resources = JSONSchemaResources()
        resources.add(
            [
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$vocabulary": ["https://json-schema.org/draft/2020-12/vocab/core": true, "http://x/vocab": true],
            ], uri: "http://x/meta")
        let error = #expect(throws: JSONSchemaError.self) {
            try JSONSchema(["$schema": "http://x/meta"], resources: resources)
        }
        #expect(error?.uri == "http://x/meta")
        #expect(error?.pointer.tokens == ["$vocabulary", "http://x/vocab"])
    }

    @Test func metaschemasThatDescribeThemselves() throws {
        var resources = JSONSchemaResources()
        resources.add(["$schema": "http://x/b"], uri: "http://x/a")
        resources.add(["$schema": "http://x/a"], uri: "http://x/b")
        #expect(throws: JSONSchemaError.self) { try JSONSchema(["$schema": "http://x/a"], resources: resources) }
    }
}
