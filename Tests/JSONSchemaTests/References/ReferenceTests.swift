import Basics
import JSON
import JSONSchema
import Testing

/// Tests of the resolution of references: identifiers, anchors, pointers, and other documents.
struct ReferenceTests {
    static let cases: [SchemaCase] = [
        SchemaCase(
            .draft202012,
            ##"{"$defs": {"a b": {"type": "string"}, "a/b": {"type": "null"}, "a~b": {"type": "array"}, "a%b": {"type": "object"}}, "prefixItems": [{"$ref": "#/$defs/a%20b"}, {"$ref": "#/$defs/a~1b"}, {"$ref": "#/$defs/a~0b"}, {"$ref": "#/$defs/a%25b"}]}"##,
            valid: [#"["x", null, [], {}]"#],
            invalid: ["[1]", #"["x", 1]"#, #"["x", null, 1]"#, #"["x", null, [], 1]"#]),
        SchemaCase(
            .draft202012,
            ##"{"properties": {"a": {"$ref": "#/x/y/0"}}, "x": {"y": [{"type": "string", "items": {"$ref": "#"}}]}}"##,
            valid: [#"{"a": "s"}"#], invalid: [#"{"a": 1}"#]),
        SchemaCase(
            .draft202012,
            ##"{"$defs": {"\u00e9": {"type": "string"}, "e\u0301": {"type": "null"}}, "prefixItems": [{"$ref": "#/$defs/%C3%A9"}, {"$ref": "#/$defs/e%CC%81"}]}"##,
            valid: [#"["x", null]"#], invalid: ["[null]", #"["x", "x"]"#]),
        // An identifier in an unknown keyword is ignored until a reference leads there.
        SchemaCase(
            .draft202012,
            ##"{"$id": "http://x/a", "other": {"$id": "http://x/b", "type": "string"}, "const": {"$id": "http://x/c"}, "enum": [{"$id": "http://x/c"}]}"##,
            valid: [##"{"$id": "http://x/c"}"##], invalid: ["1"]),
        SchemaCase(
            .draft202012,
            ##"{"$id": "urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed", "properties": {"a": {"$ref": "#/$defs/s"}, "b": {"$ref": "urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed#t"}}, "$defs": {"s": {"type": "string", "$anchor": "t"}}}"##,
            valid: [#"{"a": "x", "b": "y"}"#], invalid: [#"{"a": 1}"#, #"{"b": 1}"#]),
        SchemaCase(
            .draft202012,
            ##"{"$id": "HTTP://X/dir/../dir/./a.json", "$ref": "http://x/dir/b.json", "$defs": {"b": {"$id": "b.json", "$ref": "../c", "$defs": {"c": {"$id": "/c", "type": "string"}}}}}"##,
            valid: [#""s""#], invalid: ["1"]),
        SchemaCase(
            .draft202012, ##"{"type": "object", "additionalProperties": {"$ref": "#"}}"##,
            valid: [#"{"a": {"b": {}}}"#], invalid: [#"{"a": {"b": 1}}"#]),
        SchemaCase(
            .draft202012,
            ##"{"items": {"$dynamicRef": "#t"}, "$defs": {"a": {"$dynamicAnchor": "t", "type": "string"}}}"##,
            valid: [#"["a"]"#], invalid: ["[1]"]),
        SchemaCase(
            .draft7, ##"{"$ref": "http://json-schema.org/draft-07/schema#/definitions/nonNegativeInteger"}"##,
            valid: ["1"], invalid: ["-1"]),
        SchemaCase(
            .draft202012, ##"{"$ref": "https://json-schema.org/draft/2020-12/meta/validation#/$defs/stringArray"}"##,
            valid: [#"["a"]"#], invalid: ["[1]"]),
        SchemaCase(
            .draft202012, ##"{"$ref": "https://json-schema.org/draft/2019-09/meta/core"}"##,
            valid: [#"{"$anchor": "a"}"#], invalid: [#"{"$anchor": 1}"#]),
    ]

    @Test(arguments: cases)
    func references(_ test: SchemaCase) throws {
        try test.check()
    }

    @Test func givenDocuments() throws {
        var resources = JSONSchemaResources()
        resources.add(["$defs": ["s": ["type": "string"]]], uri: "http://x/lib.json")
        resources.add(["$id": "http://x/named", "type": "null"], uri: "file:///somewhere.json#")
        resources.add(["definitions": ["a": ["items": [["type": "string"]]]]], uri: "http://x/old.json")
        try SchemaCase(
            .draft202012, #"{"$id": "http://x/main", "anyOf": [{"$ref": "lib.json#/$defs/s"}, {"$ref": "named"}]}"#,
            valid: [#""s""#, "null"], invalid: ["1"]
        ).check(resources)
        // A document without $schema has the dialect of the first schema that refers to it.
        try SchemaCase(
            .draft202012,
            #"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "http://x/old.json#/definitions/a"}"#,
            valid: [#"["s"]"#], invalid: ["[1]"]
        ).check(resources)
    }

    @Test func loader() throws {
        var resources = JSONSchemaResources()
        resources.loader = { uri throws(JSONSchemaResourceError) in
            switch uri {
            case "file:///schemas/a.json":
                return ["$schema": "http://json-schema.org/draft-04/schema#", "$ref": "b.json"]
            case "file:///schemas/b.json": return ["type": "integer"]
            case "file:///schemas/broken.json": throw JSONSchemaResourceError(message: "no such file")
            default: return nil
            }
        }
        let options = JSONSchemaOptions(baseURI: "file:///schemas/main.json")
        let schema = try JSONSchema(["$ref": "a.json"], resources: resources, options: options)
        #expect(schema.isValid(1))
        // The dialect of draft 4 also applies to the document without $schema.
        #expect(!schema.isValid(try JSONValue(parsing: "1.0")))
        let missing = #expect(throws: JSONSchemaError.self) {
            try JSONSchema(["$ref": "c.json"], resources: resources, options: options)
        }
        #expect(missing?.message.contains("file:///schemas/c.json") == true)
        #expect(missing?.uri == "file:///schemas/main.json")
        let broken = #expect(throws: JSONSchemaError.self) {
            try JSONSchema(["$ref": "broken.json"], resources: resources, options: options)
        }
        #expect(broken?.message.contains("no such file") == true)
    }

    @Test func loaderIsNotAskedForMetaschemas() throws {
        var resources = JSONSchemaResources()
        resources.loader = { uri throws(JSONSchemaResourceError) in
            throw JSONSchemaResourceError(message: "asked for \(uri)")
        }
        for dialect in JSONSchemaDialect.drafts {
            _ = try JSONSchema(["$schema": .string(dialect.uri), "$ref": .string(dialect.uri)], resources: resources)
        }
    }

    @Test func errorsInOtherDocumentsNameThem() throws {
        var resources = JSONSchemaResources()
        resources.add(["$defs": ["s": ["type": "strin"]]], uri: "http://x/lib.json")
        let error = #expect(throws: JSONSchemaError.self) {
            try JSONSchema(["$ref": "http://x/lib.json#/$defs/s"], resources: resources)
        }
        #expect(error?.uri == "http://x/lib.json")
        #expect(error?.pointer.description == "/$defs/s/type")
    }

    @Test func partOfADocument() throws {
        let document: JSONValue = [
            "components": [
                "schemas": [
                    "Pet": ["type": "object", "properties": ["tag": ["$ref": "#/components/schemas/Tag"]]],
                    "Tag": ["type": "string"], "Broken": ["type": "strin"],
                ]
            ]
        ]
        let schema = try JSONSchema(at: JSONPointer("/components/schemas/Pet"), in: document)
        #expect(schema.isValid(["tag": "x"]))
        let violation = schema.violations(of: ["tag": 1]).first
        #expect(violation?.schemaLocation == "#/components/schemas/Tag/type")
        #expect(violation?.schemaPath.description == "/properties/tag/$ref/type")
        #expect(throws: JSONSchemaError.self) {
            try JSONSchema(at: JSONPointer("/components/schemas/Broken"), in: document)
        }
        let missing = #expect(throws: JSONSchemaError.self) {
            try JSONSchema(at: JSONPointer("/components/schemas/pet"), in: document)
        }
        #expect(missing?.message.contains("did you mean \"Pet\"?") == true)
    }
}
