import SuiteModel

/// The order of the entries of a suite: that of its tests and steps, and what a fragment adds by its name.
struct LockOrder {
    private let tests: [String: Int]
    private let steps: [String: [String: Int]]

    init(of suite: Suite) {
        let labels = LockLabels(of: suite)
        tests = Dictionary(labels.all.enumerated().map { ($1, $0) }) { first, _ in first }
        var steps: [String: [String: Int]] = [:]
        for (index, test) in suite.tests.enumerated() where test.hasSteps {
            for (position, step) in test.steps.enumerated() {
                let name = StepSequence.name(of: step, in: test)
                if steps[labels[index]]?[name] == nil { steps[labels[index], default: [:]][name] = position }
            }
        }
        self.steps = steps
    }

    /// Whether the key is that of a test of the suite.
    func contains(_ key: LockKey) -> Bool { tests[key.test] != nil }

    /// Whether one entry comes before another of the same suite.
    func precedes(_ first: LockKey, _ second: LockKey) -> Bool {
        let ranks = (tests[first.test] ?? .max, tests[second.test] ?? .max)
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        if first.test != second.test { return first.test < second.test }
        let positions = (position(of: first), position(of: second))
        if positions.0 != positions.1 { return positions.0 < positions.1 }
        return (first.step ?? "") < (second.step ?? "")
    }

    /// The place of a step in its test; that of the call for the steps of a fragment.
    private func position(of key: LockKey) -> Int {
        guard let step = key.step, let known = steps[key.test] else { return -1 }
        if let position = known[step] { return position }
        var name = ""
        for (index, part) in step.split(separator: " › ").enumerated() {
            name += index == 0 ? String(part) : " › \(part)"
            if let position = known[name] { return position }
        }
        return .max
    }
}
