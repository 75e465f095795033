/// What to do about keys of other versions and at other places.
enum UnknownKeyHints {
    /// What to do about a key that an object of a kind does not have.
    static func hint(_ name: String, _ kind: ObjectKind, _ version: OpenAPIVersion) -> String? {
        switch kind {
        case .root: root[name]
        case .operation: operation[name]
        case .parameter, .header:
            if name == "collectionFormat" {
                "that was Swagger 2.0: use \"style\" and \"explode\""
            } else if kind == .header, ["name", "in"].contains(name) {
                "a header has the name under which it stands"
            } else if valueKeywords.contains(name) {
                "put it into \"schema\""
            } else {
                nil
            }
        case .response, .swaggerResponse:
            if kind == .response, name == "schema" || name == "examples" {
                "put it under \"content\" and a media type"
            } else if kind == .swaggerResponse, name == "content" {
                "that came with OpenAPI 3.0: use \"schema\" and \"produces\""
            } else {
                nil
            }
        case .requestBody:
            name == "schema" ? "put it under \"content\" and a media type" : nil
        case .example: "put the example itself under \"value\""
        case .schema: schema(name, version)
        case .swaggerRoot: swaggerRoot[name]
        case .swaggerOperation: swaggerOperation[name]
        default: nil
        }
    }

    private static let root = [
        "swagger": "remove it: \"openapi\" says the version",
        "definitions": "that was Swagger 2.0: use components: { schemas: … }",
        "parameters": "put them under \"components\"", "responses": "put them under \"components\"",
        "schemas": "put them under \"components\"",
        "securityDefinitions": "that was Swagger 2.0: use components: { securitySchemes: … }",
        "securitySchemes": "put them under \"components\"", "host": "that was Swagger 2.0: use \"servers\"",
        "basePath": "that was Swagger 2.0: use \"servers\"", "schemes": "that was Swagger 2.0: use \"servers\"",
        "consumes": "that was Swagger 2.0: name media types under \"content\"",
        "produces": "that was Swagger 2.0: name media types under \"content\"",
    ]

    private static let operation = [
        "consumes": "that was Swagger 2.0: name media types under requestBody: { content: … }",
        "produces": "that was Swagger 2.0: name media types under the responses' \"content\"",
        "schemes": "that was Swagger 2.0: use \"servers\"",
    ]

    private static let swaggerRoot = [
        "openapi": "remove it: \"swagger\" says the version",
        "components": "that came with OpenAPI 3.0: use \"definitions\", \"parameters\", \"responses\"",
        "servers": "that came with OpenAPI 3.0: use \"host\", \"basePath\" and \"schemes\"",
    ]

    private static let swaggerOperation = [
        "requestBody": "that came with OpenAPI 3.0: use a parameter with in: body",
        "servers": "that came with OpenAPI 3.0: use \"schemes\"", "callbacks": "that came with OpenAPI 3.0",
    ]

    private static let valueKeywords: Set = [
        "type", "format", "items", "default", "enum", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum",
        "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf", "properties",
        "nullable",
    ]

    private static func schema(_ name: String, _ version: OpenAPIVersion) -> String? {
        if name == "nullable" {
            return version == .swagger2
                ? "that came with OpenAPI 3.0: use x-nullable"
                : "since OpenAPI 3.1 it is ignored: add 'null' to \"type\""
        }
        if name == "id", !version.usesSchemaDialect30 { return "it is called \"$id\"" }
        guard version.usesSchemaDialect30 else { return nil }
        switch name {
        case "const": return "write it as an enum with one value"
        case "examples": return "use \"example\""
        case "oneOf", "anyOf", "not", "writeOnly", "deprecated": return "that came with OpenAPI 3.0"
        case "$defs", "definitions": return "put schemas under \"components\""
        case "if", "then", "else", "prefixItems", "contains", "patternProperties", "propertyNames", "$id", "$anchor",
            "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "contentEncoding",
            "contentMediaType", "$schema", "$comment", "contentSchema", "minContains", "maxContains":
            return "that came with OpenAPI 3.1"
        default: return nil
        }
    }
}
