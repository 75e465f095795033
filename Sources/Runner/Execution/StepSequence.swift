import Basics
import CEL
import Diagnostics
import Expectations
import HTTPSession
import JSON
import RunModel
import SuiteModel

/// A runner of consecutive steps in one scope, up to the first failure that ends the test.
///
/// A class, because it is passed through every asynchronous call.
final class StepSequence {
    let runner: TestRunner
    /// The running test.
    let running: RunningTest
    /// The test that contains the steps, or the substitute for it in a fragment.
    let test: SuiteTest
    let scope: TestScope
    /// The cookie jar; nil for none.
    let jar: CookieJar?
    /// The test's snapshots; nil if its suite does not compare any.
    let snapshots: TestSnapshots?
    /// The calls that enclose the steps.
    let frame: CallFrame
    /// The deadline of the test or of an enclosing step, if one has a time limit.
    let deadline: TestDeadline?

    init(
        runner: TestRunner, running: RunningTest, test: SuiteTest, scope: TestScope, jar: CookieJar?,
        snapshots: TestSnapshots?, frame: CallFrame, deadline: TestDeadline?
    ) {
        self.runner = runner
        self.running = running
        self.test = test
        self.scope = scope
        self.jar = jar
        self.snapshots = snapshots
        self.frame = frame
        self.deadline = deadline
    }

    /// The test's suite.
    var suite: SuiteRun { running.suite }
    /// The suite's index in the run.
    var suiteIndex: Int { running.entry.suite }

    /// The result of the steps.
    struct Outcome: RetriedAttempt {
        /// The combined outcome: the most severe one.
        var outcome = TestResult.Outcome.passed
        /// The steps that ran or were skipped, in order.
        var steps: [TestResult.Step] = []
        /// The number of exchanges that were made.
        var exchanges = 0
        /// The findings of the first step that did not pass.
        var findings: [Finding] = []
        /// The exchange of the first step that did not pass.
        var failedExchange: Exchange?
        /// The last exchange of a fragment's steps, even if reports do not keep it. Unused for the steps of a test.
        var lastExchange: Exchange?
        /// The outputs of a fragment's steps, in order.
        var outputs: [(name: String, value: CELValue)] = []
        /// The name of the test whose shared call did not pass, if a step depends on that call.
        var blockedBy: String?
        /// Whether a step failed by itself rather than because of a shared call.
        var hasOwnFailure = false
        /// Whether the failure of a step ends the test.
        var endsTest = false

        var isFailure: Bool { outcome.isFailure }

        /// Whether a fragment's outputs can be used. Contract and lock findings do not affect them.
        var hasOutputs: Bool { outcome.isSuccess || !endsTest }

        /// The outcome for reports: blocked if only a shared call is the cause.
        var verdict: TestResult.Outcome {
            if !hasOwnFailure, let blockedBy { .blocked(by: blockedBy) } else { outcome }
        }
    }

    /// Whether the step that runs is expected to fail, so that it is not retried.
    var expectsFailure = false
    /// The steps of the group that runs; empty while another step runs.
    var inner: ArraySlice<SuiteStep> = []

    /// Runs the steps.
    nonisolated(nonsending) func run(_ steps: ArraySlice<SuiteStep>) async -> Outcome {
        var total = Outcome()
        total.steps.reserveCapacity(steps.count)
        var failedStep: String?
        var rest = steps
        while let step = rest.popFirst() {
            inner = []
            if let group = step.group {
                inner = rest.prefix(group.count)
                rest = rest.dropFirst(group.count)
            }
            let name = frame.prefix + step.name(in: test)
            if let failedStep {
                total.steps.append(
                    TestResult.Step(
                        name: name, outcome: .skipped(reason: "\(failedStep) failed"), range: step.range))
                continue
            }
            failedStep = await run(step, name: name, into: &total)
        }
        // A call whose steps were all skipped has not failed.
        if total.outcome == .passed, frame.prefix.isEmpty { total.outcome = Self.skip(of: total.steps) ?? .passed }
        return total
    }

    /// Runs one step with all of its iterations, unless it is skipped.
    ///
    /// - Returns: The name of the step that failed if the following steps must not run.
    private nonisolated(nonsending) func run(_ step: SuiteStep, name: String, into total: inout Outcome) async
        -> String?
    {
        guard let flow = step.flow else { return await runIterations(of: step, name: name, into: &total) }
        if let reason = flow.skip {
            add(outcome(.skipped(reason: reason), of: step, name: name), to: &total)
            return nil
        }
        guard let timeout = flow.timeout else { return await runIterations(of: step, name: name, into: &total) }
        let limit: Int64
        do {
            if timeout.known == nil {
                scope.begin(step)
                if let skipped = skipWithoutCaptures(step, name: name) {
                    add(skipped, to: &total)
                    return nil
                }
            }
            limit = try timeout.value(in: scope.view(.step), context: scope.context)
        } catch {
            return addFailure(StepRunner.finding(error), of: step, name: name, to: &total)
        }
        return await run(step, name: name, limit: limit, into: &total)
    }

    /// Runs one step once, or once for each element of its loop.
    ///
    /// - Returns: The name of the step that failed if the following steps must not run.
    nonisolated(nonsending) func runIterations(
        of step: SuiteStep, name: String, into total: inout Outcome
    ) async -> String? {
        if let rule = step.flow?.forEach { return await runLoop(step, rule, name: name, into: &total) }
        if let rule = step.flow?.whileRule { return await runWhile(step, rule, name: name, into: &total) }
        let result = await runInTime(step, name: name)
        add(result, to: &total)
        guard result.step.outcome.isFailure else { return nil }
        scope.noteFailedCaptures(of: step, name: name)
        return goesOn(after: result, of: step) ? nil : result.step.name
    }

    /// Returns whether the steps after a failed step run nevertheless.
    ///
    /// Contract and lock findings do not end a test, because the response is usable. A teardown runs all of its steps,
    /// since each may clean up something else. Any other test cannot continue without a shared call that it depends on.
    func goesOn(after result: StepRunner.Outcome, of step: SuiteStep) -> Bool {
        if !result.endsTest, result.blockedBy == nil { return deadline?.hasExpired != true }
        let mayGoOn =
            frame.isCleanup || test.kind == .teardown || (step.continuesAfterFailure && result.blockedBy == nil)
        return mayGoOn && deadline?.hasExpired != true
    }

    /// Runs one step unless the deadline has expired. If the deadline cuts the step off, adds a finding to its result.
    nonisolated(nonsending) func runInTime(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        let start = runner.options.clock.now()
        var result =
            if let failure = step.flow?.expectedFailure {
                await run(step, name: name, expecting: failure)
            } else {
                await runWithinDeadline(step, name: name)
            }
        result.step.start = start - runner.start
        switch result.step.outcome {
        case .skipped, .blocked: break
        // The wait before the first attempt is part of the duration.
        case .passed, .flaky, .known, .failed, .errored: result.step.duration = runner.options.clock.now() - start
        }
        return result
    }

    nonisolated(nonsending) func runWithinDeadline(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        guard let deadline else { return await run(step, name: name) }
        if deadline.hasExpired {
            return outcome(.errored, of: step, name: name, findings: [deadline.findingBeforeStep(range: step.range)])
        }
        deadline.beginStep()
        var result = await run(step, name: name)
        guard deadline.hasExpired, !result.step.outcome.isSuccess else { return result }
        var location = result.step.findings.first?.range ?? step.range
        if let cutOff = result.step.findings.first(where: { $0.type == .cutOff }) {
            deadline.note(.check(cutOff.subject))
            location = cutOff.range ?? location
        }
        let finding = deadline.finding(range: location)
        if result.exchange?.failure?.kind == .cancelled {
            result.step.findings = []
            result.step.exchange?.failure?.kind = finding.type
            result.step.exchange?.failure?.message = finding.wording
        }
        // The cutoff of a WebSocket is a consequence of the deadline.
        result.step.findings.removeAll { $0.type == .cancelled || $0.type == .cutOff }
        result.step.findings.insert(finding, at: 0)
        result.step.outcome = .errored
        // A step of a call that was cut off has its own finding.
        if let called = result.called, !called.contains(where: \.outcome.isFailure) {
            result.called = called + [result.step]
        }
        return result
    }

    /// Runs one step if its condition is met.
    nonisolated(nonsending) func run(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        scope.begin(step)
        if let skipped = skipWithoutCaptures(step, name: name) { return skipped }
        if let flow = step.flow, let early = await prepare(step, flow, name: name) { return early }
        switch step.action {
        case .exchange(let request):
            return await StepRunner(self, spec: request, name: name).run(step)
        case .call(let call):
            return await FragmentRunner(
                sequence: self, call: call, name: name, path: frame.path + (step.name ?? call.fragment.name)
            ).run(step)
        case .command(let command):
            let placeholder = RequestSpec(url: .constant(""), urlRange: command.range, range: command.range)
            return await StepRunner(self, spec: placeholder, name: name).run(step)
        case .group:
            return await GroupRunner(sequence: self, steps: inner, name: name).run(step)
        }
    }

    /// Returns the result of a step that uses a missing capture; nil if all captures exist.
    ///
    /// This check precedes the evaluation of the step's expressions. An expression that uses the capture would fail, or
    /// would resolve the name to the CEL type of the same name.
    func skipWithoutCaptures(_ step: SuiteStep, name: String) -> StepRunner.Outcome? {
        guard let missing = step.uncertainCaptures.first(where: { !scope.knows($0) }) else { return nil }
        return outcome(.skipped(reason: "\"\(missing)\" was not captured"), of: step, name: name)
    }

    /// Evaluates the step's condition and waits for its delay.
    ///
    /// - Returns: The result of the step if it must not run.
    private nonisolated(nonsending) func prepare(_ step: SuiteStep, _ flow: StepFlow, name: String) async -> StepRunner
        .Outcome?
    {
        if let condition = flow.condition {
            switch ConditionCheck.result(condition, scope: scope.view(.step), context: scope.context) {
            case .met: break
            case .unmet(let reason): return outcome(.skipped(reason: reason), of: step, name: name)
            case .failed(let finding): return outcome(.errored, of: step, name: name, findings: [finding])
            }
        }
        if flow.delay == 0 { return nil }
        let delay: Int64
        do {
            delay = try flow.delay.value(in: scope.view(.step), context: scope.context)
        } catch {
            return outcome(.errored, of: step, name: name, findings: [StepRunner.finding(error)])
        }
        guard delay > 0 else { return nil }
        deadline?.note(.delay)
        do {
            try await runner.options.clock.sleep(delay)
            deadline?.note(.answer)
            return nil
        } catch {
            return outcome(.errored, of: step, name: name)
        }
    }

    /// Returns the result of a step that has not sent anything.
    func outcome(
        _ outcome: TestResult.Outcome, of step: SuiteStep, name: String, findings: [Finding] = []
    ) -> StepRunner.Outcome {
        StepRunner.Outcome(
            step: TestResult.Step(name: name, outcome: outcome, findings: findings, range: step.range), exchange: nil,
            exchanges: 0)
    }

    /// Returns the skipped outcome of steps that were all skipped; nil if one was not.
    private static func skip(of steps: [TestResult.Step]) -> TestResult.Outcome? {
        guard let first = steps.first else { return nil }
        for step in steps { guard case .skipped = step.outcome else { return nil } }
        return steps.count == 1 ? first.outcome : .skipped(reason: "every step was skipped")
    }

    /// Adds the result of a step to the combined result.
    func add(_ result: StepRunner.Outcome, to total: inout Outcome) {
        total.exchanges += result.exchanges
        if !frame.prefix.isEmpty, let exchange = result.exchange { total.lastExchange = exchange }
        let outcome = result.step.outcome
        if outcome.outweighs(total.outcome) { total.outcome = outcome }
        if outcome.isFailure, total.failedExchange == nil {
            total.failedExchange = result.exchange
            total.findings = result.step.findings
        }
        if outcome.isFailure {
            scope.noteFailure()
            if result.endsTest { total.endsTest = true }
            if let blockedBy = result.blockedBy {
                total.blockedBy = total.blockedBy ?? blockedBy
            } else {
                total.hasOwnFailure = true
            }
        }
        total.steps += result.called ?? [result.step]
    }
}

extension StepSequence {
    /// The reason why a value cannot be iterated over.
    private struct LoopError: Error {
        var message: MessageText
        var range: SourceRange
    }

    /// Runs a step once for each element of its loop. Each iteration is a separate step in the result.
    ///
    /// After the loop, each name that the step captures is bound to the list of the captured values, in order.
    ///
    /// - Returns: The name of the iteration that failed if the following steps must not run.
    nonisolated(nonsending) func runLoop(
        _ step: SuiteStep, _ rule: ForEachRule, name: String, into total: inout Outcome
    ) async -> String? {
        let elements: [CELValue]
        scope.begin(step)
        if let skipped = skipWithoutCaptures(step, name: name) {
            add(skipped, to: &total)
            return nil
        }
        do {
            elements = try self.elements(of: rule)
        } catch {
            let finding = Finding(
                kind: .error, subject: "forEach", type: .expression, message: error.message,
                range: error.range)
            return addFailure(finding, of: step, name: name, to: &total)
        }
        if elements.isEmpty {
            total.steps.append(
                TestResult.Step(
                    name: name, outcome: .skipped(reason: "forEach: no elements"), range: step.range))
        }
        let mark = scope.captured.values.count
        var lists: [String: [CELValue]] = [:]
        var names: Set<String> = []
        var failed: String?
        let outer = scope.loop
        for (index, element) in elements.enumerated() {
            scope.loop = outer + [(rule.elementName, element), (rule.indexName, .int(Int64(index)))]
            scope.begin(step)
            let title = iterationName(rule.name ?? requestLine(of: step), name: name, index: index, taken: &names)
            var result = await runInTime(step, name: title)
            if result.step.outcome.isFailure {
                result.note(RowText.element(index + 1, values: [(rule.elementName, element)]))
            }
            for capture in scope.takeCaptures(from: mark) { lists[capture.name, default: []].append(capture.value) }
            add(result, to: &total)
            if result.step.outcome.isFailure, !goesOn(after: result, of: step) {
                failed = title
                break
            }
        }
        scope.loop = outer
        var defined: Set<String> = []
        for name in namesDefined(by: step) where defined.insert(name).inserted {
            scope.add(captures: [(name, .list(CELList(lists[name] ?? [])))])
        }
        return failed
    }

    /// Returns the elements of an array, or the members of an object as `{ key, value }`.
    private func elements(of rule: ForEachRule) throws(LoopError) -> [CELValue] {
        let value: CELValue
        do {
            value = try rule.source.value(in: scope.view(.group), context: scope.context)
        } catch {
            throw LoopError(message: error.message, range: error.range)
        }
        let elements: [CELValue]
        switch value {
        case .list(let list): elements = list.elements
        case .map:
            guard case .object(let object) = value.json else {
                throw LoopError(message: "the map has values that are not JSON", range: rule.range)
            }
            elements = object.map { name, value in
                CELValue(.object(JSONObject([("key", .string(name)), ("value", value)])))
            }
        default:
            throw LoopError(
                message: "expected a list or map, got \(value.description) (\(value.typeName))", range: rule.range)
        }
        guard elements.count <= ForEachRule.maximumCount else {
            throw LoopError(
                message: "the list has \(elements.count) elements; the maximum is \(ForEachRule.maximumCount)",
                range: rule.range)
        }
        return elements
    }

    /// Returns the request line of a step without a name.
    func requestLine(of step: SuiteStep) -> Template? {
        guard step.name == nil, let request = step.request else { return nil }
        let method: [Template.Part] = request.method.hasPrefix("$") ? [] : [.text(request.method + " ")]
        switch request.url {
        case .constant: return nil
        case .expression(let expression): return .joined(method + [.expression(expression)])
        case .joined(let parts): return .joined(method + parts)
        }
    }

    /// Returns the name of an iteration in reports: the name or request with the element's value, or a number appended.
    func iterationName(_ template: Template?, name: String, index: Int, taken: inout Set<String>) -> String {
        // The request is rendered again with the same random values when it is sent.
        guard let rendered = try? template?.text(in: scope.view(.step), context: scope.context.repeatable()) else {
            return "\(name) [\(index + 1)]"
        }
        let text = frame.prefix + rendered
        return taken.insert(text).inserted ? text : "\(text) [\(index + 1)]"
    }
}

extension SuiteStep {
    /// The expectations that determine the details to record for an exchange, including those of polling.
    var recordedExtras: ExpectationExtras? {
        guard let until = flow?.until else { return expectations.extras }
        var extras = expectations.extras
        for set in [until.expectations, until.abort].compactMap({ $0?.extras }) {
            var merged = extras ?? set
            merged.certificate = merged.certificate ?? set.certificate
            merged.image = merged.image ?? set.image
            extras = merged
        }
        return extras
    }
}
