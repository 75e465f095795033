import RunModel
import SuiteModel

/// What becomes of a test that is not run.
extension Dispatcher.State {
    /// Why a test is skipped before it starts, or nil.
    func skip(of index: Int) -> String? {
        if let reason = plan.skip(of: index) { return reason }
        guard plan.kind(of: index) == .setup else { return nil }
        let range = plan.testsOfSuite[plan.suite(of: index)]
        let runs = range.contains { plan.kind(of: $0) == .test && plan.skip(of: $0) == nil }
        // A setup that was selected alone is run for itself.
        let hasTests = range.contains { plan.kind(of: $0) == .test }
        return runs || !hasTests ? nil : "every test was skipped"
    }

    /// What becomes of a test that needs `index`, when it cannot run as that has ended so; nil when it still can.
    ///
    /// What needs a test that was skipped on purpose is skipped too: a skip does not make a run fail.
    func fate(
        of dependent: Int, after index: Int, outcome: TestResult.Outcome
    ) -> TestResult.Outcome? {
        switch outcome {
        case .passed, .flaky: return nil
        case .known:
            guard lacksCapture(dependent, of: index) else { return nil }
            let name = plan.tests[index].reference.name
            return .skipped(reason: "depends on a capture of \"\(name)\", which is a known failure")
        case .blocked(let root): return .blocked(by: root)
        case .failed, .errored: return .blocked(by: plan.tests[index].reference.name)
        // A setup none of whose steps was to be done has not failed.
        case .skipped where plan.kind(of: index) == .setup: return nil
        case .skipped: return .skipped(reason: "depends on \"\(plan.tests[index].reference.name)\", which was skipped")
        }
    }

    /// Whether a test uses what another one should have captured and has not.
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
