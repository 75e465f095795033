/// JSON Schema 2020-12 schemas for generating values. Some refer to `named`.
enum SampleSchemas {
    /// The referenced schemas, as members of `components/schemas`.
    static let named = """
        "Name": {"type": "string", "minLength": 2, "maxLength": 20},
        "Money": {"type": "object", "required": ["amount", "currency"], "properties": {
          "amount": {"type": "number", "multipleOf": 0.01, "exclusiveMinimum": 0},
          "currency": {"type": "string", "pattern": "^[A-Z]{3}$"}}},
        "Tree": {"type": "object", "required": ["label"], "properties": {
          "label": {"$ref": "#/components/schemas/Name"},
          "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}},
        "List": {"type": "object", "required": ["value"], "properties": {
          "value": {"type": "integer"}, "next": {"$ref": "#/components/schemas/List"}}},
        "Expression": {"oneOf": [
          {"type": "object", "required": ["and"], "properties": {"and": {"type": "array", "minItems": 2,
            "items": {"$ref": "#/components/schemas/Expression"}}}, "additionalProperties": false},
          {"type": "object", "required": ["is"], "properties": {"is": {"type": "boolean"}},
           "additionalProperties": false}]},
        "Animal": {"type": "object", "required": ["kind", "name"], "properties": {
          "kind": {"type": "string"}, "name": {"type": "string"}},
          "discriminator": {"propertyName": "kind", "mapping": {"feline": "#/components/schemas/Cat"}}},
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Animal"},
          {"type": "object", "required": ["lives"], "properties": {"kind": {"const": "feline"},
            "lives": {"type": "integer", "minimum": 1, "maximum": 9}}}]},
        "Dog": {"allOf": [{"$ref": "#/components/schemas/Animal"},
          {"type": "object", "required": ["barks"], "properties": {"kind": {"const": "Dog"},
            "barks": {"type": "boolean"}}}]}
        """

    /// Schemas with a value that is always found.
    static let all: [String] = simple + arrays + objects + applicators + references

    private static let simple = [
        #"{}"#, #"true"#, #"{"type": "string"}"#, #"{"type": "integer"}"#, #"{"type": "number"}"#,
        #"{"type": "boolean"}"#, #"{"type": "null"}"#, #"{"type": ["null", "string"]}"#,
        #"{"type": ["integer", "null"], "minimum": 5}"#, #"{"const": {"a": [1, 2]}}"#, #"{"const": null}"#,
        #"{"enum": [null, "a", 3]}"#, #"{"enum": ["only"]}"#, #"{"type": "string", "enum": [1, "b"]}"#,
        #"{"type": "string", "default": "chosen"}"#, #"{"type": "string", "examples": [3, "right"]}"#,
        #"{"type": "integer", "example": "wrong", "minimum": 7}"#, #"{"default": null}"#,
        #"{"type": "integer", "minimum": 10}"#, #"{"type": "integer", "maximum": -10}"#,
        #"{"type": "integer", "minimum": 3, "maximum": 3}"#,
        #"{"type": "integer", "exclusiveMinimum": 3, "maximum": 4}"#,
        #"{"type": "integer", "exclusiveMinimum": -1, "exclusiveMaximum": 1}"#,
        #"{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}"#,
        #"{"type": "number", "minimum": 0.25, "maximum": 0.26}"#,
        #"{"type": "number", "exclusiveMinimum": 0.001, "exclusiveMaximum": 0.002}"#,
        #"{"type": "number", "multipleOf": 0.01, "minimum": 0.015}"#,
        #"{"type": "number", "multipleOf": 0.3, "minimum": 1, "maximum": 1.3}"#,
        #"{"type": "integer", "multipleOf": 7, "minimum": 100, "maximum": 106}"#,
        #"{"type": "integer", "multipleOf": 1.5, "minimum": 4}"#,
        #"{"type": "number", "multipleOf": 2.5, "maximum": -1}"#,
        #"{"type": "integer", "minimum": 9007199254740993, "maximum": 9007199254740993}"#,
        #"{"type": "number", "minimum": 1e3, "maximum": 1.5e3}"#, #"{"minimum": 5, "type": "number"}"#,
        #"{"allOf": [{"multipleOf": 4}, {"multipleOf": 6}], "type": "integer", "minimum": 13}"#,
        #"{"type": "integer", "format": "int32"}"#, #"{"type": "integer", "format": "int64", "minimum": 0}"#,
        #"{"type": "number", "format": "double", "minimum": -1, "maximum": 0}"#,
        #"{"type": "integer", "minimum": -5, "maximum": -3}"#, #"{"maximum": 0.5, "minimum": 0.5, "type": "number"}"#,
        #"{"type": "string", "minLength": 40}"#, #"{"type": "string", "maxLength": 2}"#,
        #"{"type": "string", "maxLength": 0}"#, #"{"type": "string", "minLength": 3, "maxLength": 3}"#,
        #"{"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"}"#,
        #"{"type": "string", "pattern": "x", "minLength": 9}"#,
        #"{"type": "string", "pattern": "^\\d+$", "minLength": 11, "maxLength": 11}"#,
        #"{"type": "string", "pattern": "^(?=.*[A-Z])(?=.*[0-9]).{8,20}$"}"#,
        #"{"type": "string", "pattern": "^[a-z]+$", "allOf": [{"pattern": "^.{5}$"}]}"#,
        #"{"type": "string", "pattern": "^\\S+\\s\\S+$"}"#, #"{"pattern": "^a|b$", "type": "string"}"#,
        #"{"type": "string", "format": "date"}"#, #"{"type": "string", "format": "date-time"}"#,
        #"{"type": "string", "format": "time"}"#, #"{"type": "string", "format": "duration"}"#,
        #"{"type": "string", "format": "uuid"}"#, #"{"type": "string", "format": "email", "minLength": 30}"#,
        #"{"type": "string", "format": "uri", "minLength": 50}"#, #"{"type": "string", "format": "uri-reference"}"#,
        #"{"type": "string", "format": "hostname"}"#, #"{"type": "string", "format": "ipv4"}"#,
        #"{"type": "string", "format": "ipv6"}"#, #"{"type": "string", "format": "json-pointer"}"#,
        #"{"type": "string", "format": "regex"}"#, #"{"type": "string", "format": "iri"}"#,
        #"{"type": "string", "format": "uri-template"}"#, #"{"type": "string", "format": "relative-json-pointer"}"#,
        #"{"type": "string", "format": "byte", "minLength": 20}"#, #"{"type": "string", "format": "idn-email"}"#,
        #"{"type": "string", "format": "password", "minLength": 25}"#, #"{"type": "string", "format": "color"}"#,
        #"{"type": "string", "format": "email", "pattern": "@example\\.com$"}"#,
        #"{"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"}"#,
    ]

    private static let arrays = [
        #"{"type": "array"}"#, #"{"items": {"type": "integer"}}"#, #"{"type": "array", "minItems": 3}"#,
        #"{"type": "array", "maxItems": 0, "items": {"type": "string"}}"#,
        #"{"type": "array", "items": {"type": "string"}, "minItems": 4, "uniqueItems": true}"#,
        #"{"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3, "uniqueItems": true}"#,
        #"{"type": "array", "items": {"type": "boolean"}, "minItems": 2, "uniqueItems": true}"#,
        #"{"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 5}, "minItems": 5, "uniqueItems": true}"#,
        ##"{"type": "array", "items": {"$ref": "#/components/schemas/Money"}, "minItems": 2, "uniqueItems": true}"##,
        #"{"prefixItems": [{"type": "string"}, {"type": "integer"}]}"#,
        #"{"prefixItems": [{"type": "number"}, {"const": "x"}], "items": false, "minItems": 2}"#,
        #"{"type": "array", "contains": {"const": 7}, "items": {"type": "integer"}}"#,
        #"{"type": "array", "contains": {"type": "string"}, "minContains": 2, "minItems": 4}"#,
        #"{"type": "array", "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}}"#,
        #"{"type": "array", "items": false}"#,
        #"{"type": "array", "items": {"format": "uuid", "type": "string"}, "minItems": 2, "uniqueItems": true}"#,
        #"{"type": "array", "minItems": 1, "items": {"not": {"type": "string"}}}"#,
        #"{"type": "array", "prefixItems": [{"type": "integer"}], "unevaluatedItems": false}"#,
    ]

    private static let objects = [
        #"{"type": "object"}"#, #"{"type": "object", "required": ["a", "b"]}"#,
        #"{"properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}"#,
        #"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false, "required": ["a"]}"#,
        #"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
        #"{"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 4}"#,
        #"{"type": "object", "maxProperties": 1, "properties": {"a": {}, "b": {}, "c": {}}, "required": ["c"]}"#,
        #"{"type": "object", "patternProperties": {"^x-[a-z]+$": {"type": "boolean"}}, "additionalProperties": false}"#,
        #"{"type": "object", "patternProperties": {"^[0-9]{3}$": {"type": "string"}}, "minProperties": 3, "additionalProperties": false}"#,
        #"{"type": "object", "propertyNames": {"pattern": "^[a-f]{4}$"}, "minProperties": 2}"#,
        #"{"type": "object", "propertyNames": {"enum": ["low", "high"]}, "additionalProperties": {"type": "number"}, "minProperties": 2}"#,
        #"{"type": "object", "properties": {"card": {"type": "string"}}, "dependentRequired": {"card": ["address"]}}"#,
        #"{"type": "object", "properties": {"card": {"type": "string"}}, "dependentSchemas": {"card": {"required": ["owner"], "properties": {"owner": {"type": "integer"}}}}}"#,
        #"{"type": "object", "required": ["no"], "properties": {"no": {"type": "string"}, "never": false}}"#,
        #"{"type": "object", "properties": {"x-1": {"maximum": 4}}, "patternProperties": {"^x-": {"type": "integer", "minimum": 3}}}"#,
        #"{"type": "object", "unevaluatedProperties": false, "properties": {"a": {"type": "string"}}}"#,
        #"{"type": "object", "allOf": [{"properties": {"a": {"type": "string"}}}], "properties": {"b": {"type": "integer"}}, "unevaluatedProperties": false}"#,
        #"{"type": "object", "properties": {"old": {"type": "string", "deprecated": true}, "new": {"type": "string"}}}"#,
        #"{"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "object", "required": ["c"], "properties": {"c": {"type": "array", "items": {"type": "integer"}}}}}}}}"#,
        #"{"type": "object", "minProperties": 2, "properties": {"a": {"type": "string"}}}"#,
    ]

    private static let applicators = [
        #"{"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "integer"}}}]}"#,
        #"{"allOf": [{"minimum": 5}, {"maximum": 6}], "type": "integer"}"#,
        #"{"allOf": [{"type": ["string", "integer"]}, {"type": ["integer", "null"]}]}"#,
        #"{"allOf": [{"enum": [1, 2, 3]}, {"enum": [3, 4]}]}"#,
        #"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#,
        #"{"oneOf": [{"multipleOf": 3}, {"multipleOf": 5}], "type": "integer", "minimum": 15, "maximum": 20}"#,
        #"{"oneOf": [false, {"type": "boolean"}]}"#,
        #"{"anyOf": [{"type": "null"}, {"type": "string", "minLength": 4}]}"#,
        #"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
        #"{"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
        #"{"oneOf": [{"type": "object", "required": ["kind"], "properties": {"kind": {"const": "a"}}}, {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "b"}}}]}"#,
        #"{"not": {"type": "string"}}"#, #"{"type": "string", "not": {"maxLength": 3}}"#,
        #"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "not": {"required": ["b"]}}"#,
        #"{"if": {"type": "string"}, "then": {"minLength": 5}, "else": {"minimum": 3}}"#,
        #"{"type": "object", "properties": {"kind": {"enum": ["x", "y"]}, "extra": {"type": "string"}}, "if": {"properties": {"kind": {"const": "x"}}}, "then": {"required": ["extra"]}}"#,
        #"{"type": "integer", "if": {"minimum": 10}, "then": {"multipleOf": 10}, "minimum": 1}"#,
        #"{"type": "integer", "if": {"minimum": 0}, "then": false, "else": {"maximum": -5}}"#,
        #"{"anyOf": [{"oneOf": [{"const": 1}, {"const": 1}]}, {"const": 2}]}"#,
        #"{"allOf": [{"oneOf": [{"type": "string"}, {"type": "number"}]}, {"oneOf": [{"type": "number"}, {"type": "boolean"}]}]}"#,
        #"{"allOf": [{"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}}}, {"type": "object", "properties": {"a": {"maximum": 4}}, "required": ["a"]}]}"#,
    ]

    private static let references = [
        ##"{"$ref": "#/components/schemas/Name"}"##, ##"{"$ref": "#/components/schemas/Money"}"##,
        ##"{"$ref": "#/components/schemas/Tree"}"##, ##"{"$ref": "#/components/schemas/List"}"##,
        ##"{"$ref": "#/components/schemas/Expression"}"##, ##"{"$ref": "#/components/schemas/Cat"}"##,
        ##"{"$ref": "#/components/schemas/Name", "maxLength": 3}"##,
        ##"{"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}], "discriminator": {"propertyName": "kind", "mapping": {"feline": "#/components/schemas/Cat", "Dog": "#/components/schemas/Dog"}}}"##,
        ##"{"anyOf": [{"$ref": "#/components/schemas/Dog"}, {"type": "null"}]}"##,
        ##"{"type": "array", "items": {"$ref": "#/components/schemas/Tree"}, "minItems": 2}"##,
        ##"{"type": "object", "additionalProperties": {"$ref": "#/components/schemas/List"}}"##,
    ]
}
