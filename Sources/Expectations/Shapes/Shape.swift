import JSON

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

extension Shape {
    /// The narrowest shape that allows what either allows.
    ///
    /// The depth of shapes is bounded where they are made, and with it this recursion.
    public func merged(with other: Shape) -> Shape {
        if isAny || other.isAny { return .any }
        if other.isNone { return self }
        if isNone { return other }
        var result = self
        result.types = types.merged(with: other.types)
        result.text = Self.merged(text, other.text) { $0.merged(with: $1) }
        result.elements = Self.merged(elements, other.elements) { $0.merged(with: $1) }
        result.members = Self.merged(members, other.members) { $0.merged(with: $1) }
        result.normalize()
        return result
    }

    /// Gives up what could not be written: an enumeration beside types that it would exclude.
    mutating func normalize() {
        if case .values(let values) = text,
            !types.isSubset(of: [.string, .null]) || values.count > ShapeLimits.values || values.isEmpty
        {
            text = .free
        }
    }

    private static func merged<Part>(_ first: Part?, _ second: Part?, _ merge: (Part, Part) -> Part) -> Part? {
        guard let first else { return second }
        guard let second else { return first }
        return merge(first, second)
    }
}

extension Shape.Text {
    func merged(with other: Shape.Text) -> Shape.Text {
        switch (self, other) {
        case (.values(let first), .values(let second)):
            let union = first.union(second)
            return union.count > ShapeLimits.values ? .free : .values(union)
        case (.format(let first), .format(let second)): return first == second ? self : .free
        case (.values, _), (.format, _), (.free, _): return .free
        }
    }
}

extension Shape.Elements {
    func merged(with other: Shape.Elements) -> Shape.Elements {
        switch (self, other) {
        case (.unknown, _): other
        case (_, .unknown): self
        case (.of(let first), .of(let second)): .of(first.merged(with: second))
        }
    }
}

extension Shape.Members {
    func merged(with other: Shape.Members) -> Shape.Members {
        switch (self, other) {
        case (.record(let first), .record(let second)): return Self.merged(first, second)
        case (.map(let first), .map(let second)): return .map(first.merged(with: second))
        case (.map(let values), .record(let record)), (.record(let record), .map(let values)):
            return .map(Self.common(of: record).merged(with: values))
        }
    }

    private static func merged(_ first: [String: Shape.Member], _ second: [String: Shape.Member]) -> Shape.Members {
        var result = first
        for (name, member) in first where member.isRequired && second[name] == nil { result[name]?.isRequired = false }
        for (name, member) in second {
            guard let known = first[name] else {
                result[name] = Shape.Member(member.shape, isRequired: false)
                continue
            }
            result[name] = Shape.Member(
                known.shape.merged(with: member.shape), isRequired: known.isRequired && member.isRequired)
        }
        return result.count > ShapeLimits.members ? .map(common(of: result)) : .record(result)
    }

    /// What all values of a record have in common.
    static func common(of record: [String: Shape.Member]) -> Shape {
        var common = Shape.none
        for member in record.values { common = common.merged(with: member.shape) }
        return common
    }
}

/// The way to a place in values of one shape: `$.books[*].title`.
public struct ShapePath: Sendable, Hashable, CustomStringConvertible {
    /// One step down.
    public enum Step: Sendable, Hashable {
        /// To the member with this name.
        case member(String)
        /// To the values of an object whose names are data.
        case anyMember
        /// To the elements of an array.
        case element
    }

    /// The steps from the root.
    public var steps: [Step]

    /// Creates a path; without steps it is the root.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The path as JSONPath writes it (RFC 9535), with `[*]` for all elements and `.*` for all members.
    public var description: String {
        var text = "$"
        for step in steps {
            switch step {
            case .member(let name): text += NormalizedPath([.name(name)]).shorthand.dropFirst()
            case .anyMember: text += ".*"
            case .element: text += "[*]"
            }
        }
        return text
    }
}

/// The bounds of shapes: what is beyond them is left open, never an error.
enum ShapeLimits {
    /// The depth at which values are no longer looked into.
    static let depth = 32
    /// The members of an object beyond which its names are taken for data.
    static let members = 1_000
    /// The places of one body that are told apart.
    static let places = 20_000
    /// The most values of an enumeration, however often shapes are merged.
    static let values = 32
    /// The most values that are taken for an enumeration when a shape is inferred.
    static let inferredValues = 8
    /// The fewest samples of which an enumeration is inferred.
    static let enumerationSamples = 20
    /// How often each value of an enumeration must come on average.
    static let samplesPerValue = 5
    /// The differences of one body that are kept.
    static let differences = 50
}
