extension ObjectRules {
    private static let operation = MemberShape.object(.swaggerOperation)
    private static let mediaTypes = MemberShape.list(.text)
    private static let schemes = MemberShape.list(.choice(["http", "https", "ws", "wss"]))

    /// The members that parameters, headers, and `items` share.
    private static let values: [MemberRule] = [
        .optional("type", .types), .optional("format", .text), .optional("items", .object(.swaggerItems)),
        .optional("default", .any), .optional("maximum", .number), .optional("exclusiveMaximum", .boolean),
        .optional("minimum", .number), .optional("exclusiveMinimum", .boolean), .optional("maxLength", .count),
        .optional("minLength", .count), .optional("pattern", .pattern), .optional("maxItems", .count),
        .optional("minItems", .count), .optional("uniqueItems", .boolean), .optional("enum", .list(.any)),
        .optional("multipleOf", .number),
    ]

    private static let formats = ["csv", "ssv", "tsv", "pipes"]

    /// The objects of Swagger 2.0 that differ from those of later versions.
    static let swagger: [ObjectKind: ObjectRule] = [
        .schema: schema2,
        .swaggerRoot: ObjectRule([
            .required("swagger", .text), .required("info", .object(.info)), .optional("host", .text),
            .optional("basePath", .text), .optional("schemes", schemes), .optional("consumes", mediaTypes),
            .optional("produces", mediaTypes), .required("paths", .object(.swaggerPaths)),
            .optional("definitions", .map(.reference(.schema))),
            .optional("parameters", .map(.object(.swaggerParameter))),
            .optional("responses", .map(.object(.swaggerResponse))),
            .optional("securityDefinitions", .map(.object(.swaggerSecurityScheme))),
            .optional("security", .list(.object(.securityRequirement))), .optional("tags", .list(.object(.tag))),
            .optional("externalDocs", .object(.externalDocs)),
        ]),
        .swaggerPaths: ObjectRule([], others: .reference(.swaggerPathItem)),
        .swaggerPathItem: ObjectRule([
            .optional("get", operation), .optional("put", operation), .optional("post", operation),
            .optional("delete", operation), .optional("options", operation), .optional("head", operation),
            .optional("patch", operation), .optional("parameters", .list(.reference(.swaggerParameter))),
        ]),
        .swaggerOperation: ObjectRule([
            .optional("tags", .list(.text)), .optional("summary", .text), .optional("description", .text),
            .optional("externalDocs", .object(.externalDocs)), .optional("operationId", .text),
            .optional("consumes", mediaTypes), .optional("produces", mediaTypes),
            .optional("parameters", .list(.reference(.swaggerParameter))),
            .required("responses", .object(.swaggerResponses)), .optional("schemes", schemes),
            .optional("deprecated", .boolean), .optional("security", .list(.object(.securityRequirement))),
        ]),
        .swaggerParameter: ObjectRule(
            [
                .required("name", .text), .required("in", .choice(["query", "header", "path", "formData", "body"])),
                .optional("description", .text), .optional("required", .boolean),
                .optional("schema", .reference(.schema)), .optional("allowEmptyValue", .boolean),
                .optional("collectionFormat", .choice(formats + ["multi"])),
            ] + values, exclusive: [("schema", "type")]),
        .swaggerItems: ObjectRule([.optional("collectionFormat", .choice(formats))] + values),
        .swaggerHeader: ObjectRule(
            [.optional("description", .text), .optional("collectionFormat", .choice(formats))] + values),
        .swaggerResponses: ObjectRule([], others: .reference(.swaggerResponse)),
        .swaggerResponse: ObjectRule([
            .required("description", .text), .optional("schema", .reference(.schema)),
            .optional("headers", .map(.object(.swaggerHeader))), .optional("examples", .map(.any)),
        ]),
        .swaggerSecurityScheme: ObjectRule([
            .required("type", .choice(["basic", "apiKey", "oauth2"])), .optional("description", .text),
            .optional("name", .text), .optional("in", .choice(["query", "header"])),
            .optional("flow", .choice(["implicit", "password", "application", "accessCode"])),
            .optional("authorizationUrl", .text), .optional("tokenUrl", .text), .optional("scopes", .map(.text)),
        ]),
    ]
}
