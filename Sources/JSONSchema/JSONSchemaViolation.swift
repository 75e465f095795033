public import Basics
public import JSON

/// A violation of a schema by a value.
public struct JSONSchemaViolation: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a violation.
    public enum Kind: Sendable, Hashable {
        /// The value is not valid against the schema.
        case invalid
        /// The evaluation reached a limit, so the validity of the value is unknown.
        case limit
    }

    /// The kind of the violation.
    public let kind: Kind
    /// The location in the value.
    public let instancePath: NormalizedPath
    /// The path through the schema, including references: `/properties/a/$ref/type`.
    public let schemaPath: JSONPointer
    /// The location of the keyword: the URI of its schema resource with a JSON Pointer as the fragment.
    public let schemaLocation: String
    /// The violated keyword, such as `type`, or `false` for the schema `false`.
    public let keyword: String
    /// The message, without a period: `expected integer, got "x" (string)`.
    public var message: String { wording.text }
    /// The message with the distinction of words and data.
    public let wording: MessageText
    /// The expected value, if the violation is about a value.
    public let expected: JSONValue?
    /// The actual value, or `nil` if it is large. This prevents a violation from retaining a whole document.
    public let actual: JSONValue?
    /// The violations of the branches of `anyOf` or `oneOf`, best-matching branch first.
    public let causes: [JSONSchemaViolation]

    /// Creates a violation.
    public init(
        kind: Kind = .invalid, instancePath: NormalizedPath, schemaPath: JSONPointer, schemaLocation: String,
        keyword: String, message: MessageText, expected: JSONValue? = nil, actual: JSONValue? = nil,
        causes: [JSONSchemaViolation] = []
    ) {
        self.kind = kind
        self.instancePath = instancePath
        self.schemaPath = schemaPath
        self.schemaLocation = schemaLocation
        self.keyword = keyword
        wording = message
        self.expected = expected
        self.actual = actual
        self.causes = causes
    }

    /// The location in the value and the message: `$.a[2]: expected integer, got "x" (string)`.
    public var description: String { "\(instancePath.shorthand): \(message)" }
}

/// The violations of one keyword at one location, combined across the elements of arrays.
public struct JSONSchemaViolationGroup: Sendable {
    /// The maximum number of violations to show for a group.
    public static let maximumShown = 3

    /// The location in the value, with `[*]` for any element: `$.items[*].price`.
    public let path: String
    /// The first violations with their exact locations: `$.items[3].price`.
    public private(set) var first: [(location: String, violation: JSONSchemaViolation)] = []
    /// The number of violations in the group.
    public private(set) var count = 0

    /// Returns the first violations as lines, followed by the number of others. Empty for a single violation.
    ///
    /// - Parameter isCut: Whether the violations were counted only up to a limit.
    public func lines(isCut: Bool) -> [MessageText] {
        if count == 1 { return [] }
        let lines: [MessageText] = first.map { "\($0.location): \($0.violation.wording)" }
        guard count > lines.count else { return lines }
        return lines + ["and \(isCut ? "at least " : "")\(count - lines.count) more"]
    }

    /// Returns the message of the first violation, with the number of locations if there are several.
    ///
    /// - Parameter isCut: Whether the violations were counted only up to a limit.
    public func message(isCut: Bool) -> MessageText {
        guard let message = first.first?.violation.wording, count > 1 else {
            return first.first?.violation.wording ?? ""
        }
        return isCut ? "\(message) (in at least \(count) places)" : "\(message) (in \(count) places)"
    }

    private struct Key: Hashable {
        let path: String
        let location: String
    }

    /// Groups violations, in the order of the first violation of each group.
    ///
    /// - Parameter violations: The violations, each with the index of its item in a stream.
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
            guard groups[position].first.count < maximumShown else { continue }
            let location = violation.instancePath.shorthand
            groups[position].first.append((item.map { "\($0) \(location)" } ?? location, violation))
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

/// The violations found so far, up to a limit.
struct ViolationList {
    private(set) var violations: [JSONSchemaViolation] = []
    let limit: Int

    /// Whether the list has reached its limit.
    var isFull: Bool { violations.count >= limit }

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a violation unless the list is full.
    mutating func append(_ violation: @autoclosure () -> JSONSchemaViolation) {
        if !isFull { violations.append(violation()) }
    }
}
