import Basics
import Expectations
import RunModel
import SuiteModel

extension StepSequence {
    /// Runs a step, and repeats it while the condition holds after it. Each iteration is a separate step in the result.
    ///
    /// Each iteration sees the captures of the previous one; the first one sees the variables of the step instead.
    /// After the loop, each name has the value of the last iteration.
    ///
    /// - Returns: The name of the step that failed if the following steps must not run.
    nonisolated(nonsending) func runWhile(
        _ step: SuiteStep, _ rule: WhileRule, name: String, into total: inout Outcome
    ) async -> String? {
        let mark = scope.captured.values.count
        scope.begin(step)
        if rule.times.known == nil, let skipped = skipWithoutCaptures(step, name: name) {
            add(skipped, to: &total)
            return nil
        }
        let times: Int
        do {
            times = try rule.times.value(in: scope.view(.step), context: scope.context)
            try scope.captureVariables(of: step, named: Set(namesDefined(by: step)))
        } catch {
            var finding = StepRunner.finding(error)
            finding.subject = "while"
            return addFailure(finding, of: step, name: name, to: &total)
        }
        var names: Set<String> = []
        for index in 0..<times {
            iteration = index
            scope.begin(step)
            let title = iterationName(requestLine(of: step), name: name, index: index, taken: &names)
            let result = await runInTime(step, name: title)
            scope.keepLastCaptures(from: mark)
            add(result, to: &total)
            if result.step.outcome.isFailure {
                scope.noteFailedCaptures(of: step, name: title)
                if !goesOn(after: result, of: step) { return title }
                if result.endsTest { return nil }
            }
            if case .skipped = result.step.outcome { return nil }
            scope.begin(step)
            switch ConditionCheck.result(rule.condition, scope: scope.view(.step), context: scope.context) {
            case .met: continue
            case .unmet: return nil
            case .failed(var finding):
                finding.subject = "while"
                return addFailure(finding, of: step, name: name, to: &total)
            }
        }
        let iterations = times == 1 ? "1 iteration" : "\(times) iterations"
        let finding = Finding(
            subject: "while", type: .init("while"),
            message: "stopped after \(iterations), the maximum, but the condition still holds", range: rule.range)
        return addFailure(finding, of: step, name: name, to: &total)
    }

    /// Returns the names that a step or the steps of a group capture.
    func namesDefined(by step: SuiteStep) -> [String] {
        (step.definedNames + inner.flatMap(\.definedNames)).map(\.name)
    }

    /// Adds a finding about the step itself, such as its loop, as a separate step.
    ///
    /// - Returns: The name of the step if the following steps must not run.
    func addFailure(_ finding: Finding, of step: SuiteStep, name: String, to total: inout Outcome) -> String? {
        let result = outcome(finding.kind == .error ? .errored : .failed, of: step, name: name, findings: [finding])
        add(result, to: &total)
        return goesOn(after: result, of: step) ? nil : name
    }
}
