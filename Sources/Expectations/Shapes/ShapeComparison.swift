public import Basics
public import JSON

extension Shape {
    /// Compares a value with the shape.
    ///
    /// - Returns: The differences in order of occurrence, each combined for all array elements and rows.
    public func differences(of value: JSONValue) -> [ShapeDifference] {
        var comparison = ShapeComparison()
        comparison.compare(value, self)
        return comparison.differences
    }
}

/// The traversal of a value along its locked shape. Nothing is allocated for equal parts.
private struct ShapeComparison {
    private struct Key: Hashable {
        var kind: ShapeDifference.Kind
        var path: ShapePath
    }

    private(set) var differences: [ShapeDifference] = []
    private var known: [Key: Int] = [:]
    private var path = ShapePath()
    /// The current path in the value.
    private var location: [NormalizedPath.Step] = []
    /// The maximum number of locations listed for a difference.
    private static let maximumLocations = 3

    /// Compares a value with a shape and collects the differences.
    ///
    /// Recursive, but the depth of shapes is limited.
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
                location.append(.index(index))
                compare(value, shape)
                location.removeLast()
            }
            path.steps.removeLast()
        case .object(let object):
            switch shape.members {
            case .record(let record): compare(object, record)
            case .map(let shape):
                path.steps.append(.anyMember)
                for (name, value) in object {
                    location.append(.name(name))
                    compare(value, shape)
                    location.removeLast()
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
            location.append(.name(name))
            if let member = record[name] {
                if member.isRequired { required += 1 }
                compare(value, member.shape)
            } else {
                add(.newMember, locked: nil, found: value)
            }
            path.steps.removeLast()
            location.removeLast()
        }
        guard required < record.values.count(where: \.isRequired) else { return }
        let lost = record.filter { $0.value.isRequired && !object.contains($0.key) }
        for (name, member) in lost.sorted(by: { Shape.precedes($0.key, $1.key) }) {
            path.steps.append(.member(name))
            location.append(.name(name))
            add(.lostMember, locked: member.shape, found: nil)
            path.steps.removeLast()
            location.removeLast()
        }
    }

    private var locationText: String { NormalizedPath(location).shorthand }

    private mutating func add(_ kind: ShapeDifference.Kind, locked: Shape?, found: JSONValue?) {
        let key = Key(kind: kind, path: path)
        let shape = found.map(Shape.init(of:))
        if let index = known[key] {
            differences[index].count += 1
            if differences[index].locations.count < Self.maximumLocations {
                differences[index].locations.append(locationText)
            }
            if let shape { differences[index].found = differences[index].found?.merged(with: shape) }
        } else if differences.count < ShapeLimits.differences {
            known[key] = differences.count
            var difference = ShapeDifference(kind: kind, path: path, locked: locked, found: shape)
            difference.locations = [locationText]
            differences.append(difference)
        }
    }
}

/// A difference between values and their locked shape.
public struct ShapeDifference: Sendable, Hashable {
    /// The kind of difference.
    public enum Kind: Sendable, Hashable {
        /// A member that every object had is missing.
        case lostMember
        /// A value has another type.
        case type
        /// A value is null, although none was.
        case null
        /// A string does not have the common format.
        case format
        /// A member that no object had is present.
        case newMember
        /// A value is not part of the enumeration.
        case newValue

        /// Whether the difference violates the lock. Otherwise, the value only extends it in a way compatible with its
        /// readers.
        public var isBreaking: Bool {
            switch self {
            case .lostMember, .type, .null, .format: true
            case .newMember, .newValue: false
            }
        }
    }

    /// The kind of difference.
    public var kind: Kind
    /// The path in the shape.
    public var path: ShapePath
    /// The first locations in the value, such as `$.items[3].name`.
    public var locations: [String] = []
    /// The number of locations.
    public var count = 1
    /// The locked shape; nil for a new member.
    public var locked: Shape?
    /// The shape of the actual value; nil for a missing member.
    public var found: Shape?

    /// Creates a difference.
    public init(kind: Kind, path: ShapePath, locked: Shape? = nil, found: Shape? = nil) {
        self.kind = kind
        self.path = path
        self.locked = locked
        self.found = found
    }

    /// The location for display: that in the value if there is only one, otherwise the path in the shape.
    public var locationText: String { count == 1 ? locations.first ?? path.description : path.description }

    /// A list of the first locations; nil for a single one.
    public var locationsNote: MessageText? {
        guard count > 1, !locations.isEmpty else { return nil }
        let more = count > locations.count ? " and \(count - locations.count) more" : ""
        return "at \(locations.joined(separator: ", "))\(more)"
    }

    /// A one-sentence description without a final period.
    public var message: MessageText {
        let locked: MessageText = locked?.phrase ?? "nothing"
        let found: MessageText = found?.phrase ?? "nothing"
        return switch kind {
        case .lostMember: "the member is missing; it is locked as \(locked)"
        case .type, .format: "locked as \(locked), got \(found)"
        case .null: "locked as \(locked), got null"
        case .newMember: "the member is new: \(found)"
        case .newValue: "locked as \(locked), got another value"
        }
    }
}

/// The types of values that a shape allows, named as in JSON Schema.
public struct ShapeTypes: OptionSet, Sendable, Hashable {
    /// The types as bits.
    public let rawValue: UInt8

    /// Creates types from their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Objects.
    public static let object = ShapeTypes(rawValue: 1)
    /// Arrays.
    public static let array = ShapeTypes(rawValue: 1 << 1)
    /// Strings.
    public static let string = ShapeTypes(rawValue: 1 << 2)
    /// Numbers of any kind, including ``integer``.
    public static let number = ShapeTypes(rawValue: 1 << 3)
    /// Numbers written without a fraction or exponent.
    public static let integer = ShapeTypes(rawValue: 1 << 4)
    /// True and false.
    public static let boolean = ShapeTypes(rawValue: 1 << 5)
    /// Null.
    public static let null = ShapeTypes(rawValue: 1 << 6)

    /// The types with their names, in the order in which they are written.
    static let named: [(type: ShapeTypes, name: String)] = [
        (.object, "object"), (.array, "array"), (.string, "string"), (.number, "number"), (.integer, "integer"),
        (.boolean, "boolean"), (.null, "null"),
    ]

    /// Creates the type with a name from JSON Schema. Returns nil for an unknown name.
    init?(name: String) {
        guard let found = Self.named.first(where: { $0.name == name }) else { return nil }
        self = found.type
    }

    /// The names of the types, in the order in which they are written.
    var names: [String] { Self.named.compactMap { contains($0.type) ? $0.name : nil } }

    /// Returns the union of the types, in which `number` includes `integer`.
    func merged(with other: ShapeTypes) -> ShapeTypes {
        let both = union(other)
        return both.contains(.number) ? both.subtracting(.integer) : both
    }

    /// Returns whether a value of the given type is allowed.
    func allows(_ type: ShapeTypes) -> Bool {
        contains(type) || (type == .integer && contains(.number))
    }
}
