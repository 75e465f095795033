/// The members of all objects in OpenAPI 3.0 to 3.2, from the sections "Fixed Fields" of the specification.
enum ObjectRules {
    /// Returns the rule for a kind of object.
    static func rule(_ kind: ObjectKind, _ version: OpenAPIVersion) -> ObjectRule {
        let table =
            switch version {
            case .swagger2: swagger2
            case .openAPI30: openAPI30
            case .openAPI31, .openAPI32: openAPI31
            }
        return table[kind] ?? ObjectRule([], others: .any)
    }

    private static let openAPI30 = shared.merging([.schema: schema30]) { $1 }
    private static let openAPI31 = shared.merging([.schema: schema31]) { $1 }
    private static let swagger2 = shared.merging(swagger) { $1 }

    private static let operation = MemberShape.reference(.operation)
    private static let content = MemberShape.map(.reference(.mediaType))
    private static let examples = MemberShape.map(.reference(.example))

    private static let shared: [ObjectKind: ObjectRule] = [
        .root: ObjectRule([
            .required("openapi", .text), .optional("$self", .text, since: .openAPI32),
            .required("info", .object(.info)), .optional("jsonSchemaDialect", .text, since: .openAPI31),
            .optional("servers", .list(.object(.server))), .required("paths", .object(.paths), until: .openAPI30),
            .optional("webhooks", .map(.reference(.pathItem)), since: .openAPI31),
            .optional("components", .object(.components)), .optional("security", .list(.object(.securityRequirement))),
            .optional("tags", .list(.object(.tag))), .optional("externalDocs", .object(.externalDocs)),
        ]),
        .info: ObjectRule([
            .required("title", .text), .optional("summary", .text, since: .openAPI31), .optional("description", .text),
            .optional("termsOfService", .text), .optional("contact", .object(.contact)),
            .optional("license", .object(.license)), .required("version", .text),
        ]),
        .contact: ObjectRule([.optional("name", .text), .optional("url", .text), .optional("email", .text)]),
        .license: ObjectRule(
            [
                .required("name", .text), .optional("identifier", .text, since: .openAPI31), .optional("url", .text),
            ], exclusive: [("identifier", "url")]),
        .server: ObjectRule([
            .required("url", .text), .optional("description", .text), .optional("name", .text, since: .openAPI32),
            .optional("variables", .map(.object(.serverVariable))),
        ]),
        .serverVariable: ObjectRule([
            .optional("enum", .list(.text)), .required("default", .text), .optional("description", .text),
        ]),
        .components: ObjectRule([
            .optional("schemas", .components(.schema)), .optional("responses", .components(.response)),
            .optional("parameters", .components(.parameter)), .optional("examples", .components(.example)),
            .optional("requestBodies", .components(.requestBody)), .optional("headers", .components(.header)),
            .optional("securitySchemes", .components(.securityScheme)), .optional("links", .components(.link)),
            .optional("callbacks", .components(.callback)),
            .optional("pathItems", .components(.pathItem), since: .openAPI31),
            .optional("mediaTypes", .components(.mediaType), since: .openAPI32),
        ]),
        .paths: ObjectRule([], others: .reference(.pathItem)),
        .pathItem: ObjectRule([
            .optional("summary", .text), .optional("description", .text), .optional("get", operation),
            .optional("put", operation), .optional("post", operation), .optional("delete", operation),
            .optional("options", operation), .optional("head", operation), .optional("patch", operation),
            .optional("trace", operation), .optional("query", operation, since: .openAPI32),
            .optional("additionalOperations", .map(operation), since: .openAPI32),
            .optional("servers", .list(.object(.server))), .optional("parameters", .list(.reference(.parameter))),
        ]),
        .operation: ObjectRule([
            .optional("tags", .list(.text)), .optional("summary", .text), .optional("description", .text),
            .optional("externalDocs", .object(.externalDocs)), .optional("operationId", .text),
            .optional("parameters", .list(.reference(.parameter))),
            .optional("requestBody", .reference(.requestBody)),
            .required("responses", .object(.responses), until: .openAPI30),
            .optional("callbacks", .map(.reference(.callback))), .optional("deprecated", .boolean),
            .optional("security", .list(.object(.securityRequirement))),
            .optional("servers", .list(.object(.server))),
        ]),
        .externalDocs: ObjectRule([.optional("description", .text), .required("url", .text)]),
        .parameter: ObjectRule(
            [
                .required("name", .text), .required("in", .text), .optional("description", .text),
                .optional("required", .boolean), .optional("deprecated", .boolean),
                .optional("allowEmptyValue", .boolean), .optional("style", .text),
                .optional("explode", .boolean), .optional("allowReserved", .boolean),
                .optional("schema", .reference(.schema)), .optional("content", content), .optional("example", .any),
                .optional("examples", examples),
            ], exclusive: [("example", "examples"), ("schema", "content")]),
        .header: ObjectRule(
            [
                .optional("description", .text), .optional("required", .boolean), .optional("deprecated", .boolean),
                .optional("allowEmptyValue", .boolean), .optional("style", .choice(["simple"])),
                .optional("explode", .boolean), .optional("allowReserved", .boolean),
                .optional("schema", .reference(.schema)), .optional("content", content), .optional("example", .any),
                .optional("examples", examples),
            ], exclusive: [("example", "examples"), ("schema", "content")]),
        .requestBody: ObjectRule([
            .optional("description", .text), .required("content", content), .optional("required", .boolean),
        ]),
        .mediaType: ObjectRule(
            [
                .optional("schema", .reference(.schema)),
                .optional("itemSchema", .reference(.schema), since: .openAPI32), .optional("example", .any),
                .optional("examples", examples), .optional("encoding", .map(.object(.encoding))),
                .optional("prefixEncoding", .list(.object(.encoding)), since: .openAPI32),
                .optional("itemEncoding", .object(.encoding), since: .openAPI32),
            ],
            exclusive: [("example", "examples"), ("encoding", "prefixEncoding"), ("encoding", "itemEncoding")]),
        .encoding: ObjectRule(
            [
                .optional("contentType", .text), .optional("headers", .map(.reference(.header))),
                .optional("style", .choice(["form", "spaceDelimited", "pipeDelimited", "deepObject"])),
                .optional("explode", .boolean), .optional("allowReserved", .boolean),
                .optional("encoding", .map(.object(.encoding)), since: .openAPI32),
                .optional("prefixEncoding", .list(.object(.encoding)), since: .openAPI32),
                .optional("itemEncoding", .object(.encoding), since: .openAPI32),
            ], exclusive: [("encoding", "prefixEncoding"), ("encoding", "itemEncoding")]),
        .responses: ObjectRule([], others: .reference(.response)),
        .response: ObjectRule([
            .optional("summary", .text, since: .openAPI32), .required("description", .text, until: .openAPI31),
            .optional("headers", .map(.reference(.header))), .optional("content", content),
            .optional("links", .map(.reference(.link))),
        ]),
        .callback: ObjectRule([], others: .reference(.pathItem)),
        .example: ObjectRule(
            [
                .optional("summary", .text), .optional("description", .text),
                .optional("dataValue", .any, since: .openAPI32), .optional("serializedValue", .text, since: .openAPI32),
                .optional("value", .any), .optional("externalValue", .text),
            ],
            exclusive: [
                ("value", "externalValue"), ("value", "dataValue"), ("value", "serializedValue"),
                ("serializedValue", "externalValue"),
            ]),
        .link: ObjectRule(
            [
                .optional("operationRef", .text), .optional("operationId", .text), .optional("parameters", .map(.any)),
                .optional("requestBody", .any), .optional("description", .text),
                .optional("server", .object(.server)),
            ], exclusive: [("operationRef", "operationId")]),
        .tag: ObjectRule([
            .required("name", .text), .optional("summary", .text, since: .openAPI32), .optional("description", .text),
            .optional("externalDocs", .object(.externalDocs)), .optional("parent", .text, since: .openAPI32),
            .optional("kind", .text, since: .openAPI32),
        ]),
        .discriminator: ObjectRule([
            .required("propertyName", .text), .optional("mapping", .map(.text)),
            .optional("defaultMapping", .text, since: .openAPI32),
        ]),
        .xml: ObjectRule(
            [
                .optional("nodeType", .choice(["element", "attribute", "text", "cdata", "none"]), since: .openAPI32),
                .optional("name", .text), .optional("namespace", .text), .optional("prefix", .text),
                .optional("attribute", .boolean), .optional("wrapped", .boolean),
            ], exclusive: [("nodeType", "attribute"), ("nodeType", "wrapped")]),
        .securityScheme: ObjectRule([
            .required("type", .text), .optional("description", .text), .optional("name", .text), .optional("in", .text),
            .optional("scheme", .text), .optional("bearerFormat", .text), .optional("flows", .object(.flows)),
            .optional("openIdConnectUrl", .text), .optional("oauth2MetadataUrl", .text, since: .openAPI32),
            .optional("deprecated", .boolean, since: .openAPI32),
        ]),
        .flows: ObjectRule([
            .optional("implicit", .object(.flow)), .optional("password", .object(.flow)),
            .optional("clientCredentials", .object(.flow)), .optional("authorizationCode", .object(.flow)),
            .optional("deviceAuthorization", .object(.flow), since: .openAPI32),
        ]),
        .flow: ObjectRule([
            .optional("authorizationUrl", .text),
            .optional("deviceAuthorizationUrl", .text, since: .openAPI32), .optional("tokenUrl", .text),
            .optional("refreshUrl", .text), .required("scopes", .map(.text)),
        ]),
        .securityRequirement: ObjectRule([], others: .list(.text)),
    ]
}

extension ObjectRules {
    private static let schema = MemberShape.reference(.schema)

    /// The schema keywords of all versions.
    private static let common: [MemberRule] = [
        .optional("title", .text), .optional("description", .text), .optional("type", .types),
        .optional("format", .text), .optional("enum", .list(.any)), .optional("default", .any),
        .optional("multipleOf", .number), .optional("maximum", .number), .optional("exclusiveMaximum", .exclusiveBound),
        .optional("minimum", .number), .optional("exclusiveMinimum", .exclusiveBound), .optional("maxLength", .count),
        .optional("minLength", .count), .optional("pattern", .pattern), .optional("maxItems", .count),
        .optional("minItems", .count), .optional("uniqueItems", .boolean), .optional("maxProperties", .count),
        .optional("minProperties", .count), .optional("required", .list(.text)), .optional("allOf", .list(schema)),
        .optional("properties", .map(schema)), .optional("additionalProperties", .schemaOrBoolean),
        .optional("readOnly", .boolean), .optional("xml", .object(.xml)),
        .optional("externalDocs", .object(.externalDocs)), .optional("example", .any),
    ]

    /// The Schema Object of Swagger 2.0.
    static let schema2 = ObjectRule(
        common + [.optional("items", .schemaOrList), .optional("discriminator", .text)], ignoresUnknown: true)

    /// The Schema Object of OpenAPI 3.0.
    static let schema30 = ObjectRule(
        common + [
            .optional("items", schema), .optional("oneOf", .list(schema)), .optional("anyOf", .list(schema)),
            .optional("not", schema), .optional("nullable", .boolean), .optional("writeOnly", .boolean),
            .optional("deprecated", .boolean), .optional("discriminator", .object(.discriminator)),
        ], ignoresUnknown: true)

    /// The Schema Object of OpenAPI 3.1 and 3.2: JSON Schema 2020-12 with four additional keywords.
    static let schema31 = ObjectRule(
        common + [
            .optional("items", schema), .optional("oneOf", .list(schema)), .optional("anyOf", .list(schema)),
            .optional("not", schema), .optional("writeOnly", .boolean), .optional("deprecated", .boolean),
            .optional("discriminator", .object(.discriminator)), .optional("const", .any),
            .optional("examples", .list(.any)), .optional("if", schema), .optional("then", schema),
            .optional("else", schema), .optional("dependentSchemas", .map(schema)),
            .optional("prefixItems", .list(schema)),
            .optional("contains", schema), .optional("minContains", .count), .optional("maxContains", .count),
            .optional("patternProperties", .map(schema)), .optional("propertyNames", schema),
            .optional("unevaluatedItems", schema), .optional("unevaluatedProperties", schema),
            .optional("dependentRequired", .map(.list(.text))), .optional("contentEncoding", .text),
            .optional("contentMediaType", .text), .optional("contentSchema", schema), .optional("$schema", .text),
            .optional("$id", .text), .optional("$anchor", .text), .optional("$dynamicRef", .text),
            .optional("$dynamicAnchor", .text), .optional("$vocabulary", .map(.boolean)),
            .optional("$comment", .text), .optional("$defs", .map(schema)), .optional("definitions", .map(schema)),
        ], ignoresUnknown: true)
}
