import JSON

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
