import RunModel
import SuiteModel

extension StepSequence {
    /// A sequence that is lent to another task, and not used by its owner until that task has ended.
    struct Lent: @unchecked Sendable {
        let sequence: StepSequence
    }

    /// Runs one step with all of its iterations within its own time limit.
    ///
    /// - Returns: The name of the step that failed if the following steps must not run.
    @inline(never)
    nonisolated(nonsending) func run(
        _ step: SuiteStep, name: String, limit: Int64, into total: inout Outcome
    ) async -> String? {
        let own = TestDeadline(limit: limit, of: .step, within: deadline, clock: runner.options.clock)
        let lent = Lent(sequence: with(deadline: own))
        let result = await own.limit {
            var part = Outcome()
            let failed = await lent.sequence.runIterations(of: step, name: name, into: &part)
            return (part, failed)
        }
        guard let (part, failed) = result else { return name }
        total.append(part)
        guard failed != nil, own.hasExpired, deadline?.hasExpired != true else { return failed }
        // The deadline of the step ends its iterations, but the test may continue.
        let goesOn = frame.isCleanup || test.kind == .teardown || (step.continuesAfterFailure && part.blockedBy == nil)
        return goesOn ? nil : failed
    }

    /// Returns a sequence for the current step in the same scope, with another deadline.
    private func with(deadline: TestDeadline) -> StepSequence {
        let sequence = inside(frame, deadline: deadline)
        sequence.inner = inner
        return sequence
    }

    /// Returns a sequence in the same scope.
    func inside(_ frame: CallFrame, deadline: TestDeadline?) -> StepSequence {
        StepSequence(
            runner: runner, running: running, substitute: substitute, scope: scope, jar: jar, snapshots: snapshots,
            frame: frame, deadline: deadline)
    }
}

extension StepSequence.Outcome {
    /// Adds the result of further steps.
    mutating func append(_ other: Self) {
        if other.isFailure, !isFailure {
            failedExchange = other.failedExchange
            findings = other.findings
        }
        if other.outcome.outweighs(outcome) { outcome = other.outcome }
        steps += other.steps
        exchanges += other.exchanges
        lastExchange = other.lastExchange ?? lastExchange
        blockedBy = blockedBy ?? other.blockedBy
        hasOwnFailure = hasOwnFailure || other.hasOwnFailure
        endsTest = endsTest || other.endsTest
    }
}
