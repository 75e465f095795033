package import JSON

/// The combined constraints of the schemas of one value, with one branch chosen in each choice.
package struct SchemaConstraints {
    /// A member that schemas define.
    package struct Property {
        package var name: String
        package var schemas: [DescriptionNode]
    }

    /// An element schema that some elements must match.
    struct Contained {
        var schema: DescriptionNode
        var minimum: Int
    }

    /// The allowed types.
    package var types = ValueTypes.all
    /// The schema that permits no value, if any.
    var never: DescriptionNode?
    /// Whether a value must be validated, because the construction cannot guarantee all constraints.
    var needsCheck = false
    /// The values that `enum` and `const` allow.
    package var allowed: [JSONValue]?
    /// The examples, followed by the defaults.
    package var suggestions: [JSONValue] = []
    var defaults: [JSONValue] = []
    /// All schemas that were read, to detect recursion.
    var visited: Set<DescriptionNode> = []
    /// The types that keywords suggest.
    var hints: ValueTypes = []

    // Numbers
    var lower: (value: ScaledDecimal, isExclusive: Bool)?
    var upper: (value: ScaledDecimal, isExclusive: Bool)?
    var steps: [ScaledDecimal] = []

    // Strings
    var minimumLength = 0
    var maximumLength: Int?
    /// The regular expressions that a string must match.
    package var patterns: [String] = []
    /// The format of strings and numbers.
    package var format: String?
    var contentMediaType: String?
    var contentEncoding: String?

    // Arrays
    var minimumItems = 0
    var maximumItems: Int?
    var isUnique = false
    var prefix: [[DescriptionNode]] = []
    /// The schemas of array elements after the prefix.
    package var items: [DescriptionNode] = []
    var contained: [Contained] = []

    // Objects
    /// The members that schemas define, in order.
    package var properties: [Property] = []
    private var positions: [String: Int] = [:]
    var required: [String] = []
    /// The names of the required members.
    package var requiredNames: Set<String> = []
    /// The members that must not be created.
    var excluded: Set<String> = []
    var minimumProperties = 0
    var maximumProperties: Int?
    var patternProperties: [(pattern: String, schema: DescriptionNode)] = []
    var additional: [DescriptionNode] = []
    /// Whether `unevaluatedProperties` forbids undefined members.
    var isClosed = false
    var propertyNames: [DescriptionNode] = []
    var dependentRequired: [(name: String, names: [String])] = []
    var dependentSchemas: [(name: String, schema: DescriptionNode)] = []
    /// The members with a value from a discriminator, unless their schemas specify one.
    var discriminators: [(name: String, value: String)] = []
    /// The branches of `oneOf` that were not chosen.
    var otherBranches: [DescriptionNode] = []

    /// Adds a schema for a member.
    mutating func add(_ schema: DescriptionNode, to name: String) {
        if let position = positions[name] {
            properties[position].schemas.append(schema)
        } else {
            positions[name] = properties.count
            properties.append(Property(name: name, schemas: [schema]))
        }
    }

    /// Adds the schemas of an array's first elements.
    mutating func addPrefix(_ schemas: [DescriptionNode]) {
        for (position, schema) in schemas.enumerated() {
            hints.insert(.array)
            if position < prefix.count { prefix[position].append(schema) } else { prefix.append([schema]) }
        }
    }

    /// Returns the schemas of a defined member.
    package func schemas(of name: String) -> [DescriptionNode] { positions[name].map { properties[$0].schemas } ?? [] }

    /// Restricts the lower bound of numbers.
    mutating func raiseLower(_ value: ScaledDecimal, isExclusive: Bool) {
        if let lower, lower.value > value || (lower.value == value && lower.isExclusive) { return }
        lower = (value, isExclusive)
    }

    /// Restricts the upper bound of numbers.
    mutating func reduceUpper(_ value: ScaledDecimal, isExclusive: Bool) {
        if let upper, upper.value < value || (upper.value == value && upper.isExclusive) { return }
        upper = (value, isExclusive)
    }

    /// Restricts the value to an enumeration.
    mutating func allow(_ values: [JSONValue]) {
        allowed = allowed.map { known in known.filter { values.contains($0) } } ?? values
    }

    /// The types to try, most likely first.
    var orderedTypes: [ValueTypes] {
        let order: [ValueTypes] = [.object, .array, .string, .integer, .fraction, .boolean, .null]
        var possible = order.filter { types.contains($0) }
        if types == .all, hints.isEmpty { possible = [.string] + possible.filter { $0 != .string } }
        // For `number`, integers are tried first unless the keywords suggest otherwise.
        return possible.filter { !hints.isDisjoint(with: $0) } + possible.filter { hints.isDisjoint(with: $0) }
    }
}

/// A set of JSON Schema types for a value. Integers and other numbers are separate.
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

    /// Creates the types of a `type` keyword. Unknown names are ignored.
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
            // Swagger 2.0 and early 3.0 documents use this type for uploads.
            case "file": insert(.string)
            default: break
            }
        }
    }
}
