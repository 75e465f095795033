import JSON

/// What a schema asks for: its references followed, its `allOf` merged, and nullability told apart from its types.
///
/// Two schemas that mean the same have the same view, however they are written in OpenAPI 3.0 or 3.1.
struct SchemaView {
    /// A number that bounds something.
    struct Limit {
        var value: JSONNumber
        var isExclusive: Bool
        var node: DescriptionNode
        /// The inclusive bound that is the same for integers.
        var integerEquivalent: JSONNumber?
    }

    /// The values that an enumeration allows.
    struct Enumeration {
        var values: [JSONValue]
        var node: DescriptionNode
        /// Whether it was written as `const`.
        var isConstant: Bool
    }

    /// A member that the schema knows.
    struct Property {
        var name: String
        /// What its value has to match: all of these.
        var schemas: [DescriptionNode] = []
        var isRequired = false
        /// Where `required` names it.
        var requirement: DescriptionNode?
    }

    /// Schemas of which one, or any, has to match.
    struct Alternatives {
        /// Whether exactly one has to match (`oneOf`).
        var isExclusive: Bool
        var branches: [DescriptionNode]
        var node: DescriptionNode
    }

    /// What holds for properties that no other keyword names.
    enum AdditionalProperties {
        case allowed
        case disallowed(DescriptionNode)
        case schema([DescriptionNode])

        /// The keyword, where it says anything.
        var node: DescriptionNode? {
            switch self {
            case .allowed: nil
            case .disallowed(let node): node
            case .schema(let nodes): nodes.first
            }
        }
    }

    /// Where it stands; nil for what asks for nothing because nothing was written.
    var node: DescriptionNode?
    /// The types without null; nil for any.
    var types: SchemaTypes?
    /// The names under `type` that are not types of JSON Schema, such as `int`.
    var unknownTypes: [String] = []
    /// Where `type` stands.
    var typeNode: DescriptionNode?
    /// Whether null is valid; nil when nothing tells.
    var isNullable: Bool?
    /// Whether nothing is valid.
    var isNever = false
    var format: DescriptionNode?
    /// The bounds, by their keyword; `exclusiveMaximum` and `exclusiveMinimum` under the inclusive one.
    var limits: [SchemaLimit: Limit] = [:]
    var patterns: [DescriptionNode] = []
    var enumeration: Enumeration?
    /// Keywords with a plain value: the first of each.
    var values: [ValueKeyword: DescriptionNode] = [:]
    /// Keywords with a schema: all of these have to match.
    var schemas: [SchemaKeyword: [DescriptionNode]] = [:]
    var additionalProperties = AdditionalProperties.allowed
    var properties: [Property] = []
    var propertyPositions: [String: Int] = [:]
    var prefixItems: [[DescriptionNode]] = []
    var patternProperties: [(pattern: String, schemas: [DescriptionNode])] = []
    var dependentRequired: [(name: String, node: DescriptionNode)] = []
    var dependentSchemas: [(name: String, schemas: [DescriptionNode])] = []
    var alternatives: [Alternatives] = []
    /// The elements of the `allOf` of the schema itself.
    var allOf: [DescriptionNode] = []
    /// Whether any keyword but `type`, null and annotations says something.
    var hasOtherKeywords = false

    /// A keyword that is compared by its value.
    enum ValueKeyword: String {
        case `default`, multipleOf, uniqueItems, contentEncoding, contentMediaType, discriminator, readOnly, writeOnly
        case deprecated
        case extensibleEnum = "x-extensible-enum"
        case sunset = "x-sunset"
        case stability = "x-stability-level"
    }

    /// A keyword that holds one schema.
    enum SchemaKeyword: String {
        case items, contains, propertyNames, unevaluatedItems, unevaluatedProperties, contentSchema, not
        case condition = "if"
        case then
        case otherwise = "else"
    }

    /// The property of a name.
    func property(_ name: String) -> Property? { propertyPositions[name].map { properties[$0] } }

    /// Whether a flag such as `readOnly` is set.
    func isSet(_ keyword: ValueKeyword) -> Bool { values[keyword]?.value.boolValue ?? false }

    /// Whether a value of a type may be valid, as far as `type` decides.
    func mayBe(_ type: SchemaTypes) -> Bool {
        guard let types, unknownTypes.isEmpty else { return true }
        return types.contains(type)
    }

    /// Whether it asks for nothing.
    var isUnconstrained: Bool {
        types == nil && format == nil && !isNever && !hasOtherKeywords && isNullable != false && alternatives.isEmpty
    }
}

/// A keyword that bounds a number, a length or a count.
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

    /// Whether it bounds from above.
    var isUpper: Bool {
        switch self {
        case .maximum, .maxLength, .maxItems, .maxProperties, .maxContains: true
        case .minimum, .minLength, .minItems, .minProperties, .minContains: false
        }
    }

    /// The type of the values that it bounds; nil for those of scalars.
    var structure: SchemaTypes? {
        switch self {
        case .maxItems, .minItems, .maxContains, .minContains: .array
        case .maxProperties, .minProperties: .object
        case .maximum, .minimum, .maxLength, .minLength: nil
        }
    }

    /// The beginning of the names of its changes.
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

    /// Whether a bound of zero says nothing: what it counts is never less.
    var isCountFromZero: Bool {
        switch self {
        case .minLength, .minItems, .minProperties: true
        case .maximum, .minimum, .maxLength, .maxItems, .maxProperties, .maxContains, .minContains: false
        }
    }
}

/// A set of the types of JSON Schema; a number's includes an integer's.
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

    /// The type of a name; nil for what is none.
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

    /// Whether each value of these types can be written as one line of text.
    var isScalar: Bool { isDisjoint(with: [.array, .object]) }
}
