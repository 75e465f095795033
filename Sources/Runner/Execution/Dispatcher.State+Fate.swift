import RunModel
import SuiteModel

/// The outcomes of tests that do not run.
extension Dispatcher.State {
    /// Returns the reason why a test is skipped before it starts, or nil.
    func skip(of index: Int) -> String? {
        if let reason = plan.skip(of: index) { return reason }
        guard plan.kind(of: index) == .setup else { return nil }
        let range = plan.testsOfSuite[plan.suite(of: index)]
        let runs = range.contains { plan.kind(of: $0) == .test && plan.skip(of: $0) == nil }
        // A setup runs if it is selected without any tests.
        let hasTests = range.contains { plan.kind(of: $0) == .test }
        return runs || !hasTests ? nil : "every test was skipped"
    }

    /// Returns the outcome of a dependent that can no longer run after test `index` has finished; nil if it still can.
    ///
    /// Dependents of a test that was skipped on purpose are skipped too, because a skip does not fail the run.
    func fate(
        of dependent: Int, after index: Int, outcome: TestResult.Outcome
    ) -> TestResult.Outcome? {
        switch outcome {
        case .passed, .flaky: return nil
        case .known(let reason):
            let name = plan.tests[index].reference.name
            let edges = plan.tests.edges(of: dependent)
            if plan.isExpectedToFail(index), edges.contains(where: { $0.reason == .needs && $0.tests.contains(index) })
            {
                return .skipped(reason: "needs \"\(name)\", which is expected to fail: \(reason)")
            }
            guard lacksCapture(dependent, of: index) else { return nil }
            return .skipped(reason: "depends on a capture of \"\(name)\", which is a known failure")
        case .blocked(let root): return .blocked(by: root)
        case .failed, .errored: return .blocked(by: plan.tests[index].reference.name)
        // A setup whose steps were all skipped has not failed.
        case .skipped where plan.kind(of: index) == .setup: return nil
        case .skipped: return .skipped(reason: "depends on \"\(plan.tests[index].reference.name)\", which was skipped")
        }
    }

    /// Returns whether a test uses a value that another test should have captured but did not.
    private func lacksCapture(_ dependent: Int, of index: Int) -> Bool {
        plan.tests.edges(of: dependent).contains { edge in
            guard edge.tests.contains(index) else { return false }
            return switch edge.reason {
            case .capture(let name): captures[index]?.value(of: name) == nil
            case .exchange: captures[index]?.exchange == nil
            case .needs, .setup, .order: false
            }
        }
    }
}
