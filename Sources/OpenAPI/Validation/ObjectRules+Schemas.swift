extension ObjectRules {
    private static let schema = MemberShape.reference(.schema)

    /// What all versions have in schemas.
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

    /// Schema Object of Swagger 2.0.
    static let schema2 = ObjectRule(
        common + [.optional("items", .schemaOrList), .optional("discriminator", .text)], ignoresUnknown: true)

    /// Schema Object of OpenAPI 3.0.
    static let schema30 = ObjectRule(
        common + [
            .optional("items", schema), .optional("oneOf", .list(schema)), .optional("anyOf", .list(schema)),
            .optional("not", schema), .optional("nullable", .boolean), .optional("writeOnly", .boolean),
            .optional("deprecated", .boolean), .optional("discriminator", .object(.discriminator)),
        ], ignoresUnknown: true)

    /// Schema Object of OpenAPI 3.1 and 3.2: JSON Schema 2020-12 with four keywords more.
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
