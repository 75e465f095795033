import JSON
import RegularExpressions

/// The keywords that the compiler has read from one schema.
struct NodeBuilder {
    let location: LocationIndex
    let dialect: SchemaDialect

    var types: TypeSet = .all
    var values: [ValueSet] = []

    var minimum: JSONNumber?
    var maximum: JSONNumber?
    /// Whether the Boolean `exclusiveMinimum` of draft 4 and OpenAPI 3.0 is set.
    var minimumIsExclusive = false
    /// Whether the Boolean `exclusiveMaximum` of draft 4 and OpenAPI 3.0 is set.
    var maximumIsExclusive = false
    var bounds: [NumberBound] = []
    var divisor: DecimalDivisor?

    var minimumLength = 0
    var maximumLength = Int.max
    var pattern: RegularExpression?
    var format: Format?

    var minimumItems = 0
    var maximumItems = Int.max
    var isUnique = false
    var prefix: [NodeIndex] = []
    var hasPrefix = false
    var items: NodeIndex = -1
    var additionalItems: NodeIndex = -1
    var contains: NodeIndex = -1
    var minimumContained: Int?
    var maximumContained: Int?
    var unevaluatedItems: NodeIndex = -1

    var minimumProperties = 0
    var maximumProperties = Int.max
    var properties: [(name: String, node: NodeIndex)] = []
    var required: [String] = []
    var patterns: [ObjectKeywords.Pattern] = []
    var additional = ObjectKeywords.Additional.allowed
    var additionalNode: NodeIndex = -1
    var propertyNames: NodeIndex = -1
    var dependentNames: [ObjectKeywords.RequiredNames] = []
    var dependentSchemas: [ObjectKeywords.DependentSchema] = []
    var unevaluatedProperties: NodeIndex = -1

    var applicators: [Applicator] = []
    var condition: NodeIndex = -1
    var then: NodeIndex = -1
    var otherwise: NodeIndex = -1
    var isReferenceOnly = false
    /// Whether `nullable` adds `null` to the types.
    var isNullable = false
    /// The `discriminator` of an OpenAPI schema.
    var discriminator: JSONObject?
    /// The members in `required` that may be missing in the direction of the values.
    var exempt: Set<ExactText> = []

    init(location: LocationIndex, dialect: SchemaDialect) {
        self.location = location
        self.dialect = dialect
    }

    /// All number bounds, including those that draft 4 splits into two keywords.
    var allBounds: [NumberBound] {
        var result = bounds
        if let minimum {
            result.append(
                minimumIsExclusive
                    ? NumberBound(.moreThan, minimum, keyword: "minimum")
                    : NumberBound(.atLeast, minimum, keyword: "minimum"))
        }
        if let maximum {
            result.append(
                maximumIsExclusive
                    ? NumberBound(.lessThan, maximum, keyword: "maximum")
                    : NumberBound(.atMost, maximum, keyword: "maximum"))
        }
        return result
    }

    /// The string keywords, or `nil` if there are none.
    var stringKeywords: StringKeywords? {
        if minimumLength == 0, maximumLength == .max, pattern == nil, format == nil { return nil }
        return StringKeywords(
            minimumLength: minimumLength, maximumLength: maximumLength, pattern: pattern, format: format)
    }

    /// The array keywords, or `nil` if there are none.
    var arrayKeywords: ArrayKeywords? {
        let usesAdditionalItems = hasPrefix && dialect.draft != .draft202012
        let rest = usesAdditionalItems ? additionalItems : items
        let hasContains = contains >= 0
        if minimumItems == 0, maximumItems == .max, !isUnique, prefix.isEmpty, rest < 0, !hasContains { return nil }
        return ArrayKeywords(
            minimumCount: minimumItems, maximumCount: maximumItems, isUnique: isUnique, prefix: prefix, rest: rest,
            usesAdditionalItems: usesAdditionalItems, contains: contains,
            minimumContained: hasContains ? minimumContained ?? 1 : 0,
            maximumContained: hasContains ? maximumContained ?? .max : .max,
            containsEvaluates: dialect.draft == .draft202012)
    }

    /// The object keywords, or `nil` if there are none.
    var objectKeywords: ObjectKeywords? {
        let isEmpty =
            minimumProperties == 0 && maximumProperties == .max && properties.isEmpty && required.isEmpty
            && patterns.isEmpty && additionalNode < 0 && propertyNames < 0 && dependentNames.isEmpty
            && dependentSchemas.isEmpty
        if isEmpty { return nil }
        let requiredNames = Set(required.map(ExactText.init)).subtracting(exempt)
        var entries = properties.map {
            (name: $0.name, node: $0.node, isRequired: requiredNames.contains(ExactText($0.name)))
        }
        let known = Set(properties.map { ExactText($0.name) })
        for name in required where !known.contains(ExactText(name)) && !exempt.contains(ExactText(name)) {
            entries.append((name, -1, true))
        }
        return ObjectKeywords(
            minimumCount: minimumProperties, maximumCount: maximumProperties, properties: PropertyTable(entries),
            patterns: patterns, additional: additional, additionalNode: additionalNode, names: propertyNames,
            dependentNames: dependentNames, dependentSchemas: dependentSchemas)
    }
}
