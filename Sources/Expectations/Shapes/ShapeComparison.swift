public import JSON

extension Shape {
    /// Holds a value against the shape.
    ///
    /// - Returns: Each difference once for all elements and rows of the value, in the order in which they were met.
    public func differences(of value: JSONValue) -> [ShapeDifference] {
        var comparison = ShapeComparison()
        comparison.compare(value, self)
        return comparison.differences
    }
}

/// Walks a value along the shape that is locked for it; nothing is made of what is as locked.
private struct ShapeComparison {
    private struct Key: Hashable {
        var kind: ShapeDifference.Kind
        var path: ShapePath
    }

    private(set) var differences: [ShapeDifference] = []
    private var known: [Key: Int] = [:]
    private var path = ShapePath()
    /// The way in the value itself.
    private var place: [NormalizedPath.Step] = []
    /// How many places are named of a difference.
    private static let mostPlaces = 3

    /// The depth of shapes is bounded, and with it this recursion.
    mutating func compare(_ value: JSONValue, _ shape: Shape) {
        if shape.isAny || shape.isNone { return }
        switch value {
        case .null:
            if !shape.types.contains(.null) { add(.null, locked: shape, found: value) }
        case .bool:
            if !shape.types.contains(.boolean) { add(.type, locked: shape, found: value) }
        case .number(let number):
            let type: ShapeTypes = ShapeObservation.Node.isWhole(number) ? .integer : .number
            if !shape.types.allows(type) { add(.type, locked: shape, found: value) }
        case .string(let text):
            switch shape.text {
            case .free: return
            case .values(let values): if !values.contains(text) { add(.newValue, locked: shape, found: value) }
            case .format(let format):
                if ShapeFormat(of: text) != format { add(.format, locked: shape, found: value) }
            case nil: add(.type, locked: shape, found: value)
            }
        case .array(let values):
            guard let elements = shape.elements else { return add(.type, locked: shape, found: value) }
            guard case .of(let shape) = elements else { return }
            path.steps.append(.element)
            for (index, value) in values.enumerated() {
                place.append(.index(index))
                compare(value, shape)
                place.removeLast()
            }
            path.steps.removeLast()
        case .object(let object):
            switch shape.members {
            case .record(let record): compare(object, record)
            case .map(let shape):
                path.steps.append(.anyMember)
                for (name, value) in object {
                    place.append(.name(name))
                    compare(value, shape)
                    place.removeLast()
                }
                path.steps.removeLast()
            case nil: add(.type, locked: shape, found: value)
            }
        }
    }

    private mutating func compare(_ object: JSONObject, _ record: [String: Shape.Member]) {
        var required = 0
        for (name, value) in object {
            path.steps.append(.member(name))
            place.append(.name(name))
            if let member = record[name] {
                if member.isRequired { required += 1 }
                compare(value, member.shape)
            } else {
                add(.newMember, locked: nil, found: value)
            }
            path.steps.removeLast()
            place.removeLast()
        }
        guard required < record.values.count(where: \.isRequired) else { return }
        let lost = record.filter { $0.value.isRequired && !object.contains($0.key) }
        for (name, member) in lost.sorted(by: { Shape.precedes($0.key, $1.key) }) {
            path.steps.append(.member(name))
            place.append(.name(name))
            add(.lostMember, locked: member.shape, found: nil)
            path.steps.removeLast()
            place.removeLast()
        }
    }

    private var placeText: String { NormalizedPath(place).shorthand }

    private mutating func add(_ kind: ShapeDifference.Kind, locked: Shape?, found: JSONValue?) {
        let key = Key(kind: kind, path: path)
        let shape = found.map(Shape.init(of:))
        if let index = known[key] {
            differences[index].count += 1
            if differences[index].places.count < Self.mostPlaces { differences[index].places.append(placeText) }
            if let shape { differences[index].found = differences[index].found?.merged(with: shape) }
        } else if differences.count < ShapeLimits.differences {
            known[key] = differences.count
            var difference = ShapeDifference(kind: kind, path: path, locked: locked, found: shape)
            difference.places = [placeText]
            differences.append(difference)
        }
    }
}

/// How values differ from the shape that is locked for them.
public struct ShapeDifference: Sendable, Hashable {
    /// What is different.
    public enum Kind: Sendable, Hashable {
        /// A member that every object had is gone.
        case lostMember
        /// A value has another type.
        case type
        /// A value is null, which none was.
        case null
        /// A string is not of the format that all had.
        case format
        /// There is a member that none had.
        case newMember
        /// There is a value that the enumeration has not.
        case newValue

        /// Whether the shape is not allowed; otherwise it is wider than what is locked, in a way that breaks no reader.
        public var isBreaking: Bool {
            switch self {
            case .lostMember, .type, .null, .format: true
            case .newMember, .newValue: false
            }
        }
    }

    /// What is different.
    public var kind: Kind
    /// Where.
    public var path: ShapePath
    /// The first places in the value, such as `$.items[3].name`.
    public var places: [String] = []
    /// How many places there are.
    public var count = 1
    /// What is locked there; nil for a new member.
    public var locked: Shape?
    /// What was found there; nil for a member that is gone.
    public var found: Shape?

    /// Creates a difference.
    public init(kind: Kind, path: ShapePath, locked: Shape? = nil, found: Shape? = nil) {
        self.kind = kind
        self.path = path
        self.locked = locked
        self.found = found
    }

    /// Where, as people read it: the place itself where there is one alone.
    public var placeText: String { count == 1 ? places.first ?? path.description : path.description }

    /// The first of several places; nil for a single one.
    public var placesNote: String? {
        guard count > 1, !places.isEmpty else { return nil }
        let more = count > places.count ? " and \(count - places.count) more" : ""
        return "at \(places.joined(separator: ", "))\(more)"
    }

    /// One sentence without a final full stop.
    public var message: String {
        let locked = locked?.phrase ?? "nothing"
        let found = found?.phrase ?? "nothing"
        return switch kind {
        case .lostMember: "the member is gone, which is locked as \(locked)"
        case .type, .format: "locked as \(locked), got \(found)"
        case .null: "locked as \(locked), got null"
        case .newMember: "the member is new: \(found)"
        case .newValue: "locked as \(locked), got another value"
        }
    }
}

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
