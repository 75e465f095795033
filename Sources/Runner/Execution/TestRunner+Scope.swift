import Basics
import CEL
import Diagnostics
import Expectations
import JSON
import RunModel
import SuiteModel

extension TestRunner {
    /// Returns the result of a test whose condition is not met; nil if it is met.
    func unmet(
        _ condition: EmbeddedExpression, of entry: TestPlan.Entry, scope: TestScope
    ) -> StepSequence.Outcome? {
        var outcome = StepSequence.Outcome()
        let captures = suites[entry.suite].suite.tests[entry.test].steps.first?.uncertainCaptures ?? []
        // Before the evaluation of the condition, which would resolve the name to the CEL type of the same name.
        let missing = captures.first { name in
            !scope.knows(name) && condition.expression.freeIdentifiers.contains { $0.name == name }
        }
        if let missing {
            outcome.outcome = .skipped(reason: "\"\(missing)\" was not captured")
            return outcome
        }
        switch ConditionCheck.result(condition, scope: scope.view(.test), context: scope.context) {
        case .met: return nil
        case .unmet(let reason): outcome.outcome = .skipped(reason: reason)
        case .failed(let finding):
            // The condition uses the capture through a variable.
            if let missing = captures.first(where: { !scope.knows($0) }) {
                outcome.outcome = .skipped(reason: "\"\(missing)\" was not captured")
                return outcome
            }
            return failed(entry, finding, range: condition.range)
        }
        return outcome
    }

    /// Sets the failure that is expected of a test.
    ///
    /// - Returns: The result of the test if the condition of the failure cannot be evaluated.
    func check(
        _ expected: inout ExpectedFailure?, of running: RunningTest, scope: TestScope
    ) -> StepSequence.Outcome? {
        guard let failure = running.test.expectedFailure else { return nil }
        switch failure.check(scope: scope.view(.test), context: scope.context) {
        case .met: expected = failure
        case .unmet: break
        case .failed(let finding): return failed(running.entry, finding, range: failure.range)
        }
        return nil
    }

    /// Returns the result of a test that cannot start.
    func failed(_ entry: TestPlan.Entry, _ finding: Finding, range: SourceRange) -> StepSequence.Outcome {
        StepSequence.Outcome(
            outcome: .errored,
            steps: [
                TestResult.Step(name: entry.reference.name, outcome: .errored, findings: [finding], range: range)
            ], findings: [finding])
    }

    /// Adds the row and the values used from it to the first step that did not pass.
    func note(
        _ row: Int, of entry: TestPlan.Entry, _ scope: TestScope, in sequence: inout StepSequence.Outcome
    ) {
        guard let index = sequence.steps.firstIndex(where: { $0.outcome.isFailure && !$0.findings.isEmpty }) else {
            return
        }
        let location = plan.data(of: entry)?.location(ofRow: row, outside: suites[entry.suite].suite.file)
        sequence.steps[index].findings[0].details.append(
            RowText.row(row + 1, location: location, values: scope.row?.used ?? []))
    }

    @inline(never)
    func scope(
        of entry: TestPlan.Entry, in environment: any TestEnvironment, attempt: Int
    ) -> TestScope {
        let suite = suites[entry.suite]
        var inherited: [(name: String, value: CELValue)] = []
        var exchanges: [(name: String, exchange: CELValue)] = []
        for edge in entry.edges {
            switch edge.reason {
            case .capture(let name):
                // A test with rows captures a list, even if there is only one row.
                if plan.tests[edge.test].row != nil {
                    inherited.append((name, environment.list(of: name, from: edge.tests)))
                } else if let value = environment.captures(of: edge.test)?.value(of: name) {
                    inherited.append((name, value))
                }
            case .exchange(let id):
                if let exchange = environment.captures(of: edge.test)?.exchange { exchanges.append((id, exchange)) }
            case .needs, .setup, .order:
                break
            }
        }
        return TestScope(
            variables: suite.suite.tests[entry.test].variables, suite: suite,
            row: entry.row.flatMap { row in plan.data(of: entry).map { RowLayer($0, row: row) } },
            inherited: inherited,
            tests: exchanges.isEmpty ? nil : TestScope.map(exchanges),
            context: contexts.context(for: entry, attempt: attempt))
    }
}
