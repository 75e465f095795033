/// What is the same of all values at a place, as a JSON Schema could say it: types, members, elements, formats.
///
/// Shapes form a lattice: merging them is associative, commutative and idempotent, and what a shape allows, every shape
/// that it was merged into allows too.
public struct Shape: Sendable, Hashable {
    /// What is known of the strings.
    public enum Text: Sendable, Hashable {
        /// One of a few values.
        case values(Set<String>)
        /// A format that all have.
        case format(ShapeFormat)
        /// Nothing.
        case free
    }

    /// What is known of the elements of arrays.
    public indirect enum Elements: Sendable, Hashable {
        /// Nothing: every array was empty.
        case unknown
        /// What all elements have in common.
        case of(Shape)
    }

    /// What is known of the members of objects.
    public indirect enum Members: Sendable, Hashable {
        /// The members by name.
        case record([String: Member])
        /// The names are data; what all values have in common.
        case map(Shape)
    }

    /// A member of objects.
    public struct Member: Sendable, Hashable {
        /// The member's values.
        public var shape: Shape
        /// Whether every object has it.
        public var isRequired: Bool

        /// Creates a member.
        public init(_ shape: Shape, isRequired: Bool) {
            self.shape = shape
            self.isRequired = isRequired
        }
    }

    /// The types; none when no value was seen, or when the shape is ``any``.
    public internal(set) var types: ShapeTypes
    /// What is known of strings; nil when there are none.
    public internal(set) var text: Text?
    /// What is known of arrays; nil when there are none.
    public internal(set) var elements: Elements?
    /// What is known of objects; nil when there are none.
    public internal(set) var members: Members?
    /// Whether everything is allowed.
    public internal(set) var isAny = false

    /// The shape of no value at all.
    public static let none = Shape(types: [])

    /// The shape that allows every value.
    public static var any: Shape {
        var shape = Shape.none
        shape.isAny = true
        return shape
    }

    /// A shape of scalars.
    ///
    /// - Parameter text: What is known of the strings, when there are some.
    init(types: ShapeTypes, text: Text? = nil) {
        self.types = types.merged(with: [])
        self.text = types.contains(.string) ? text ?? .free : nil
        elements = types.contains(.array) ? .unknown : nil
        members = types.contains(.object) ? .record([:]) : nil
    }

    /// Whether no value was seen.
    public var isNone: Bool { types.isEmpty && !isAny }
}
