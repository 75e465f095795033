import JSON

/// A branch of `anyOf` or `oneOf` that does not hold; less is a better fit.
struct FailedBranch: Comparable {
    let index: Int
    let violations: [JSONSchemaViolation]
    /// How deep the value is that the branch was applied to.
    private let depth: Int
    /// Whether the branch is for another type of values.
    private let hasOtherType: Bool
    /// Whether a `const` or `enum` of the value or one of its members says that another branch is meant.
    private let hasOtherMark: Bool
    /// How deep the deepest violation is.
    private let reach: Int

    init(index: Int, violations: [JSONSchemaViolation], depth: Int) {
        self.index = index
        self.violations = violations
        self.depth = depth
        hasOtherType = violations.contains { FailedBranch.isTypeMismatch($0, depth) }
        hasOtherMark = violations.contains {
            ($0.keyword == "const" || $0.keyword == "enum") && $0.instancePath.steps.count <= depth + 1
        }
        reach = violations.reduce(depth) { max($0, FailedBranch.reach(of: $1)) }
    }

    static func < (left: FailedBranch, right: FailedBranch) -> Bool {
        if left.hasOtherType != right.hasOtherType { return right.hasOtherType }
        if left.hasOtherMark != right.hasOtherMark { return right.hasOtherMark }
        if left.reach != right.reach { return left.reach > right.reach }
        if left.violations.count != right.violations.count { return left.violations.count < right.violations.count }
        return left.index < right.index
    }

    static func == (left: FailedBranch, right: FailedBranch) -> Bool { left.index == right.index }

    private static func isTypeMismatch(_ violation: JSONSchemaViolation, _ depth: Int) -> Bool {
        guard violation.instancePath.steps.count == depth else { return false }
        switch violation.keyword {
        case "type", "false": return true
        case "anyOf", "oneOf":
            return !violation.causes.isEmpty && violation.causes.allSatisfy { isTypeMismatch($0, depth) }
        default: return false
        }
    }

    private static func reach(of violation: JSONSchemaViolation) -> Int {
        var reach = violation.instancePath.steps.count
        // The causes of the best branch come first; the first one speaks for it.
        if let first = violation.causes.first { reach = max(reach, FailedBranch.reach(of: first)) }
        return reach
    }

    /// The types that the branches ask for, when nothing but the type is wrong with any of them.
    static func commonTypes(_ branches: [FailedBranch]) -> [String]? {
        var types: [String] = []
        for branch in branches.sorted(by: { $0.index < $1.index }) {
            guard branch.violations.count == 1, let only = branch.violations.first, only.keyword == "type",
                only.instancePath.steps.count == branch.depth
            else { return nil }
            let names = only.expected?.arrayValue?.compactMap(\.stringValue) ?? only.expected?.stringValue.map { [$0] }
            for name in names ?? [] where !types.contains(name) { types.append(name) }
        }
        return types.isEmpty ? nil : types
    }

    /// The values that the branches ask for, when nothing but one value, the same of all of them, is wrong.
    static func commonValues(_ branches: [FailedBranch]) -> [JSONValue]? {
        var values: [JSONValue] = []
        let path = branches.first?.violations.first?.instancePath
        for branch in branches.sorted(by: { $0.index < $1.index }) {
            guard branch.violations.count == 1, let only = branch.violations.first, only.instancePath == path,
                let expected = only.expected
            else { return nil }
            switch (only.keyword, expected) {
            case ("const", _): values.append(expected)
            case ("enum", .array(let list)): values += list
            default: return nil
            }
        }
        return values.isEmpty ? nil : values
    }
}
