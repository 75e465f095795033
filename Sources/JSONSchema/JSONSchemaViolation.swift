public import JSON

/// One way in which a value does not follow a schema.
public struct JSONSchemaViolation: Sendable, Hashable, CustomStringConvertible {
    /// What a violation says about the value.
    public enum Kind: Sendable, Hashable {
        /// The value does not follow the schema.
        case invalid
        /// A bound of the evaluation was reached, so the value could not be judged.
        case limit
    }

    /// What the violation says.
    public let kind: Kind
    /// The place in the value.
    public let instancePath: NormalizedPath
    /// The way through the schema, references included: `/properties/a/$ref/type`.
    public let schemaPath: JSONPointer
    /// The place of the keyword itself: the URI of its schema resource with a JSON Pointer as fragment.
    public let schemaLocation: String
    /// The keyword that does not hold, such as `type`; `false` for the schema `false`.
    public let keyword: String
    /// One sentence without a final full stop: `expected integer, got "x" (string)`.
    public let message: String
    /// What was expected, where it is a value.
    public let expected: JSONValue?
    /// What was found; nil where that is a large value, so that a violation does not keep a whole document.
    public let actual: JSONValue?
    /// For `anyOf` and `oneOf`: the violations of the branches, those of the branch that fits best first.
    public let causes: [JSONSchemaViolation]

    /// Makes a violation.
    public init(
        kind: Kind = .invalid, instancePath: NormalizedPath, schemaPath: JSONPointer, schemaLocation: String,
        keyword: String, message: String, expected: JSONValue? = nil, actual: JSONValue? = nil,
        causes: [JSONSchemaViolation] = []
    ) {
        self.kind = kind
        self.instancePath = instancePath
        self.schemaPath = schemaPath
        self.schemaLocation = schemaLocation
        self.keyword = keyword
        self.message = message
        self.expected = expected
        self.actual = actual
        self.causes = causes
    }

    /// The place in the value and the message: `$.a[2]: expected integer, got "x" (string)`.
    public var description: String { "\(instancePath.shorthand): \(message)" }
}

/// Violations of one keyword at one place, whatever the elements of arrays on the way to it.
public struct JSONSchemaViolationGroup: Sendable {
    /// How many violations are shown of a group.
    public static let mostShown = 3

    /// The place in the value, with `[*]` for every element: `$.items[*].price`.
    public let path: String
    /// The first violations, with their places: `$.items[3].price`.
    public private(set) var first: [(place: String, violation: JSONSchemaViolation)] = []
    /// How many there are.
    public private(set) var count = 0

    /// The first violations as lines, and how many there are more; none of a single one.
    ///
    /// - Parameter isCut: Whether violations were counted up to a bound alone.
    public func lines(isCut: Bool) -> [String] {
        if count == 1 { return [] }
        let lines = first.map { "\($0.place): \($0.violation.message)" }
        guard count > lines.count else { return lines }
        return lines + ["and \(isCut ? "at least " : "")\(count - lines.count) more"]
    }

    /// The message of the first violation, with the number of places where there are several.
    ///
    /// - Parameter isCut: Whether violations were counted up to a bound alone.
    public func message(isCut: Bool) -> String {
        guard let message = first.first?.violation.message, count > 1 else {
            return first.first?.violation.message ?? ""
        }
        return message + " (in \(isCut ? "at least " : "")\(count) places)"
    }

    private struct Key: Hashable {
        let path: String
        let location: String
    }

    /// Returns the groups of violations, in the order of their first ones.
    ///
    /// - Parameter violations: Violations, each with the item of a stream that it is one of.
    public static func groups(of violations: [(item: Int?, violation: JSONSchemaViolation)])
        -> [JSONSchemaViolationGroup]
    {
        var groups: [JSONSchemaViolationGroup] = []
        var positions: [Key: Int] = [:]
        for (item, violation) in violations {
            let path = general(violation.instancePath)
            let key = Key(path: path, location: violation.schemaLocation)
            let position = positions[key] ?? groups.count
            if position == groups.count {
                positions[key] = position
                groups.append(JSONSchemaViolationGroup(path: path))
            }
            groups[position].count += 1
            guard groups[position].first.count < mostShown else { continue }
            let place = violation.instancePath.shorthand
            groups[position].first.append((item.map { "\($0) \(place)" } ?? place, violation))
        }
        return groups
    }

    private static func general(_ path: NormalizedPath) -> String {
        path.steps.reduce(into: "$") { text, step in
            switch step {
            case .index: text += "[*]"
            case .name: text += NormalizedPath([step]).shorthand.dropFirst()
            }
        }
    }
}

/// The violations found so far, up to a bound.
struct ViolationList {
    private(set) var violations: [JSONSchemaViolation] = []
    let limit: Int

    /// Whether looking for more is of no use.
    var isFull: Bool { violations.count >= limit }

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a violation while there is room.
    mutating func append(_ violation: @autoclosure () -> JSONSchemaViolation) {
        if !isFull { violations.append(violation()) }
    }
}
