/// A keyword of one of the supported drafts.
enum Keyword: String, CaseIterable, Sendable {
    case plainID = "id"
    case id = "$id"
    case schema = "$schema"
    case ref = "$ref"
    case comment = "$comment"
    case defs = "$defs"
    case definitions
    case anchor = "$anchor"
    case dynamicRef = "$dynamicRef"
    case dynamicAnchor = "$dynamicAnchor"
    case recursiveRef = "$recursiveRef"
    case recursiveAnchor = "$recursiveAnchor"
    case vocabularyList = "$vocabulary"

    case allOf, anyOf, oneOf, not
    case condition = "if"
    case then
    case otherwise = "else"
    case properties, patternProperties, additionalProperties, propertyNames, dependencies, dependentSchemas
    case items, prefixItems, additionalItems, contains
    case unevaluatedItems, unevaluatedProperties

    case type
    case enumeration = "enum"
    case const
    case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
    case maxLength, minLength, pattern
    case maxItems, minItems, uniqueItems, maxContains, minContains
    case maxProperties, minProperties, required, dependentRequired

    case format
    case contentEncoding, contentMediaType, contentSchema
    case title, description, deprecated, readOnly, writeOnly, examples

    /// OpenAPI only.
    case nullable, discriminator

    /// The position of schemas in a keyword's value.
    enum Shape: Sendable {
        /// The value contains no schemas.
        case none
        /// The value is a schema.
        case schema
        /// The value is an array of schemas.
        case schemaArray
        /// The value is an object whose members are schemas.
        case schemaMap
        /// The value is a schema or an array of schemas: `items` before 2020-12.
        case schemaOrArray
        /// The value is an object whose members are schemas or arrays of names: `dependencies`.
        case dependencies
    }

    /// All keywords by name.
    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The range of drafts with the keyword, by `JSONSchemaDialect.order`.
    var drafts: ClosedRange<Int> {
        switch self {
        case .plainID: 4...4
        case .id, .propertyNames, .const, .contains, .examples: 6...9
        case .comment, .condition, .then, .otherwise, .readOnly, .writeOnly, .contentEncoding, .contentMediaType: 7...9
        case .nullable: 5...5
        case .defs, .anchor, .vocabularyList, .dependentSchemas, .dependentRequired, .unevaluatedItems,
            .unevaluatedProperties, .maxContains, .minContains, .contentSchema, .deprecated:
            8...9
        case .recursiveRef, .recursiveAnchor: 8...8
        case .dynamicRef, .dynamicAnchor, .prefixItems: 9...9
        case .additionalItems: 4...8
        default: 4...9
        }
    }

    /// Whether OpenAPI 3.0 has the keyword. OpenAPI 3.0 ignores all others (Schema Object).
    var isInOpenAPI30: Bool {
        switch self {
        case .ref, .allOf, .anyOf, .oneOf, .not, .properties, .additionalProperties, .items, .type, .enumeration,
            .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum, .maxLength, .minLength, .pattern,
            .maxItems, .minItems, .uniqueItems, .maxProperties, .minProperties, .required, .format, .title,
            .description, .deprecated, .readOnly, .writeOnly, .nullable, .discriminator:
            true
        default: false
        }
    }

    /// The vocabulary of the keyword.
    var vocabulary: Vocabularies {
        switch self {
        case .plainID, .id, .schema, .ref, .comment, .defs, .definitions, .anchor, .dynamicRef, .dynamicAnchor,
            .recursiveRef, .recursiveAnchor, .vocabularyList:
            .core
        case .allOf, .anyOf, .oneOf, .not, .condition, .then, .otherwise, .properties, .patternProperties,
            .additionalProperties, .propertyNames, .dependencies, .dependentSchemas, .items, .prefixItems,
            .additionalItems, .contains:
            .applicator
        case .unevaluatedItems, .unevaluatedProperties: .unevaluated
        case .type, .enumeration, .const, .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum,
            .maxLength, .minLength, .pattern, .maxItems, .minItems, .uniqueItems, .maxContains, .minContains,
            .maxProperties, .minProperties, .required, .dependentRequired:
            .validation
        case .format: .format
        case .contentEncoding, .contentMediaType, .contentSchema: .content
        case .title, .description, .deprecated, .readOnly, .writeOnly, .examples, .nullable, .discriminator: .metadata
        }
    }

    /// Returns the position of schemas in the keyword's value.
    func shape(in draft: JSONSchemaDialect) -> Shape {
        switch self {
        case .not, .condition, .then, .otherwise, .additionalProperties, .propertyNames, .additionalItems, .contains,
            .unevaluatedItems, .unevaluatedProperties, .contentSchema:
            .schema
        case .allOf, .anyOf, .oneOf, .prefixItems: .schemaArray
        case .properties, .patternProperties, .dependentSchemas, .defs, .definitions: .schemaMap
        case .items: draft == .draft202012 ? .schema : .schemaOrArray
        case .dependencies: .dependencies
        default: .none
        }
    }
}

/// The keyword semantics of a schema resource: a draft with the vocabularies that a custom metaschema selects.
struct SchemaDialect: Hashable, Sendable {
    let draft: JSONSchemaDialect
    let vocabularies: Vocabularies
    /// Whether the metaschema requires that formats are validated.
    let assertsFormat: Bool

    init(_ draft: JSONSchemaDialect, vocabularies: Vocabularies = .all, assertsFormat: Bool = false) {
        self.draft = draft
        self.vocabularies = vocabularies.union(.core)
        self.assertsFormat = assertsFormat
    }

    /// The keyword that identifies a resource, or `nil` in OpenAPI 3.0, which has none.
    var identifier: String? {
        switch draft {
        case .draft4: "id"
        case .openAPI30: nil
        default: "$id"
        }
    }

    /// Returns the keyword with a name, or `nil` if the dialect does not have it.
    @inline(__always)
    func keyword(_ name: String) -> Keyword? {
        guard let keyword = Keyword.byName[name], vocabularies.contains(keyword.vocabulary) else { return nil }
        if draft == .openAPI30 { return keyword.isInOpenAPI30 ? keyword : nil }
        return keyword.drafts.contains(draft.order) ? keyword : nil
    }
}

/// The groups of keywords that a metaschema can select (2020-12 Core, section 8.1.2). Earlier drafts have all groups.
struct Vocabularies: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let core = Vocabularies(rawValue: 1 << 0)
    static let applicator = Vocabularies(rawValue: 1 << 1)
    static let unevaluated = Vocabularies(rawValue: 1 << 2)
    static let validation = Vocabularies(rawValue: 1 << 3)
    static let metadata = Vocabularies(rawValue: 1 << 4)
    static let format = Vocabularies(rawValue: 1 << 5)
    static let content = Vocabularies(rawValue: 1 << 6)

    static let all = Vocabularies(rawValue: 0x7F)

    /// Returns the vocabulary with a URI and whether it makes `format` an assertion, or `nil` if it is unknown.
    static func named(_ uri: String, isRequired: Bool) -> (vocabulary: Vocabularies, assertsFormat: Bool)? {
        switch uri {
        case "https://json-schema.org/draft/2019-09/vocab/core", "https://json-schema.org/draft/2020-12/vocab/core":
            (.core, false)
        // In 2019-09, the applicator vocabulary includes the unevaluated keywords.
        case "https://json-schema.org/draft/2019-09/vocab/applicator": ([.applicator, .unevaluated], false)
        case "https://json-schema.org/draft/2020-12/vocab/applicator": (.applicator, false)
        case "https://json-schema.org/draft/2020-12/vocab/unevaluated": (.unevaluated, false)
        case "https://json-schema.org/draft/2019-09/vocab/validation",
            "https://json-schema.org/draft/2020-12/vocab/validation":
            (.validation, false)
        case "https://json-schema.org/draft/2019-09/vocab/meta-data",
            "https://json-schema.org/draft/2020-12/vocab/meta-data":
            (.metadata, false)
        // In 2019-09, the value of the vocabulary determines whether formats are assertions.
        case "https://json-schema.org/draft/2019-09/vocab/format": (.format, isRequired)
        case "https://json-schema.org/draft/2020-12/vocab/format-annotation": (.format, false)
        case "https://json-schema.org/draft/2020-12/vocab/format-assertion": (.format, true)
        case "https://json-schema.org/draft/2019-09/vocab/content",
            "https://json-schema.org/draft/2020-12/vocab/content":
            (.content, false)
        default: nil
        }
    }
}
