import JSON

/// The normalized requirements of a schema, with resolved references, merged `allOf`, and separate nullability.
///
/// Schemas with the same meaning have the same view, regardless of their notation in OpenAPI 3.0 or 3.1.
struct SchemaView {
    /// A numeric limit.
    struct Limit {
        var value: JSONNumber
        var isExclusive: Bool
        var node: DescriptionNode
        /// The inclusive limit that is equivalent for integers.
        var integerEquivalent: JSONNumber?
    }

    /// The allowed values.
    struct Enumeration {
        var values: [JSONValue]
        var node: DescriptionNode
        /// Whether the schema uses `const`.
        var isConstant: Bool
    }

    /// A property that the schema defines.
    struct Property {
        var name: String
        /// The schemas that the value must all match.
        var schemas: [DescriptionNode] = []
        var isRequired = false
        /// The location of the name in `required`.
        var requirement: DescriptionNode?
    }

    /// The alternatives of `oneOf` or `anyOf`.
    struct Alternatives {
        /// Whether exactly one branch must match (`oneOf`).
        var isExclusive: Bool
        var branches: [DescriptionNode]
        var node: DescriptionNode
    }

    /// The rule for properties that no other keyword covers.
    enum AdditionalProperties {
        case allowed
        case disallowed(DescriptionNode)
        case schema([DescriptionNode])

        /// The keyword, if it has an effect.
        var node: DescriptionNode? {
            switch self {
            case .allowed: nil
            case .disallowed(let node): node
            case .schema(let nodes): nodes.first
            }
        }
    }

    /// The location of the schema, or `nil` for an absent schema, which accepts every value.
    var node: DescriptionNode?
    /// The types without `null`, or `nil` for any type.
    var types: SchemaTypes?
    /// The names in `type` that are not JSON Schema types, such as `int`.
    var unknownTypes: [String] = []
    /// The location of `type`.
    var typeNode: DescriptionNode?
    /// Whether `null` is valid, or `nil` if the schema does not determine it.
    var isNullable: Bool?
    /// Whether no value is valid.
    var isNever = false
    var format: DescriptionNode?
    /// The limits by keyword. Exclusive limits use the key of the inclusive keyword.
    var limits: [SchemaLimit: Limit] = [:]
    var patterns: [DescriptionNode] = []
    var enumeration: Enumeration?
    /// The keywords with a plain value; the first occurrence of each.
    var values: [ValueKeyword: DescriptionNode] = [:]
    /// The keywords with a schema; the value must match all schemas of a keyword.
    var schemas: [SchemaKeyword: [DescriptionNode]] = [:]
    var additionalProperties = AdditionalProperties.allowed
    var properties: [Property] = []
    var propertyPositions: [String: Int] = [:]
    var prefixItems: [[DescriptionNode]] = []
    var patternProperties: [(pattern: String, schemas: [DescriptionNode])] = []
    var dependentRequired: [(name: String, node: DescriptionNode)] = []
    var dependentSchemas: [(name: String, schemas: [DescriptionNode])] = []
    var alternatives: [Alternatives] = []
    /// The elements of the schema's own `allOf`.
    var allOf: [DescriptionNode] = []
    /// Whether the schema has effective keywords other than `type`, nullability, and annotations.
    var hasOtherKeywords = false

    /// A keyword that is compared by value.
    enum ValueKeyword: String {
        case `default`, multipleOf, uniqueItems, contentEncoding, contentMediaType, discriminator, readOnly, writeOnly
        case deprecated
        case extensibleEnum = "x-extensible-enum"
        case sunset = "x-sunset"
        case stability = "x-stability-level"
    }

    /// A keyword whose value is a single schema.
    enum SchemaKeyword: String {
        case items, contains, propertyNames, unevaluatedItems, unevaluatedProperties, contentSchema, not
        case condition = "if"
        case then
        case otherwise = "else"
    }

    /// Returns the property with a name.
    func property(_ name: String) -> Property? { propertyPositions[name].map { properties[$0] } }

    /// Returns whether a flag such as `readOnly` is set.
    func isSet(_ keyword: ValueKeyword) -> Bool { values[keyword]?.value.boolValue ?? false }

    /// Returns whether `type` permits values of a type.
    func mayBe(_ type: SchemaTypes) -> Bool {
        guard let types, unknownTypes.isEmpty else { return true }
        return types.contains(type)
    }

    /// Whether the schema accepts every value.
    var isUnconstrained: Bool {
        types == nil && format == nil && !isNever && !hasOtherKeywords && isNullable != false && alternatives.isEmpty
    }
}

/// A keyword that limits a number, a length, or a count.
enum SchemaLimit: String, CaseIterable {
    case maximum
    case minimum
    case maxLength
    case minLength
    case maxItems
    case minItems
    case maxProperties
    case minProperties
    case maxContains
    case minContains

    /// Whether the keyword is an upper limit.
    var isUpper: Bool {
        switch self {
        case .maximum, .maxLength, .maxItems, .maxProperties, .maxContains: true
        case .minimum, .minLength, .minItems, .minProperties, .minContains: false
        }
    }

    /// The type that the keyword applies to, or `nil` for scalar types.
    var structure: SchemaTypes? {
        switch self {
        case .maxItems, .minItems, .maxContains, .minContains: .array
        case .maxProperties, .minProperties: .object
        case .maximum, .minimum, .maxLength, .minLength: nil
        }
    }

    /// Returns the prefix of the names of the limit's changes.
    func stem(isExclusive: Bool) -> String {
        switch self {
        case .maximum: isExclusive ? "exclusive-max" : "max"
        case .minimum: isExclusive ? "exclusive-min" : "min"
        case .maxLength: "max-length"
        case .minLength: "min-length"
        case .maxItems: "max-items"
        case .minItems: "min-items"
        case .maxProperties: "max-properties"
        case .minProperties: "min-properties"
        case .maxContains: "max-contains"
        case .minContains: "min-contains"
        }
    }

    /// Whether a limit of zero has no effect, because the count is never negative.
    var isCountFromZero: Bool {
        switch self {
        case .minLength, .minItems, .minProperties: true
        case .maximum, .minimum, .maxLength, .maxItems, .maxProperties, .maxContains, .minContains: false
        }
    }
}

/// A set of JSON Schema types. `number` includes `integer`.
struct SchemaTypes: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let null = SchemaTypes(rawValue: 1)
    static let boolean = SchemaTypes(rawValue: 2)
    static let integer = SchemaTypes(rawValue: 4)
    static let number = SchemaTypes(rawValue: 8 + 4)
    static let string = SchemaTypes(rawValue: 16)
    static let array = SchemaTypes(rawValue: 32)
    static let object = SchemaTypes(rawValue: 64)

    private static let named: [(name: String, types: SchemaTypes)] = [
        ("string", .string), ("number", .number), ("integer", .integer), ("boolean", .boolean), ("array", .array),
        ("object", .object), ("null", .null),
    ]

    /// Creates the type with a name, or `nil` if the name is unknown.
    init?(name: String) {
        guard let types = Self.named.first(where: { $0.name == name })?.types else { return nil }
        self = types
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The names of the types.
    var names: [String] {
        Self.named.filter { entry in
            contains(entry.types) && !(entry.types == .integer && contains(.number))
        }.map(\.name)
    }

    /// Whether each value of the types can be written on a single line.
    var isScalar: Bool { isDisjoint(with: [.array, .object]) }
}
