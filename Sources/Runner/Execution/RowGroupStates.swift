import SuiteModel

/// How far groups of rows have come, and what each came to.
struct RowGroupStates {
    private struct State {
        var unfinished: Int
        /// The first row that did not pass, and whether it is worse than skipped.
        var first: (index: Int, outcome: TestResult.Outcome, isBad: Bool)?
        var hasPassed = false
    }

    private let groups: RowGroups
    private var states: [State]

    /// Creates the states of groups of which no row is done.
    init(_ groups: RowGroups) {
        self.groups = groups
        states = groups.ranges.map { State(unfinished: $0.count) }
    }

    /// Takes the outcome of a test.
    ///
    /// - Returns: for the last row of a group what waits for the group, and the row that decides what becomes of that: the
    ///   first that failed or was blocked, otherwise, where none passed, the first that was skipped.
    mutating func finish(
        _ index: Int, outcome: TestResult.Outcome
    ) -> (index: Int, outcome: TestResult.Outcome, dependents: [TestPlan.Dependent])? {
        guard !states.isEmpty, let group = groups.group(of: index) else { return nil }
        states[group].unfinished -= 1
        if outcome.isSuccess {
            states[group].hasPassed = true
        } else {
            var isBad = true
            if case .skipped = outcome { isBad = false }
            let first = states[group].first
            if first.map({ isBad && !$0.isBad || isBad == $0.isBad && index < $0.index }) ?? true {
                states[group].first = (index, outcome, isBad)
            }
        }
        guard states[group].unfinished == 0 else { return nil }
        let dependents = groups.dependents[group]
        if let first = states[group].first, first.isBad || !states[group].hasPassed {
            return (first.index, first.outcome, dependents)
        }
        return (index, .passed, dependents)
    }
}
