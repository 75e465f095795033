import JSON
import JSONSchema

/// Violations of one keyword at one place, whatever the elements of arrays on the way to it.
struct ViolationGroup {
    /// How many violations are shown of a group.
    static let mostShown = 3

    /// The place in the value, with `[*]` for every element: `$.items[*].price`.
    let path: String
    /// The first violations, with their places: `$.items[3].price`.
    private(set) var first: [(place: String, violation: JSONSchemaViolation)] = []
    /// How many there are.
    private(set) var count = 0

    private struct Key: Hashable {
        let path: String
        let location: String
    }

    /// Returns the groups of violations, in the order of their first ones.
    ///
    /// - Parameter violations: Violations, each with the item of a stream that it is one of.
    static func groups(of violations: [(item: Int?, violation: JSONSchemaViolation)]) -> [ViolationGroup] {
        var groups: [ViolationGroup] = []
        var positions: [Key: Int] = [:]
        for (item, violation) in violations {
            let path = general(violation.instancePath)
            let key = Key(path: path, location: violation.schemaLocation)
            let position = positions[key] ?? groups.count
            if position == groups.count {
                positions[key] = position
                groups.append(ViolationGroup(path: path))
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
