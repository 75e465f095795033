import SuiteModel

/// The tests that did not run, by suite and reason, with the first names of each.
struct NotRunTally {
    /// Tests of one suite that did not run for one reason.
    struct Group {
        let suite: Int
        let outcome: TestResult.Outcome
        var names: [String] = []
        var count = 0
    }

    private struct Key: Hashable {
        let suite: Int
        let outcome: TestResult.Outcome
    }

    private static let mostGroups = 200
    private static let mostNames = 5

    private(set) var groups: [Group] = []
    /// Tests for further reasons.
    private(set) var others = 0
    private var indices: [Key: Int] = [:]

    /// Adds a test that did not run.
    mutating func add(_ result: TestResult) {
        let key = Key(suite: result.test.suite, outcome: result.outcome)
        let index: Int
        if let known = indices[key] {
            index = known
        } else {
            guard groups.count < Self.mostGroups else {
                others += 1
                return
            }
            index = groups.count
            indices[key] = index
            groups.append(Group(suite: result.test.suite, outcome: result.outcome))
        }
        groups[index].count += 1
        if groups[index].names.count < Self.mostNames { groups[index].names.append(result.test.name) }
    }
}
