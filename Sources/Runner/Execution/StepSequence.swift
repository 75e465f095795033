import CEL
import Diagnostics
import Expectations
import HTTPSession
import JSON
import RunModel
import SuiteModel

/// Runs steps one after another in one scope, up to the first that fails and does not say to go on.
///
/// Behind a reference, as it is handed through every call that can wait.
final class StepSequence {
    let runner: TestRunner
    /// The test that is under way.
    let running: RunningTest
    /// What holds the steps: the test, or what stands for it in a fragment.
    let test: SuiteTest
    let scope: TestScope
    let jar: CookieJar
    /// The test's snapshots; nil when its suite compares none.
    let snapshots: TestSnapshots?
    /// The calls that lead to the steps.
    let frame: CallFrame

    init(
        runner: TestRunner, running: RunningTest, test: SuiteTest, scope: TestScope, jar: CookieJar,
        snapshots: TestSnapshots?, frame: CallFrame
    ) {
        self.runner = runner
        self.running = running
        self.test = test
        self.scope = scope
        self.jar = jar
        self.snapshots = snapshots
        self.frame = frame
    }

    /// The test's suite.
    var suite: SuiteRun { running.suite }
    /// The suite's index in the run.
    var suiteIndex: Int { running.entry.suite }
    /// The end of the test's time, when that is limited.
    var deadline: TestDeadline? { running.deadline }

    /// What the steps came to.
    struct Outcome: RetriedAttempt {
        /// The verdict on all of them: the gravest.
        var outcome = TestResult.Outcome.passed
        /// The steps that ran or were given up, in order.
        var steps: [TestResult.Step] = []
        /// How many exchanges were made.
        var exchanges = 0
        /// What was wrong in the first step that did not pass.
        var findings: [Finding] = []
        /// The exchange of that step.
        var failedExchange: Exchange?
        /// The last exchange of a fragment's steps, whatever reports keep; a test's steps have no use for it.
        var lastExchange: Exchange?
        /// The outputs of a fragment's steps, in order.
        var outputs: [(name: String, value: CELValue)] = []
        /// The test that made a shared call which did not pass, when a step needs that call.
        var blockedBy: String?
        /// Whether a step did not pass on its own account.
        var hasOwnFailure = false
        /// Whether a step did not pass in a way that ends the test.
        var endsTest = false

        var isFailure: Bool { outcome.isFailure }

        /// Whether a fragment's outputs can be used: what a contract or a lock finds leaves them as they are.
        var hasOutputs: Bool { outcome.isSuccess || !endsTest }

        /// The verdict in a report: blocked when nothing but a shared call is to blame.
        var verdict: TestResult.Outcome {
            if !hasOwnFailure, let blockedBy { .blocked(by: blockedBy) } else { outcome }
        }
    }

    /// Runs the steps.
    nonisolated(nonsending) func run(_ steps: [SuiteStep]) async -> Outcome {
        var total = Outcome()
        total.steps.reserveCapacity(steps.count)
        var failedStep: String?
        for step in steps {
            let name = frame.prefix + Self.name(of: step, in: test)
            if let failedStep {
                total.steps.append(
                    TestResult.Step(
                        name: name, outcome: .skipped(reason: "\(failedStep) failed"), range: step.range))
                continue
            }
            if let rule = step.flow?.forEach {
                failedStep = await runLoop(step, rule, name: name, into: &total)
                continue
            }
            let result = await runInTime(step, name: name)
            add(result, to: &total)
            guard result.step.outcome.isFailure else { continue }
            scope.noteFailedCaptures(of: step, name: name)
            if !goesOn(after: result, of: step) { failedStep = result.step.name }
        }
        // A call has not failed when none of its steps was to be done.
        if total.outcome == .passed, frame.prefix.isEmpty { total.outcome = Self.skip(of: total.steps) ?? .passed }
        return total
    }

    /// Whether what follows a step that did not pass is done all the same.
    ///
    /// What a contract or a lock finds does not end a test, as the response may be used all the same. Of a teardown every step is done: what one could not clear away, another one may. Any other test that needs a shared
    /// call which did not pass cannot go on without it.
    func goesOn(after result: StepRunner.Outcome, of step: SuiteStep) -> Bool {
        if !result.endsTest, result.blockedBy == nil { return deadline?.hasExpired != true }
        let mayGoOn = test.kind == .teardown || (step.continuesAfterFailure && result.blockedBy == nil)
        return mayGoOn && deadline?.hasExpired != true
    }

    /// Runs one step, unless the test's time is up; what it came to says so when that has ended it.
    nonisolated(nonsending) func runInTime(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        let start = runner.options.clock.now()
        var result = await runWithinDeadline(step, name: name)
        result.step.start = start - runner.start
        switch result.step.outcome {
        case .skipped, .blocked: break
        // What it waited for before its first attempt is part of it.
        case .passed, .flaky, .known, .failed, .errored: result.step.duration = runner.options.clock.now() - start
        }
        return result
    }

    private nonisolated(nonsending) func runWithinDeadline(_ step: SuiteStep, name: String) async -> StepRunner.Outcome
    {
        guard let deadline else { return await run(step, name: name) }
        if deadline.hasExpired {
            return outcome(.errored, of: step, name: name, findings: [deadline.findingBeforeStep(range: step.range)])
        }
        deadline.beginStep()
        var result = await run(step, name: name)
        guard deadline.hasExpired, !result.step.outcome.isSuccess else { return result }
        var place = result.step.findings.first?.range ?? step.range
        if let cutOff = result.step.findings.first(where: { $0.type == .cutOff }) {
            deadline.note(.check(cutOff.subject))
            place = cutOff.range ?? place
        }
        let finding = deadline.finding(range: place)
        if result.exchange?.failure?.kind == .cancelled {
            result.step.findings = []
            result.step.exchange?.failure?.kind = finding.type
            result.step.exchange?.failure?.message = finding.message
        }
        // What a WebSocket was cut off at, it was cut off by the end of the time.
        result.step.findings.removeAll { $0.type == .cancelled || $0.type == .cutOff }
        result.step.findings.insert(finding, at: 0)
        result.step.outcome = .errored
        // A step of a call that was cut off says so itself.
        if let called = result.called, !called.contains(where: \.outcome.isFailure) {
            result.called = called + [result.step]
        }
        return result
    }

    /// Runs one step, if its condition is met.
    nonisolated(nonsending) func run(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        scope.begin(step)
        if let skipped = skipWithoutCaptures(step, name: name) { return skipped }
        if let flow = step.flow, let early = await prepare(step, flow, name: name) { return early }
        switch step.action {
        case .exchange(let request):
            return await StepRunner(self, spec: runner.options.completed(request), name: name).run(step)
        case .call(let call):
            return await FragmentRunner(
                sequence: self, call: call, name: name, path: frame.path + (step.name ?? call.fragment.name)
            ).run(step)
        }
    }

    /// What becomes of a step that uses what was never captured; nil when everything is there.
    ///
    /// Asked before any expression of the step is evaluated: one that uses the capture fails, or takes for it the type of
    /// CEL that has its name.
    func skipWithoutCaptures(_ step: SuiteStep, name: String) -> StepRunner.Outcome? {
        guard let missing = step.uncertainCaptures.first(where: { !scope.knows($0) }) else { return nil }
        return outcome(.skipped(reason: "\"\(missing)\" was not captured"), of: step, name: name)
    }

    /// Looks at the step's condition and waits for its delay.
    ///
    /// - Returns: what the step came to when it is not to be done.
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
        guard flow.delay > 0 else { return nil }
        deadline?.note(.delay)
        do {
            try await runner.options.clock.sleep(flow.delay)
            deadline?.note(.answer)
            return nil
        } catch {
            return outcome(.errored, of: step, name: name)
        }
    }

    /// What a step came to that has sent nothing.
    func outcome(
        _ outcome: TestResult.Outcome, of step: SuiteStep, name: String, findings: [Finding] = []
    ) -> StepRunner.Outcome {
        StepRunner.Outcome(
            step: TestResult.Step(name: name, outcome: outcome, findings: findings, range: step.range), exchange: nil,
            exchanges: 0)
    }

    /// The outcome of steps none of which was done; nil when one was.
    private static func skip(of steps: [TestResult.Step]) -> TestResult.Outcome? {
        guard let first = steps.first else { return nil }
        for step in steps { guard case .skipped = step.outcome else { return nil } }
        return steps.count == 1 ? first.outcome : .skipped(reason: "every step is skipped")
    }

    func add(_ result: StepRunner.Outcome, to total: inout Outcome) {
        total.exchanges += result.exchanges
        if !frame.prefix.isEmpty, let exchange = result.exchange { total.lastExchange = exchange }
        let outcome = result.step.outcome
        if outcome == .errored || (outcome == .failed && !total.outcome.isFailure)
            || (outcome == .flaky && total.outcome == .passed)
        {
            total.outcome = outcome
        }
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

    /// What reports call a step: its name, the test's for a single exchange, otherwise its request line as written.
    static func name(of step: SuiteStep, in test: SuiteTest) -> String {
        if let name = step.name { return name }
        guard test.hasSteps else { return test.name }
        switch step.action {
        case .exchange(let request): return "\(request.method) \(request.url.source)"
        case .call(let call): return call.fragment.name
        }
    }
}

extension StepSequence {
    /// Why there is nothing to loop over.
    private struct LoopError: Error {
        var message: String
        var range: SourceRange
    }

    /// Runs a step once for each element of its loop, each time as a step of its own in the result.
    ///
    /// Afterwards each name that the step captures holds the list of what the iterations captured, in order.
    ///
    /// - Returns: the name of the iteration that failed, when the steps behind it are not to run.
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
                kind: .error, subject: "forEach", type: .expression, message: error.message, range: error.range)
            let result = outcome(.errored, of: step, name: name, findings: [finding])
            add(result, to: &total)
            return goesOn(after: result, of: step) ? nil : name
        }
        if elements.isEmpty {
            total.steps.append(
                TestResult.Step(
                    name: name, outcome: .skipped(reason: "forEach: the list is empty"), range: step.range))
        }
        let mark = scope.captured.values.count
        var lists: [String: [CELValue]] = [:]
        var names: Set<String> = []
        var failed: String?
        for (index, element) in elements.enumerated() {
            scope.loop = [(rule.elementName, element), (rule.indexName, .int(Int64(index)))]
            scope.begin(step)
            let title = iterationName(rule.name ?? requestLine(of: step), name: name, index: index, taken: &names)
            var result = await runInTime(step, name: title)
            if result.step.outcome.isFailure, !result.step.findings.isEmpty {
                result.step.findings[0].details.append(
                    RowText.element(index + 1, values: [(rule.elementName, element)]))
            }
            for capture in scope.takeCaptures(from: mark) { lists[capture.name, default: []].append(capture.value) }
            add(result, to: &total)
            if result.step.outcome.isFailure, !goesOn(after: result, of: step) {
                failed = title
                break
            }
        }
        scope.loop = []
        scope.add(captures: step.definedNames.map { ($0.name, .list(CELList(lists[$0.name] ?? []))) })
        return failed
    }

    /// The elements of a list, or the members of a map as `{ key, value }`.
    private func elements(of rule: ForEachRule) throws(LoopError) -> [CELValue] {
        let value: CELValue
        do {
            value = try rule.source.value(in: scope.view(.test), context: scope.context)
        } catch {
            throw LoopError(message: error.message, range: error.range)
        }
        let elements: [CELValue]
        switch value {
        case .list(let list): elements = list.elements
        case .map:
            guard case .object(let object) = value.json else {
                throw LoopError(message: "the map has values that are no JSON", range: rule.range)
            }
            elements = object.map { name, value in
                CELValue(.object(JSONObject([("key", .string(name)), ("value", value)])))
            }
        default:
            throw LoopError(
                message: "expected a list or a map, got \(value.description) (\(value.typeName))", range: rule.range)
        }
        guard elements.count <= ForEachRule.maximumCount else {
            throw LoopError(
                message: "the list has \(elements.count) elements, more than \(ForEachRule.maximumCount)",
                range: rule.range)
        }
        return elements
    }

    /// The request of a step without a name.
    private func requestLine(of step: SuiteStep) -> Template? {
        guard step.name == nil, let request = step.request else { return nil }
        let method: [Template.Part] = request.method.hasPrefix("$") ? [] : [.text(request.method + " ")]
        switch request.url {
        case .constant: return nil
        case .expression(let expression): return .joined(method + [.expression(expression)])
        case .joined(let parts): return .joined(method + parts)
        }
    }

    /// What reports call an iteration: the step's name or request with the element in it, or with a number behind it.
    private func iterationName(_ template: Template?, name: String, index: Int, taken: inout Set<String>) -> String {
        // The request is rendered again when it is sent, with the same random values.
        guard let text = try? template?.text(in: scope.view(.step), context: scope.context.repeatable()) else {
            return "\(name) [\(index + 1)]"
        }
        return taken.insert(text).inserted ? text : "\(text) [\(index + 1)]"
    }
}

extension SuiteStep {
    /// What has to be recorded of an exchange for the expectations that few steps have.
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
