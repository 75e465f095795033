import JSON

/// The common structure of all values at one location: types, members, elements and formats, as in a JSON Schema.
///
/// Shapes form a lattice. Merging is associative, commutative and idempotent. A merged shape allows everything that its
/// operands allow.
public struct Shape: Sendable, Hashable {
    /// The constraint on strings.
    public enum Text: Sendable, Hashable {
        /// One of a few values.
        case values(Set<String>)
        /// A common format.
        case format(ShapeFormat)
        /// No constraint.
        case free
    }

    /// The constraint on the elements of arrays.
    public indirect enum Elements: Sendable, Hashable {
        /// No information, because every array was empty.
        case unknown
        /// The common shape of all elements.
        case of(Shape)
    }

    /// The constraint on the members of objects.
    public indirect enum Members: Sendable, Hashable {
        /// The members, by name.
        case record([String: Member])
        /// The common shape of all values, if the names of the members are data.
        case map(Shape)
    }

    /// A member of an object.
    public struct Member: Sendable, Hashable {
        /// The shape of the member's values.
        public var shape: Shape
        /// Whether every object has the member.
        public var isRequired: Bool

        /// Creates a member.
        public init(_ shape: Shape, isRequired: Bool) {
            self.shape = shape
            self.isRequired = isRequired
        }
    }

    /// The types; empty if there was no value, or for ``any``.
    public internal(set) var types: ShapeTypes
    /// The constraint on strings; nil without the string type.
    public internal(set) var text: Text?
    /// The constraint on array elements; nil without the array type.
    public internal(set) var elements: Elements?
    /// The constraint on object members; nil without the object type.
    public internal(set) var members: Members?
    /// Whether every value is allowed.
    public internal(set) var isAny = false

    /// The shape that allows no value.
    public static let none = Shape(types: [])

    /// The shape that allows every value.
    public static var any: Shape {
        var shape = Shape.none
        shape.isAny = true
        return shape
    }

    /// Creates a shape of scalars.
    ///
    /// - Parameter text: The constraint on strings, if the types include them.
    init(types: ShapeTypes, text: Text? = nil) {
        self.types = types.merged(with: [])
        self.text = types.contains(.string) ? text ?? .free : nil
        elements = types.contains(.array) ? .unknown : nil
        members = types.contains(.object) ? .record([:]) : nil
    }

    /// Whether the shape allows no value.
    public var isNone: Bool { types.isEmpty && !isAny }
}

extension Shape {
    /// Returns the narrowest shape that allows everything that either shape allows.
    ///
    /// Recursive, but the depth of shapes is limited when they are created.
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

    /// Removes an enumeration that could not be written, because the other types would be excluded by it.
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
    /// Returns the narrowest constraint that allows everything that either one allows.
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
    /// Returns the narrowest constraint that allows everything that either one allows.
    func merged(with other: Shape.Elements) -> Shape.Elements {
        switch (self, other) {
        case (.unknown, _): other
        case (_, .unknown): self
        case (.of(let first), .of(let second)): .of(first.merged(with: second))
        }
    }
}

extension Shape.Members {
    /// Returns the narrowest constraint that allows everything that either one allows.
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

    /// Returns the common shape of all values in a record.
    static func common(of record: [String: Shape.Member]) -> Shape {
        var common = Shape.none
        for member in record.values { common = common.merged(with: member.shape) }
        return common
    }
}

/// The path to a location in values of the same shape: `$.books[*].title`.
public struct ShapePath: Sendable, Hashable, CustomStringConvertible {
    /// One step of the path.
    public enum Step: Sendable, Hashable {
        /// The member with the given name.
        case member(String)
        /// The values of an object whose names are data.
        case anyMember
        /// The elements of an array.
        case element
    }

    /// The steps, starting at the root.
    public var steps: [Step]

    /// Creates a path. Without steps, it is the root.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The path as a JSONPath (RFC 9535), with `[*]` for all elements and `.*` for all members.
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

/// The limits of shapes. Anything beyond them is unconstrained rather than an error.
enum ShapeLimits {
    /// The maximum depth of examined values.
    static let depth = 32
    /// The maximum number of an object's members before their names are considered data.
    static let members = 1_000
    /// The maximum number of distinct locations in one body.
    static let locations = 20_000
    /// The maximum number of values in an enumeration, including after merging.
    static let values = 32
    /// The maximum number of values in an inferred enumeration.
    static let inferredValues = 8
    /// The minimum number of samples for inferring an enumeration.
    static let enumerationSamples = 20
    /// The minimum average number of samples per value of an inferred enumeration.
    static let samplesPerValue = 5
    /// The maximum number of differences kept for one body.
    static let differences = 50
}
