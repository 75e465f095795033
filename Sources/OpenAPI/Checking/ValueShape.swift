import JSON

/// The types of a schema and its members, as far as parsing values from strings needs them.
struct ValueShape: Sendable {
    /// A set of value types, empty if the schema does not restrict them.
    struct Types: OptionSet, Sendable {
        let rawValue: UInt8
        static let null = Types(rawValue: 1)
        static let boolean = Types(rawValue: 2)
        static let number = Types(rawValue: 4)
        static let string = Types(rawValue: 8)
        static let array = Types(rawValue: 16)
        static let object = Types(rawValue: 32)
    }

    /// The types of the value.
    private(set) var types: Types = []
    /// The shapes of the object's properties.
    private(set) var properties: [String: ValueShape] = [:]
    /// The shape of the elements, as an array of at most one element.
    private var elements: [ValueShape] = []
    /// The shape of additional properties, as an array of at most one element.
    private var others: [ValueShape] = []
    /// Whether `additionalProperties` forbids additional properties.
    private var isClosed = false

    /// The types of values that a single string can represent.
    private static let scalars: Types = [.null, .boolean, .number, .string]

    /// The maximum nesting depth of values in strings.
    private static let depth = 4
    /// The maximum number of schemas to inspect for one shape.
    private static let budget = 2_000

    /// Creates a shape that accepts any value.
    init() {}

    /// Creates the shape of a schema.
    init(_ node: DescriptionNode, _ description: OpenAPIDescription) {
        var budget = Self.budget
        self = Self.shape(of: node, description, Self.depth, &budget)
    }

    /// The shape of the elements.
    var element: ValueShape { elements.first ?? ValueShape() }

    /// Whether the types include one that a single string can represent.
    var isScalar: Bool { !types.isDisjoint(with: Self.scalars) }

    /// Whether the object accepts members of any name, not only its own properties.
    var hasMembersOfAnyName: Bool { !others.isEmpty || properties.isEmpty && !isClosed }

    /// Returns the shape of a member.
    func member(_ name: String) -> ValueShape { properties[name] ?? others.first ?? ValueShape() }

    private static func shape(
        of node: DescriptionNode, _ description: OpenAPIDescription, _ depth: Int, _ budget: inout Int
    ) -> ValueShape {
        var shape = ValueShape()
        // Schemas can refer to themselves and branch at each step.
        var pending = [node]
        while let site = pending.popLast(), budget > 0 {
            budget -= 1
            guard let node = description.resolved(site) else { continue }
            if node != site, !description.version.usesSchemaDialect30 { shape.addTypes(site.value) }
            shape.addTypes(node.value)
            for keyword in ["allOf", "anyOf", "oneOf"] { pending += node[keyword]?.elements ?? [] }
            guard depth > 0 else { continue }
            if shape.elements.isEmpty, let items = node["items"] {
                shape.elements = [Self.shape(of: items, description, depth - 1, &budget)]
            }
            if node["additionalProperties"]?.value.boolValue == false { shape.isClosed = true }
            if shape.others.isEmpty, let others = node["additionalProperties"], others.value.objectValue != nil {
                shape.others = [Self.shape(of: others, description, depth - 1, &budget)]
            }
            for property in node["properties"]?.members ?? [] where shape.properties[property.name] == nil {
                shape.properties[property.name] = Self.shape(of: property, description, depth - 1, &budget)
            }
        }
        return shape
    }

    private mutating func addTypes(_ schema: JSONValue) {
        switch schema["type"] {
        case .string(let name): types.formUnion(Self.types(named: name))
        case .array(let names): for name in names { types.formUnion(Self.types(named: name.stringValue ?? "")) }
        default:
            for value in schema["enum"]?.arrayValue ?? [] { types.formUnion(Self.types(of: value)) }
            if let value = schema["const"] { types.formUnion(Self.types(of: value)) }
            if schema["properties"] != nil { types.insert(.object) }
            if schema["items"] != nil { types.insert(.array) }
        }
        if schema["nullable"] == true { types.insert(.null) }
    }

    private static func types(named name: String) -> Types {
        switch name {
        case "null": .null
        case "boolean": .boolean
        case "integer", "number": .number
        case "string": .string
        case "array": .array
        case "object": .object
        default: []
        }
    }

    private static func types(of value: JSONValue) -> Types {
        switch value {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    // MARK: Scalars

    /// Returns the possible values of a string, most likely first. Never empty.
    func values(of text: String) -> [JSONValue] {
        var values: [JSONValue] = []
        _ = types.containsValue(of: text) { value in
            values.append(value)
            return false
        }
        return values
    }

    /// Returns the scalar values among ``values(of:)`` that match the schema's types. May be empty.
    func scalars(of text: String) -> [JSONValue] {
        let own = types.intersection(Self.scalars)
        guard !own.isEmpty else { return [] }
        var values: [JSONValue] = []
        _ = own.containsValue(of: text) { value in
            if own.contains(Self.types(of: value)) { values.append(value) }
            return false
        }
        return values
    }

    /// Returns the possible values of an element's or a member's string, most likely first. Never empty.
    ///
    /// For a schema without types, the result is the string alone. Otherwise, arrays of such elements would have too
    /// many readings.
    func readings(of text: String) -> [JSONValue] { types.isEmpty ? [value(of: text)] : values(of: text) }

    /// Returns the most likely value of a string.
    func value(of text: String) -> JSONValue { values(of: text).first ?? .string(text) }
}

extension ValueShape.Types {
    /// Returns whether a predicate holds for one of the possible values of a string, starting with the most likely.
    func containsValue(of text: String, _ holds: (JSONValue) -> Bool) -> Bool {
        var isAny = false
        if isEmpty {
            isAny = true
            if holds(.string(text)) { return true }
        }
        if contains(.boolean) || isEmpty, text == "true" || text == "false" {
            isAny = true
            if holds(.bool(text == "true")) { return true }
        }
        if contains(.number) || isEmpty, let number = JSONNumber(literal: text) {
            isAny = true
            if holds(.number(number)) { return true }
        }
        if contains(.null), text.isEmpty || text == "null" {
            isAny = true
            if holds(.null) { return true }
        }
        return (contains(.string) || !isAny) && holds(.string(text))
    }
}
