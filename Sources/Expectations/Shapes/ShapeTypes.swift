/// The types of values that a shape allows, by their names in JSON Schema.
public struct ShapeTypes: OptionSet, Sendable, Hashable {
    /// The types as bits.
    public let rawValue: UInt8

    /// Takes types by their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Objects.
    public static let object = ShapeTypes(rawValue: 1)
    /// Arrays.
    public static let array = ShapeTypes(rawValue: 1 << 1)
    /// Strings.
    public static let string = ShapeTypes(rawValue: 1 << 2)
    /// Numbers of any kind; with it, ``integer`` says nothing more.
    public static let number = ShapeTypes(rawValue: 1 << 3)
    /// Numbers that are written without a fraction and an exponent.
    public static let integer = ShapeTypes(rawValue: 1 << 4)
    /// True and false.
    public static let boolean = ShapeTypes(rawValue: 1 << 5)
    /// Null.
    public static let null = ShapeTypes(rawValue: 1 << 6)

    /// Each type with its name, in the order in which they are written.
    static let named: [(type: ShapeTypes, name: String)] = [
        (.object, "object"), (.array, "array"), (.string, "string"), (.number, "number"), (.integer, "integer"),
        (.boolean, "boolean"), (.null, "null"),
    ]

    /// The type of a name of JSON Schema, or nil.
    init?(name: String) {
        guard let found = Self.named.first(where: { $0.name == name }) else { return nil }
        self = found.type
    }

    /// The names, in the order in which they are written.
    var names: [String] { Self.named.compactMap { contains($0.type) ? $0.name : nil } }

    /// The types of both, in which an integer is a number where there are other numbers.
    func merged(with other: ShapeTypes) -> ShapeTypes {
        let both = union(other)
        return both.contains(.number) ? both.subtracting(.integer) : both
    }

    /// Whether a value of the one type is allowed.
    func allows(_ type: ShapeTypes) -> Bool {
        contains(type) || (type == .integer && contains(.number))
    }
}
