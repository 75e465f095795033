package import JSON

/// Everything that the schemas of one value say of it, with a branch taken wherever they offer several.
package struct SchemaFacts {
    /// A member that schemas name.
    package struct Property {
        package var name: String
        package var schemas: [DescriptionNode]
    }

    /// Elements of which an array must have some.
    struct Contained {
        var schema: DescriptionNode
        var minimum: Int
    }

    package var types = ValueTypes.all
    /// Whether a schema says that there is no value, and where.
    var never: DescriptionNode?
    /// Whether a value must be held against the schemas: they say what no construction follows.
    var needsCheck = false
    /// What `enum` and `const` allow.
    package var allowed: [JSONValue]?
    /// Examples, then defaults.
    package var suggestions: [JSONValue] = []
    var defaults: [JSONValue] = []
    /// All schemas that were read, so that one that holds itself is seen.
    var visited: Set<DescriptionNode> = []
    /// Kinds of values that keywords hint at.
    var hints: ValueTypes = []

    // Numbers
    var lower: (value: ScaledDecimal, isExclusive: Bool)?
    var upper: (value: ScaledDecimal, isExclusive: Bool)?
    var steps: [ScaledDecimal] = []

    // Texts
    var minimumLength = 0
    var maximumLength: Int?
    package var patterns: [String] = []
    package var format: String?
    var contentMediaType: String?
    var contentEncoding: String?

    // Arrays
    var minimumItems = 0
    var maximumItems: Int?
    var isUnique = false
    var prefix: [[DescriptionNode]] = []
    package var items: [DescriptionNode] = []
    var contained: [Contained] = []

    // Objects
    package var properties: [Property] = []
    private var positions: [String: Int] = [:]
    var required: [String] = []
    package var requiredNames: Set<String> = []
    var minimumProperties = 0
    var maximumProperties: Int?
    var patternProperties: [(pattern: String, schema: DescriptionNode)] = []
    var additional: [DescriptionNode] = []
    /// Whether `unevaluatedProperties` refuses members that no schema names.
    var isClosed = false
    var propertyNames: [DescriptionNode] = []
    var dependentRequired: [(name: String, names: [String])] = []
    var dependentSchemas: [(name: String, schema: DescriptionNode)] = []
    /// Members whose value a discriminator says, unless their schemas do.
    var discriminators: [(name: String, value: String)] = []
    /// The branches of `oneOf` that were not taken.
    var otherBranches: [DescriptionNode] = []

    /// Adds a schema of a member.
    mutating func add(_ schema: DescriptionNode, to name: String) {
        if let position = positions[name] {
            properties[position].schemas.append(schema)
        } else {
            positions[name] = properties.count
            properties.append(Property(name: name, schemas: [schema]))
        }
    }

    /// Adds the schemas of the first elements of an array.
    mutating func addPrefix(_ schemas: [DescriptionNode]) {
        for (position, schema) in schemas.enumerated() {
            hints.insert(.array)
            if position < prefix.count { prefix[position].append(schema) } else { prefix.append([schema]) }
        }
    }

    /// The schemas of a member that schemas name.
    package func schemas(of name: String) -> [DescriptionNode] { positions[name].map { properties[$0].schemas } ?? [] }

    mutating func raiseLower(_ value: ScaledDecimal, isExclusive: Bool) {
        if let lower, lower.value > value || (lower.value == value && lower.isExclusive) { return }
        lower = (value, isExclusive)
    }

    mutating func reduceUpper(_ value: ScaledDecimal, isExclusive: Bool) {
        if let upper, upper.value < value || (upper.value == value && upper.isExclusive) { return }
        upper = (value, isExclusive)
    }

    mutating func allow(_ values: [JSONValue]) {
        allowed = allowed.map { known in known.filter { values.contains($0) } } ?? values
    }

    /// The types to try, the likeliest first.
    var orderedTypes: [ValueTypes] {
        let order: [ValueTypes] = [.object, .array, .string, .integer, .fraction, .boolean, .null]
        var possible = order.filter { types.contains($0) }
        if types == .all, hints.isEmpty { possible = [.string] + possible.filter { $0 != .string } }
        // `number` is tried as integers first, unless what it is called says otherwise.
        return possible.filter { !hints.isDisjoint(with: $0) } + possible.filter { hints.isDisjoint(with: $0) }
    }
}

/// The types of JSON Schema that a value may have; numbers are told apart by whether they are integers.
package struct ValueTypes: OptionSet {
    package let rawValue: UInt8

    package static let object = ValueTypes(rawValue: 1)
    package static let array = ValueTypes(rawValue: 2)
    package static let string = ValueTypes(rawValue: 4)
    package static let integer = ValueTypes(rawValue: 8)
    package static let fraction = ValueTypes(rawValue: 16)
    package static let boolean = ValueTypes(rawValue: 32)
    package static let null = ValueTypes(rawValue: 64)
    package static let number: ValueTypes = [.integer, .fraction]
    package static let all = ValueTypes(rawValue: 127)

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What `type` says; unknown names are left out.
    init(keyword: JSONValue) {
        let names = keyword.stringValue.map { [$0] } ?? (keyword.arrayValue ?? []).compactMap(\.stringValue)
        self = []
        for name in names {
            switch name {
            case "object": insert(.object)
            case "array": insert(.array)
            case "string": insert(.string)
            case "integer": insert(.integer)
            case "number": formUnion(.number)
            case "boolean": insert(.boolean)
            case "null": insert(.null)
            // Swagger 2.0 and early 3.0 documents name the type of uploads so.
            case "file": insert(.string)
            default: break
            }
        }
    }
}
