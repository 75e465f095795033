import JSON
import JSONSchema
import Testing

/// Tests of the OpenAPI 3.0 dialect, and of OpenAPI's additions to any dialect.
@Suite("The OpenAPI dialect")
struct OpenAPIDialectTests {
    static let cases: [SchemaCase] = [
        // `nullable` has an effect only together with a type.
        SchemaCase(
            .openAPI30, #"{"type": "string", "nullable": true}"#, valid: [#""a""#, "null"], invalid: ["1"]),
        SchemaCase(.openAPI30, #"{"type": "string", "nullable": false}"#, valid: [#""a""#], invalid: ["null"]),
        SchemaCase(
            .openAPI30, #"{"nullable": true, "allOf": [{"type": "string"}]}"#, valid: [#""a""#], invalid: ["null"]),
        SchemaCase(
            .openAPI30, #"{"type": "string", "nullable": true, "enum": ["a"]}"#, valid: [#""a""#], invalid: ["null"]),
        SchemaCase(.draft202012, #"{"type": "string", "nullable": true}"#, invalid: ["null"]),
        // Exclusive bounds are Booleans.
        SchemaCase(
            .openAPI30, #"{"minimum": 1, "exclusiveMinimum": true, "maximum": 3, "exclusiveMaximum": false}"#,
            valid: ["2", "3"], invalid: ["1", "4"]),
        SchemaCase(.openAPI30, #"{"exclusiveMinimum": true}"#, valid: ["-1"]),
        // Siblings of $ref are ignored.
        SchemaCase(
            .openAPI30,
            ##"{"allOf": [{"$ref": "#/components/s", "maxLength": 1}], "components": {"s": {"type": "string"}}}"##,
            valid: [#""abc""#], invalid: ["1"]),
        // Keywords that do not exist in 3.0 are ignored.
        SchemaCase(
            .openAPI30, ##"{"const": 1, "patternProperties": {"a": false}, "$id": "#x"}"##, valid: ["2", #"{"a": 1}"#]),
        SchemaCase(.openAPI30, #"{"type": "integer"}"#, valid: ["1", "1.0"], invalid: ["1.5"]),
        SchemaCase(
            .openAPI30,
            #"{"type": "object", "properties": {"$id": {"type": "string"}}, "additionalProperties": false}"#,
            valid: [#"{"$id": "x"}"#], invalid: [#"{"$id": 1}"#, #"{"a": 1}"#]),
    ]

    @Test("The keywords of the OpenAPI 3.0 dialect are evaluated", arguments: cases)
    func dialect(_ test: SchemaCase) throws { try test.check() }

    @Test("The dialects of 3.1 and 3.2 are 2020-12")
    func names() {
        #expect(JSONSchemaDialect(uri: "https://spec.openapis.org/oas/3.1/dialect/base") == .draft202012)
        #expect(JSONSchemaDialect(uri: "https://spec.openapis.org/oas/3.2/dialect/2025-09-17") == .draft202012)
        #expect(JSONSchemaDialect(uri: "https://spec.openapis.org/oas/3.1/schema/base") == nil)
    }

    private static let user = """
        {"type": "object", "required": ["id", "name", "password"], "additionalProperties": false, "properties": {
          "id": {"$ref": "#/defs/id"}, "name": {"type": "string"}, "password": {"type": "string", "writeOnly": true}},
          "defs": {"id": {"type": "integer", "readOnly": true}}}
        """

    @Test(
        "Required and allowed properties depend on the direction",
        arguments: [JSONSchemaDialect.openAPI30, .draft202012])
    func direction(_ dialect: JSONSchemaDialect) throws {
        func schema(_ direction: OpenAPIExtension.Direction?) throws -> JSONSchema {
            try JSONSchema(
                JSONValue(parsing: Self.user),
                options: JSONSchemaOptions(dialect: dialect, openAPI: OpenAPIExtension(direction: direction)))
        }
        let sent: JSONValue = ["name": "ada", "password": "x"]
        let received: JSONValue = ["id": 1, "name": "ada"]
        let all: JSONValue = ["id": 1, "name": "ada", "password": "x"]
        #expect(try schema(.request).isValid(sent))
        #expect(try !schema(.request).isValid(received))
        #expect(try schema(.request).isValid(all))
        #expect(try schema(.response).isValid(received))
        #expect(try !schema(.response).isValid(sent))
        #expect(
            try schema(.response).violations(of: all).map(\.description) == [
                "$.password: property \"password\" is writeOnly, so a response must not contain it"
            ])
        #expect(try schema(nil).isValid(all))
        #expect(try !schema(nil).isValid(received))
    }

    @Test(
        "Partial values may lack members",
        arguments: [
            (#"{"required": ["a"], "minProperties": 2}"#, #"{"b": 1}"#),
            (#"{"dependentRequired": {"b": ["a"]}, "dependencies": {"b": ["c"]}}"#, #"{"b": 1}"#),
            (#"{"oneOf": [{"required": ["a"]}, {"required": ["c"]}]}"#, #"{"b": 1}"#),
            (#"{"not": {"required": ["b"]}}"#, #"{"b": 1}"#),
            (#"{"if": {"required": ["b"]}, "then": {"required": ["a"]}}"#, #"{"b": 1}"#),
            (
                #"{"if": {}, "then": {"properties": {"b": {}}, "required": ["a"]}, "unevaluatedProperties": false}"#,
                #"{"b": 1}"#
            ),
            (#"{"properties": {"b": {"items": {"required": ["a"]}}}}"#, #"{"b": [{}]}"#),
        ])
    func partial(_ schema: String, _ value: String) throws {
        func violations(isPartial: Bool) throws -> [JSONSchemaViolation] {
            let options = JSONSchemaOptions(openAPI: OpenAPIExtension(direction: .response, isPartial: isPartial))
            return try JSONSchema(JSONValue(parsing: schema), options: options).violations(
                of: JSONValue(parsing: value))
        }
        #expect(try violations(isPartial: true).isEmpty)
        #expect(try !violations(isPartial: false).isEmpty)
    }

    @Test("The members of partial values must be valid")
    func membersOfPartialValues() throws {
        let text = #"{"oneOf": [{"properties": {"b": {"type": "string"}}}, {"properties": {"b": {"const": 2}}}]}"#
        let options = JSONSchemaOptions(openAPI: OpenAPIExtension(direction: .response, isPartial: true))
        let schema = try JSONSchema(JSONValue(parsing: text), options: options)
        #expect(schema.violations(of: ["b": 1]).map(\.keyword) == ["oneOf"])
        #expect(schema.isValid(["b": 2]))
    }

    private static let pets = """
        {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
         "discriminator": {"propertyName": "kind", "mapping": {"kitten": "#/components/schemas/Cat", "hound": "Dog"}},
         "components": {"schemas": {
           "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
           "Dog": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "bark": {"type": "string"}}}}}}
        """

    private static let animals = """
        {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"},
                   {"$ref": "#/components/schemas/Fish"}, {"type": "object"}],
         "discriminator": {"propertyName": "kind", "defaultMapping": "Fish",
                           "mapping": {"kitten": "Cat", "hound": "Dog", "fish": "Fish"}},
         "components": {"schemas": {
           "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
           "Dog": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
           "Fish": {"type": "object", "properties": {"kind": {"type": "string"}, "fins": {"type": "integer"}}}}}}
        """

    @Test("A discriminator selects the branch that messages are about but does not change validity")
    func discriminator() throws {
        let options = JSONSchemaOptions(dialect: .openAPI30, openAPI: OpenAPIExtension())
        let schema = try JSONSchema(JSONValue(parsing: Self.pets), options: options)
        let plain = try JSONSchema(JSONValue(parsing: Self.pets), options: JSONSchemaOptions(dialect: .openAPI30))
        for kind in ["Cat", "kitten", "Dog", "hound"] {
            let value: JSONValue = ["kind": .string(kind)]
            #expect(!schema.isValid(value) && !plain.isValid(value), "\(kind) must match both branches")
        }
        #expect(schema.isValid(["kind": "hound", "lives": "many"]))
        // Only the other branch matches: a discriminator does not make a value invalid.
        #expect(schema.isValid(["kind": "kitten", "lives": "many"]))
        let wrong = schema.violations(of: ["kind": "kitten", "lives": "many", "bark": 1])
        #expect(wrong.count == 1)
        #expect(wrong.first?.message.contains("expected integer, got \"many\" (string)") == true, "\(wrong)")
        let unknown = schema.violations(of: ["kind": "cow"])
        #expect(
            unknown.map(\.message) == [
                "kind: expected one of \"Cat\", \"kitten\", \"Dog\", \"hound\", got \"cow\" (string)"
            ])
        // Without the member, every branch is tried.
        #expect(!schema.isValid([:]))
    }

    @Test(
        "If several branches match, the message names the discriminator's branch and how to exclude others",
        arguments: [
            (
                #"{"kind": "kitten"}"#,
                "but does not exclude the others: \"kind\" needs enum: [Dog, hound] in branch 1",
                "0 (#/components/schemas/Cat) and 1 (#/components/schemas/Dog)"
            ),
            (
                #"{"kind": "hound"}"#,
                "but does not exclude the others: \"kind\" needs enum: [Cat, kitten] in branch 0",
                "0 (#/components/schemas/Cat) and 1 (#/components/schemas/Dog)"
            ),
            (
                #"{"kind": "fish", "fins": 2}"#,
                "\"kind\" needs enum: [Cat, kitten] in branch 0, enum: [Dog, hound] in branch 1 and an enum or const in branch 3",
                "0 (#/components/schemas/Cat), 1 (#/components/schemas/Dog), 2 (#/components/schemas/Fish) and 3"
            ),
            (
                #"{"kind": "fish", "fins": "two"}"#, "which fails: fins: expected integer, got \"two\" (string)",
                "0 (#/components/schemas/Cat), 1 (#/components/schemas/Dog) and 3"
            ),
            (
                #"{"age": 1}"#, "but does not exclude the others: require \"kind\" in branch 3",
                "2 (#/components/schemas/Fish) and 3"
            ),
        ])
    func severalBranches(value: String, reason: String, branches: String) throws {
        // The description contains only cats and dogs, unless a fish branch is named.
        let text = branches.contains("3") ? Self.animals : Self.pets
        let schema = try JSONSchema(
            JSONValue(parsing: text), options: JSONSchemaOptions(dialect: .openAPI30, openAPI: OpenAPIExtension()))
        let value = try JSONValue(parsing: value)
        let messages = schema.violations(of: value).map(\.message)
        #expect(messages.count == 1)
        #expect(messages[0].contains(" branches (\(branches)), expected exactly one, got {"), "\(messages)")
        #expect(messages[0].contains("; the discriminator selects branch "))
        #expect(messages[0].hasSuffix(reason), "\(messages)")
    }

    @Test("The default mapping applies if the discriminator property is missing or unknown")
    func defaultMapping() throws {
        let text = """
            {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Other"}],
             "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"},
                               "defaultMapping": "Other"},
             "components": {"schemas": {
               "Cat": {"type": "object", "properties": {"hunts": {"type": "boolean"}}},
               "Other": {"type": "object", "properties": {"name": {"type": "string"}}}}}}
            """
        let schema = try JSONSchema(
            JSONValue(parsing: text), options: JSONSchemaOptions(openAPI: OpenAPIExtension()))
        let valid: [JSONValue] = [
            ["name": "x", "hunts": 1], ["kind": "dog", "name": "x", "hunts": 1], ["kind": "cat", "name": 5],
        ]
        for value in valid {
            #expect(schema.isValid(value), "\(value)")
            #expect(schema.violations(of: value).isEmpty, "\(value)")
        }
        let invalid: [JSONValue] = [
            ["name": "x"], ["kind": "dog", "name": "x"], ["kind": 1], ["name": 5, "hunts": 1],
            ["kind": "dog", "name": 5, "hunts": 1],
            ["kind": "cat", "hunts": "often", "name": 1],
        ]
        for value in invalid {
            #expect(!schema.isValid(value), "\(value)")
            let messages = schema.violations(of: value).map(\.message)
            #expect(messages.count == 1 && messages.contains { $0.contains("expected ") }, "\(messages)")
        }
    }

    @Test(
        "Allowed values act as discriminator values when the schema's name is not one of them",
        arguments: ["oneOf", "anyOf"])
    func namesByValues(keyword: String) throws {
        let text = """
            {"\(keyword)": [{"$ref": "#/components/schemas/DevMessage"}, {"$ref": "#/components/schemas/UserMessage"}],
             "discriminator": {"propertyName": "role"},
             "components": {"schemas": {
               "Role": {"type": "string", "enum": ["user", "person"]},
               "Base": {"required": ["role"], "properties": {"role": {"$ref": "#/components/schemas/Role"}}},
               "DevMessage": {"type": "object", "required": ["role"], "properties": {
                 "role": {"type": "string", "enum": ["developer"]}, "level": {"type": "integer"}}},
               "UserMessage": {"allOf": [{"$ref": "#/components/schemas/Base"},
                 {"properties": {"name": {"type": "string"}}}]}}}}
            """
        let schema = try JSONSchema(
            JSONValue(parsing: text), options: JSONSchemaOptions(dialect: .openAPI30, openAPI: OpenAPIExtension()))
        for role in ["developer", "user", "person"] { #expect(schema.isValid(["role": .string(role)]), "\(role)") }
        #expect(!schema.isValid(["role": "DevMessage"]))
        let wrong = schema.violations(of: ["role": "person", "name": 1]).map(\.message)
        #expect(wrong.count == 1 && wrong[0].contains("name: expected string, got 1 (integer)"), "\(wrong)")
        let unknown = schema.violations(of: ["role": "robot"]).map(\.message)
        #expect(unknown == [#"role: expected one of "developer", "user", "person", got "robot" (string)"#])
    }

    @Test("OpenAPI formats are checked only if formats are asserted")
    func formats() throws {
        func isValid(_ format: String, _ value: JSONValue, _ asserts: Bool = true, _ openAPI: Bool = true) throws
            -> Bool
        {
            try JSONSchema(
                ["format": .string(format)],
                options: JSONSchemaOptions(
                    dialect: .openAPI30, openAPI: openAPI ? OpenAPIExtension() : nil, assertsFormat: asserts)
            ).isValid(value)
        }
        #expect(try isValid("int32", 2_147_483_647))
        #expect(try !isValid("int32", 2_147_483_648))
        #expect(try isValid("int32", 2_147_483_648, false))
        #expect(try isValid("int32", 2_147_483_648, true, false))
        #expect(try isValid("int64", .number(JSONNumber(Int64.max))))
        #expect(try !isValid("int64", .number(#require(JSONNumber(literal: "9223372036854775808")))))
        for text in ["", "YQ==", "YWI=", "YWJj"] { #expect(try isValid("byte", .string(text)), "\(text)") }
        for text in ["YQ=", "Y===", "Y=Q=", "Y-__"] { #expect(try !isValid("byte", .string(text)), "\(text)") }
        #expect(try isValid("byte", "-", true, false))
        #expect(try !isValid("uuid", "x"))
        #expect(try isValid("password", "x"))
    }
}
