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
