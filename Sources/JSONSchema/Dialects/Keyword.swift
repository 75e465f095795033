/// A keyword of one of the drafts.
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

    /// Of OpenAPI.
    case nullable, discriminator

    /// Where a keyword's value has schemas.
    enum Shape: Sendable {
        /// It has none.
        case none
        /// It is one.
        case schema
        /// It is an array of them.
        case schemaArray
        /// Its members are.
        case schemaMap
        /// It is one or an array of them: `items` before 2020-12.
        case schemaOrArray
        /// Its members are, where they are not lists of names: `dependencies`.
        case dependencies
    }

    /// All keywords by name.
    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The drafts that have the keyword, by `JSONSchemaDialect.order`.
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

    /// Whether OpenAPI 3.0 has the keyword; it ignores all others (Schema Object).
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

    /// The vocabulary that the keyword belongs to.
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

    /// Where the keyword's value has schemas.
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
