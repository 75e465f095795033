import JSON
import JSONSchema
import Testing

/// Tests of keywords that only some drafts have, or that differ between drafts.
struct DialectTests {
    static let cases: [SchemaCase] = [
        // Draft 4
        SchemaCase(.draft4, #"{"type": "integer"}"#, valid: ["1", "-3"], invalid: ["1.0", "1e2", "1.5", #""1""#]),
        SchemaCase(.draft6, #"{"type": "integer"}"#, valid: ["1", "1.0", "1e2"], invalid: ["1.5"]),
        SchemaCase(.draft4, #"{"type": ["integer", "null"]}"#, valid: ["1", "null"], invalid: ["1.0"]),
        SchemaCase(.draft4, #"{"type": "number"}"#, valid: ["1", "1.0"], invalid: ["null"]),
        SchemaCase(
            .draft4, #"{"minimum": 3, "exclusiveMinimum": true}"#, valid: ["3.1", "4"], invalid: ["3", "3.0", "2"]),
        SchemaCase(.draft4, #"{"minimum": 3, "exclusiveMinimum": false}"#, valid: ["3"], invalid: ["2"]),
        SchemaCase(.draft4, #"{"maximum": 3, "exclusiveMaximum": true}"#, valid: ["2.9"], invalid: ["3", "4"]),
        SchemaCase(.draft6, #"{"exclusiveMinimum": 3, "minimum": 1}"#, valid: ["3.1"], invalid: ["3", "0"]),
        SchemaCase(.draft6, #"{"exclusiveMaximum": 3}"#, valid: ["2.9"], invalid: ["3"]),
        SchemaCase(
            .draft4, #"{"const": 1, "contains": false, "propertyNames": false, "if": false}"#,
            valid: ["2", "[1]", #"{"a": 1}"#]),
        SchemaCase(
            .draft4, #"{"additionalProperties": false, "properties": {"a": {}}}"#, valid: [#"{"a": 1}"#],
            invalid: [#"{"b": 1}"#]),
        SchemaCase(.draft4, #"{"items": [{}], "additionalItems": false}"#, valid: ["[1]"], invalid: ["[1, 2]"]),
        SchemaCase(
            .draft4,
            #"{"id": "http://x/root", "definitions": {"a": {"id": "a", "type": "string"}}, "allOf": [{"$ref": "http://x/a"}]}"#,
            valid: [#""a""#], invalid: ["1"]),
        SchemaCase(
            .draft4, ##"{"definitions": {"a": {"id": "#name", "type": "string"}}, "items": {"$ref": "#name"}}"##,
            valid: [#"["a"]"#], invalid: ["[1]"]),
        SchemaCase(
            .draft4, #"{"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}"#, valid: [#"{"a": 1, "b": 1}"#, "{}"],
            invalid: [#"{"a": 1}"#, #"{"c": 1}"#]),
        SchemaCase(
            .draft4, #"{"properties": {"$id": {"type": "string"}, "id": {"type": "string"}}}"#,
            valid: [#"{"id": "x"}"#],
            invalid: [#"{"id": 1}"#, #"{"$id": 1}"#]),
        // Draft 6
        SchemaCase(.draft6, "true", valid: ["1"]),
        SchemaCase(.draft6, "false", invalid: ["1", "null"]),
        SchemaCase(.draft6, #"{"const": {"a": 1.0}}"#, valid: [#"{"a": 1}"#], invalid: [#"{"a": true}"#]),
        SchemaCase(.draft6, #"{"contains": {"const": 1}}"#, valid: ["[2, 1]", "{}"], invalid: ["[]", "[2]"]),
        SchemaCase(.draft6, #"{"propertyNames": {"maxLength": 1}}"#, valid: [#"{"a": 1}"#], invalid: [#"{"ab": 1}"#]),
        SchemaCase(.draft6, #"{"if": true, "then": false}"#, valid: ["1"]),
        SchemaCase(.draft6, #"{"id": 12, "$defs": 3, "prefixItems": 1}"#, valid: ["1"]),
        SchemaCase(.draft6, #"{"dependencies": {"a": []}}"#, valid: [#"{"a": 1}"#]),
        // Draft 7
        SchemaCase(
            .draft7, #"{"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "null"}}"#,
            valid: [#""ab""#, "null"], invalid: [#""a""#, "1"]),
        SchemaCase(
            .draft7, ##"{"definitions": {"a": {"type": "string"}}, "$ref": "#/definitions/a", "maxLength": 1}"##,
            valid: [#""ab""#], invalid: ["1"]),
        SchemaCase(
            .draft7, #"{"dependentRequired": {"a": ["b"]}, "unevaluatedProperties": false, "minContains": 2}"#,
            valid: [#"{"a": 1}"#]),
        SchemaCase(
            .draft7, #"{"items": [{"type": "string"}, true], "additionalItems": {"type": "null"}}"#,
            valid: [#"["a", 1, null]"#, "[]"], invalid: ["[1]", #"["a", 1, 1]"#]),
        SchemaCase(
            .draft7, #"{"items": {"type": "string"}, "additionalItems": false}"#, valid: [#"["a", "b"]"#],
            invalid: ["[1]"]),
        SchemaCase(.draft7, #"{"additionalItems": false}"#, valid: ["[1, 2]"]),
        // 2019-09
        SchemaCase(
            .draft201909, ##"{"$defs": {"a": {"type": "string"}}, "$ref": "#/$defs/a", "maxLength": 1}"##,
            valid: [#""a""#], invalid: [#""ab""#, "1"]),
        SchemaCase(
            .draft201909, ##"{"$defs": {"a": {"$anchor": "x", "type": "string"}}, "$ref": "#x"}"##, valid: [#""a""#],
            invalid: ["1"]),
        SchemaCase(
            .draft201909, #"{"dependentRequired": {"a": ["b"]}}"#, valid: [#"{"b": 1}"#], invalid: [#"{"a": 1}"#]),
        SchemaCase(
            .draft201909, #"{"dependentSchemas": {"a": {"maxProperties": 1}}}"#, valid: [#"{"a": 1}"#],
            invalid: [#"{"a": 1, "b": 2}"#]),
        SchemaCase(.draft201909, #"{"dependencies": {"a": ["b"]}}"#, valid: ["{}"], invalid: [#"{"a": 1}"#]),
        SchemaCase(
            .draft201909, #"{"contains": {"const": 1}, "minContains": 2, "maxContains": 3}"#,
            valid: ["[1, 1]", "[1, 2, 1, 1]"], invalid: ["[1]", "[1, 1, 1, 1]"]),
        SchemaCase(.draft201909, #"{"contains": {"const": 1}, "minContains": 0}"#, valid: ["[]", "[2]"]),
        SchemaCase(.draft201909, #"{"minContains": 2}"#, valid: ["[]"]),
        SchemaCase(
            .draft201909, #"{"items": [{"type": "string"}], "additionalItems": {"type": "null"}}"#,
            valid: [#"["a", null]"#], invalid: [#"["a", 1]"#, "[1]"]),
        SchemaCase(.draft201909, #"{"prefixItems": [false]}"#, valid: ["[1]"]),
        SchemaCase(.draft201909, #"{"items": [true], "unevaluatedItems": false}"#, valid: ["[1]"], invalid: ["[1, 2]"]),
        SchemaCase(.draft201909, #"{"items": true, "unevaluatedItems": false}"#, valid: ["[1, 2]"]),
        SchemaCase(
            .draft201909, #"{"items": [true], "additionalItems": true, "unevaluatedItems": false}"#, valid: ["[1, 2]"]),
        // Elements matched by contains are evaluated in 2020-12, but not in 2019-09.
        SchemaCase(.draft201909, #"{"contains": {"const": 1}, "unevaluatedItems": false}"#, invalid: ["[1]"]),
        SchemaCase(
            .draft202012, #"{"contains": {"const": 1}, "unevaluatedItems": false}"#, valid: ["[1]"], invalid: ["[1, 2]"]
        ),
        SchemaCase(
            .draft201909, #"{"properties": {"a": true}, "unevaluatedProperties": {"type": "null"}}"#,
            valid: [#"{"a": 1, "b": null}"#], invalid: [#"{"b": 1}"#]),
        SchemaCase(
            .draft201909,
            ##"{"$id": "http://x/strict", "$recursiveAnchor": true, "$ref": "tree", "unevaluatedProperties": false, "$defs": {"tree": {"$id": "tree", "$recursiveAnchor": true, "properties": {"v": true, "kids": {"items": {"$recursiveRef": "#"}}}}}}"##,
            valid: [#"{"v": 1, "kids": [{"v": 2}]}"#], invalid: [#"{"kids": [{"w": 2}]}"#, #"{"w": 1}"#]),
        SchemaCase(
            .draft201909,
            ##"{"$id": "http://x/strict", "$ref": "tree", "unevaluatedProperties": false, "$defs": {"tree": {"$id": "tree", "$recursiveAnchor": true, "properties": {"v": true, "kids": {"items": {"$recursiveRef": "#"}}}}}}"##,
            valid: [#"{"kids": [{"w": 2}]}"#], invalid: [#"{"w": 1}"#]),
        SchemaCase(
            .draft201909,
            ##"{"$id": "http://x/strict", "$recursiveAnchor": true, "$ref": "tree", "unevaluatedProperties": false, "$defs": {"tree": {"$id": "tree", "properties": {"v": true, "kids": {"items": {"$recursiveRef": "#"}}}}}}"##,
            valid: [#"{"kids": [{"w": 2}]}"#], invalid: [#"{"w": 1}"#]),
        SchemaCase(
            .draft201909, ##"{"properties": {"a": {"$recursiveRef": "#"}}, "additionalProperties": false}"##,
            valid: [#"{"a": {"a": {}}}"#], invalid: [#"{"a": {"b": 1}}"#]),
        // 2020-12
        SchemaCase(
            .draft202012, #"{"prefixItems": [{"type": "string"}], "items": {"type": "null"}}"#,
            valid: [#"["a", null]"#], invalid: [#"["a", 1]"#]),
        SchemaCase(.draft202012, #"{"additionalItems": false}"#, valid: ["[1]"]),
        SchemaCase(.draft202012, ##"{"$recursiveRef": "#", "$recursiveAnchor": 1}"##, valid: ["1"]),
        // The $schema of the schema itself applies, and that of an embedded resource.
        SchemaCase(
            .draft202012, #"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}"#,
            valid: [#"["a"]"#], invalid: ["[1]"]),
        SchemaCase(
            .draft202012,
            #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"$id": "http://x/old", "$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}], "prefixItems": 1}]}"#,
            valid: [#"[["a"]]"#], invalid: ["[[1]]"]),
        SchemaCase(
            .draft7,
            ##"{"definitions": {"new": {"$id": "http://x/new", "$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/$defs/s", "maxLength": 1, "$defs": {"s": {"type": "string"}}}}, "$ref": "http://x/new"}"##,
            valid: [#""a""#], invalid: [#""ab""#, "1"]),
    ]

    @Test(arguments: cases)
    func differences(_ test: SchemaCase) throws {
        try test.check()
    }

    @Test func namesOfDialects() {
        for dialect in JSONSchemaDialect.drafts {
            let uri = dialect.uri.hasSuffix("#") ? String(dialect.uri.dropLast()) : dialect.uri
            #expect(JSONSchemaDialect(uri: uri) == dialect)
            #expect(JSONSchemaDialect(uri: uri + "#") == dialect)
        }
        #expect(JSONSchemaDialect(uri: "https://json-schema.org/draft-07/schema") == .draft7)
        #expect(JSONSchemaDialect(uri: "http://json-schema.org/schema#") == nil)
        #expect(JSONSchemaDialect(uri: "http://json-schema.org/draft-07/schema#/x") == nil)
        #expect(JSONSchemaDialect(uri: "") == nil)
    }

    /// Every metaschema is available, is valid against itself, and rejects errors.
    @Test(arguments: JSONSchemaDialect.drafts)
    func metaschemas(_ dialect: JSONSchemaDialect) throws {
        let metaschema = try JSONSchema(["$ref": .string(dialect.uri)])
        let valid = [
            "{}", #"{"type": "string", "minLength": 2, "properties": {"a": {"enum": [1, 2]}}}"#,
            #"{"allOf": [{"not": {}}], "title": "x", "unknown": 1}"#,
        ]
        let invalid = [
            #"{"type": "strin"}"#, #"{"minLength": -1}"#, #"{"properties": {"a": {"required": true}}}"#,
            #"{"allOf": []}"#, #"{"items": 3}"#, #"{"definitions": {"a": {"type": 1}}}"#, "3",
        ]
        for text in valid { #expect(metaschema.isValid(try JSONValue(parsing: text)), "\(text)") }
        for text in invalid { #expect(!metaschema.isValid(try JSONValue(parsing: text)), "\(text)") }
        #expect(metaschema.isValid(true) == (dialect != .draft4))
        // A metaschema is valid against itself.
        var resources = JSONSchemaResources()
        resources.add(["$ref": .string(dialect.uri)], uri: "http://x/self")
        #expect(metaschema.isValid(["$schema": .string(dialect.uri)]))
    }

    @Test func vocabularies() throws {
        var resources = JSONSchemaResources()
        resources.add(
            try JSONValue(
                parsing: """
                    {"$schema": "https://json-schema.org/draft/2019-09/schema", "$id": "http://x/no-validation",
                     "$vocabulary": {"https://json-schema.org/draft/2019-09/vocab/core": true,
                                     "https://json-schema.org/draft/2019-09/vocab/applicator": true}}
                    """), uri: "http://x/no-validation")
        resources.add(
            try JSONValue(
                parsing: """
                    {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "http://x/formats",
                     "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true,
                                     "https://json-schema.org/draft/2020-12/vocab/format-assertion": true}}
                    """), uri: "http://x/formats")
        try SchemaCase(
            .draft202012, #"{"$schema": "http://x/no-validation", "properties": {"a": false}, "minProperties": 9}"#,
            valid: ["{}"], invalid: [#"{"a": 1}"#]
        ).check(resources)
        // Only the vocabularies of the metaschema are available.
        try SchemaCase(
            .draft202012, #"{"$schema": "http://x/formats", "format": "date", "properties": {"a": false}}"#,
            valid: [#""2026-11-21""#, #"{"a": 1}"#], invalid: [#""x""#]
        ).check(resources)
    }
}
