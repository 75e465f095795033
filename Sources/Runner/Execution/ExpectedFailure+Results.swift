import Basics
import CEL
import RunModel
import SuiteModel

extension ExpectedFailure {
    /// Returns whether the failure is expected, by its condition if it has one.
    func check(scope: some CELScope, context: CELContext) -> ConditionCheck.Result {
        guard let condition else { return .met }
        var result = ConditionCheck.result(condition, scope: scope, context: context)
        if case .failed(var finding) = result {
            finding.subject = "xfail"
            result = .failed(finding)
        }
        return result
    }

    /// Replaces the outcome of a test: a failure is known, and to pass is a failure if the statement is strict.
    ///
    /// A test that was skipped or blocked shows neither.
    func judge(_ result: inout TestResult) {
        switch result.outcome {
        case .failed, .errored:
            for index in result.steps.indices { judge(failed: &result.steps[index]) }
            result.outcome = .known(reason: reason)
        case .passed, .flaky:
            guard isStrict, let index = result.steps.lastIndex(where: \.outcome.isSuccess) else { return }
            judge(passed: &result.steps[index])
            result.outcome = .failed
        case .known, .skipped, .blocked: break
        }
    }

    /// Replaces the outcome of a step, and those of the steps of a call or a group.
    func judge(_ result: inout StepRunner.Outcome) {
        switch result.step.outcome {
        case .failed, .errored:
            // A shared call that failed elsewhere blocks the test.
            guard result.blockedBy == nil else { return }
            judge(failed: &result.step)
            if var called = result.called {
                for index in called.indices { judge(failed: &called[index]) }
                result.called = called
            }
        case .passed, .flaky:
            guard isStrict else { return }
            judge(passed: &result.step)
            if var called = result.called, let index = called.lastIndex(where: \.outcome.isSuccess) {
                judge(passed: &called[index])
                result.called = called
            }
        case .known, .skipped, .blocked: return
        }
        // The following steps run in both cases.
        if result.callEndsTest != nil { result.callEndsTest = false }
    }

    private func judge(failed step: inout TestResult.Step) {
        guard step.outcome.isFailure else { return }
        step.outcome = .known(reason: reason)
        for index in step.findings.indices { step.findings[index].isKnown = true }
    }

    private func judge(passed step: inout TestResult.Step) {
        var finding = Finding(
            subject: "xfail", type: .init("xfail"), message: "passed, but is expected to fail: \(reason)", range: range,
            details: ["remove \"xfail\", or write \"strict: false\" if it passes only sometimes"])
        finding.endsTest = false
        step.findings.append(finding)
        step.outcome = .failed
    }
}

extension StepSequence {
    /// Runs one step that is expected to fail, unless its condition is not met.
    @inline(never)
    nonisolated(nonsending) func runExpectingFailure(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        guard let failure = step.flow?.expectedFailure else { return await runWithinDeadline(step, name: name) }
        scope.begin(step)
        // A step whose captures are missing is skipped, and its condition may use them.
        if skipWithoutCaptures(step, name: name) == nil {
            switch failure.check(scope: scope.view(.step), context: scope.context) {
            case .met: break
            case .unmet: return await runWithinDeadline(step, name: name)
            case .failed(let finding): return outcome(.errored, of: step, name: name, findings: [finding])
            }
        }
        expectsFailure = true
        defer { expectsFailure = false }
        var result = await runWithinDeadline(step, name: name)
        // An interruption is not the expected failure.
        if !Task.isCancelled || deadline?.hasExpired == true { failure.judge(&result) }
        return result
    }
}

extension TestResult.Outcome {
    /// Returns whether the outcome of a step replaces the combined outcome of the steps before it.
    func outweighs(_ total: Self) -> Bool {
        switch self {
        case .errored: true
        case .failed: !total.isFailure
        case .known: !total.isFailure && !total.isKnown
        case .flaky: total == .passed
        case .passed, .skipped, .blocked: false
        }
    }
}
