import Basics
import CEL
import Diagnostics
import Expectations
import HTTPSession
import JSON
import RunModel
import SuiteModel

/// A runner of fragment calls, which evaluates the arguments, runs the steps in their own scope, and returns the
/// outputs.
struct FragmentRunner {
    /// The sequence that contains the calling step.
    let sequence: StepSequence
    /// The call.
    let call: FragmentCall
    /// The name of the call in reports.
    let name: String
    /// The names of the enclosing calls and this call, as written in the suite.
    let path: String

    private typealias Values = [(name: String, value: CELValue)]

    /// The result of one attempt of the call.
    private typealias Attempt = StepSequence.Outcome

    private var fragment: Fragment { call.fragment }
    private var scope: TestScope { sequence.scope }
    private var options: RunOptions { sequence.runner.options }

    /// Makes the call, with retries if the step has a retry rule.
    nonisolated(nonsending) func run(_ step: SuiteStep) async -> StepRunner.Outcome {
        let start = options.clock.now()
        let rule: RetryRule?
        do {
            rule = try sequence.retryRule(of: step)
        } catch {
            return sequence.outcome(.errored, of: step, name: name, findings: [Self.finding(error)])
        }
        let result = call.runsOnce ? await runShared(step, rule) : await runAlone(step, rule)
        return sequence.summary(of: result, of: step, name: name, duration: options.clock.now() - start)
    }

    // MARK: Attempts

    private nonisolated(nonsending) func runAlone(_ step: SuiteStep, _ rule: RetryRule?) async -> Attempt {
        await sequence.retrying(rule, times: rule?.times ?? 0) { await attemptAlone(step) }
    }

    private nonisolated(nonsending) func attemptAlone(_ step: SuiteStep) async -> Attempt {
        scope.begin(step)
        let arguments: Values
        do {
            arguments = try self.arguments()
        } catch {
            return errored(error)
        }
        var attempt = await self.attempt(arguments, jar: sequence.jar, context: context)
        if attempt.hasOutputs { take(attempt.outputs, for: step, into: &attempt) }
        return attempt
    }

    /// Runs the steps of the fragment once and evaluates its outputs.
    private nonisolated(nonsending) func attempt(_ arguments: Values, jar: CookieJar?, context: CELContext) async
        -> Attempt
    {
        var test = SuiteTest(
            index: sequence.test.index, name: sequence.test.name, steps: [], hasSteps: true, range: fragment.range,
            lines: fragment.range.start.line...fragment.range.start.line)
        // Lookup returns the first match for a name, so the fragment's own variables must come first.
        test.variables = fragment.variables + fragment.origin.variables
        let inner = TestScope(
            variables: test.variables, suite: sequence.suite, inherited: arguments, tests: nil, context: context,
            fragment: fragment)
        let steps = StepSequence(
            runner: sequence.runner, running: sequence.running, substitute: CopyOnWrite(wrappedValue: test),
            scope: inner, jar: jar, snapshots: sequence.snapshots,
            frame: CallFrame(
                prefix: name + " › ", path: path + " › ",
                caller: CallFrame.Caller(sequence: sequence, call: call.range),
                isShared: sequence.frame.isShared || call.runsOnce, directory: fragment.origin.directory,
                attempt: sequence.frame.attempt),
            deadline: sequence.deadline)
        var attempt = Attempt()
        defer { scope.noteCall(attempt.outcome.isFailure ? inner.namesAtFailure : nil) }
        do {
            try bindDefaults(in: inner)
        } catch {
            return errored(error, inFragment: true)
        }
        attempt = await steps.run(fragment.steps[...])
        for index in attempt.steps.indices { attempt.steps[index].calls.append(call.range) }
        // A step's own failure takes precedence over that of a shared call.
        if attempt.hasOwnFailure { attempt.blockedBy = nil }
        attempt.endsTest = attempt.endsTest || attempt.outcome == .errored
        guard attempt.hasOutputs else { return attempt }
        for output in fragment.outputs {
            do {
                attempt.outputs.append((output.name, try output.value.value(in: inner.view(.test), context: context)))
            } catch {
                var finding = Self.finding(error)
                finding.subject = "output \(output.name)"
                add([finding], to: &attempt, inFragment: true)
                return attempt
            }
        }
        return attempt
    }

    // MARK: Values

    /// Returns the arguments, evaluated in the caller's scope.
    private func arguments() throws(TemplateError) -> Values {
        var values: Values = []
        values.reserveCapacity(call.arguments.count)
        for argument in call.arguments {
            let value = try argument.value.value(in: scope.view(.step), context: scope.context)
            if fragment.parameters.contains(where: { $0.name == argument.name && $0.isSecret }) {
                sequence.suite.registerSecret(value, of: argument.name)
            }
            values.append((argument.name, value))
        }
        return values
    }

    /// Binds the parameters without an argument to their default values.
    private func bindDefaults(in inner: TestScope) throws(TemplateError) {
        for parameter in fragment.parameters {
            guard let value = parameter.defaultValue,
                !call.arguments.contains(where: { $0.name == parameter.name })
            else { continue }
            let evaluated = try value.value(in: inner.view(.test), context: inner.context)
            if parameter.isSecret { sequence.suite.registerSecret(evaluated, of: parameter.name) }
            inner.bind(parameter.name, to: evaluated)
        }
    }

    /// The context of the fragment's expressions: the caller's random numbers, and files of the fragment's directory.
    private var context: CELContext {
        let directory = fragment.origin.directory
        if directory == sequence.frame.directory ?? sequence.suite.suite.directory { return scope.context }
        return sequence.runner.contexts.context(scope.context, directory: directory)
    }

    /// Adds the outputs or the call's captures to the caller's scope, and checks the call's assertions.
    private func take(_ outputs: Values, for step: SuiteStep, into attempt: inout Attempt) {
        let view = OutputScope(outputs: outputs, caller: scope.view(.step))
        var findings: [Finding] = []
        if step.captures.isEmpty {
            scope.add(captures: outputs)
            for (name, value) in outputs { sequence.suite.note(value, of: name) }
        } else {
            for capture in step.captures {
                guard case .expression(let expression) = capture.source else { continue }
                do {
                    let value = try expression.value(in: view, context: scope.context)
                    if capture.isSecret { sequence.suite.registerSecret(value, of: capture.name) }
                    scope.add(capture: capture.name, value: value)
                } catch {
                    scope.add(capture: capture.name, value: nil)
                    var finding = Self.finding(error)
                    finding.subject = .capture(capture.name)
                    if error.isUnavailable { finding.type = .missingCapture }
                    findings.append(finding)
                }
            }
        }
        if step.isReferenced || sequence.test.isReferenced {
            let value = CELValue.map(CELMap(outputs.map { ($0.name, $0.value) }))
            if step.isReferenced { scope.keep(exchange: value, ofStep: step.name ?? name) }
            if sequence.test.isReferenced { scope.keep(exchange: value) }
        }
        let assertions = step.expectations.assertions
        if !assertions.isEmpty {
            findings += ExpectationChecker().check(assertions, scope: view, context: scope.context)
            if findings.isEmpty { attempt.steps.append(ownStep(.passed, findings: [])) }
        }
        add(MissingCaptures.withoutConsequences(findings), to: &attempt)
    }

    // MARK: Findings

    /// Adds findings about the call itself as a separate step.
    ///
    /// - Parameter inFragment: Whether the locations of the findings are in the fragment rather than the caller.
    private func add(_ findings: [Finding], to attempt: inout Attempt, inFragment: Bool = false) {
        if findings.isEmpty { return }
        attempt.outcome = findings.contains { $0.kind == .error } ? .errored : .failed
        attempt.endsTest = true
        var step = ownStep(attempt.outcome, findings: findings)
        if inFragment { step.calls = [call.range] }
        attempt.steps.append(step)
        attempt.findings = findings
        // The result of the call may be different in the next attempt.
        attempt.failedExchange = attempt.failedExchange ?? attempt.lastExchange
    }

    private func ownStep(_ outcome: TestResult.Outcome, findings: [Finding]) -> TestResult.Step {
        TestResult.Step(name: name, outcome: outcome, findings: findings, range: call.range)
    }

    private func errored(_ error: TemplateError, inFragment: Bool = false) -> Attempt {
        var attempt = Attempt()
        add([Self.finding(error)], to: &attempt, inFragment: inFragment)
        return attempt
    }

    private static func finding(_ error: TemplateError) -> Finding {
        Finding(
            kind: .error, subject: .expression, type: .expression, message: error.message,
            range: error.range)
    }

    // MARK: Sharing

    private nonisolated(nonsending) func runShared(_ step: SuiteStep, _ rule: RetryRule?) async -> Attempt {
        scope.begin(step)
        let arguments: Values
        do {
            arguments = try self.arguments()
        } catch {
            return errored(error)
        }
        let calls = sequence.runner.sharedCalls
        let key = SharedCalls.Key(
            fragment: ObjectIdentifier(fragment), arguments: Self.text(of: arguments),
            baseURL: fragment.mayUseBaseURL ? sequence.suite.baseURL : nil,
            environment: sequence.suite.suite.dotenv)
        let attempts = sequence.frame.attempt + (rule?.times ?? 0)
        switch await calls.claim(key, attempts: attempts) {
        case .call(let attemptsMade):
            return await callForAll(step, rule, arguments, key, attempts: attempts, attemptsMade: attemptsMade)
        case .outputs(let shared):
            var attempt = Attempt()
            attempt.steps = [sharedStep(.passed)]
            add(shared.cookies)
            take(shared.values, for: step, into: &attempt)
            return attempt
        case .failure(let failure):
            return Attempt(
                outcome: .errored, steps: [sharedStep(.blocked(by: failure.caller))], findings: failure.findings,
                failedExchange: failure.exchange, blockedBy: failure.caller, endsTest: true)
        case .cancelled:
            let step = sharedStep(.skipped(reason: "canceled while waiting for the shared call"))
            return Attempt(outcome: .errored, steps: [step], endsTest: true)
        }
    }

    /// Makes a shared call with a separate cookie jar, and distributes the result to all waiting callers.
    private nonisolated(nonsending) func callForAll(
        _ step: SuiteStep, _ rule: RetryRule?, _ arguments: Values, _ key: SharedCalls.Key, attempts: Int,
        attemptsMade: Int
    ) async -> Attempt {
        let calls = sequence.runner.sharedCalls
        var jar = CookieJar()
        var number = attemptsMade
        var attempt = await sequence.retrying(rule, times: attempts - attemptsMade - 1) {
            // The random values must not depend on which test makes the call first.
            number += 1
            jar = CookieJar()
            let context = sequence.runner.contexts.context(
                forShared: "\(fragment.origin.file.name) \(fragment.name) \(key.arguments) \(number)",
                suite: sequence.suiteIndex, directory: fragment.origin.directory)
            return await self.attempt(arguments, jar: jar, context: context)
        }
        if attempt.hasOutputs {
            calls.pass(key, SharedCalls.Outputs(values: attempt.outputs, cookies: jar.cookies))
            add(jar.cookies)
            take(attempt.outputs, for: step, into: &attempt)
        } else if Task.isCancelled {
            calls.abandon(key, attemptsMade: attemptsMade)
        } else {
            calls.fail(
                key,
                SharedCalls.Failure(
                    caller: attempt.blockedBy ?? "\(sequence.suite.suite.name) › \(sequence.test.name)",
                    attempts: attempts, findings: attempt.findings, exchange: attempt.failedExchange))
        }
        return attempt
    }

    private func add(_ cookies: [Cookie]) {
        for cookie in cookies { sequence.jar?.set(cookie) }
    }

    private func sharedStep(_ outcome: TestResult.Outcome) -> TestResult.Step {
        TestResult.Step(name: "\(name) (shared)", outcome: outcome, range: call.range)
    }

    /// Returns a string that is equal for equal arguments, regardless of their order.
    private static func text(of arguments: Values) -> String {
        var object = JSONObject()
        for (name, value) in arguments.sorted(by: { $0.name < $1.name }) {
            object[name] = value.json ?? .string(value.text)
        }
        return JSONValue.object(object).serialized()
    }
}

/// The position of a sequence of steps within nested calls.
struct CallFrame {
    /// The sequence that contains a call or a group.
    struct Caller {
        let sequence: StepSequence
        /// The source range of the call; nil for a group.
        var call: SourceRange?
    }

    /// The prefix of step names in reports, made of the enclosing calls, such as `login › `.
    var prefix = ""
    /// The names of the enclosing calls as written, without the elements of loops.
    var path = ""
    /// The sequence that contains the call or the group; nil for the steps of a test.
    var caller: Caller?
    /// Whether one of the calls is made only once for all tests of the run.
    var isShared = false
    /// The directory that relative paths resolve against; nil for the suite's directory.
    var directory: String?
    /// The number of the test's attempt, starting at 1.
    var attempt = 1
    /// Whether the steps are the cleanup of a test, so that all of them run.
    var isCleanup = false
}

/// The scope of a call's assertions and captures: the outputs first, then the caller's scope.
struct OutputScope<Caller: CELScope>: CELScope {
    let outputs: [(name: String, value: CELValue)]
    let caller: Caller

    func value(of name: String) throws(CELEvaluationError) -> CELValue? {
        if let output = outputs.last(where: { $0.name == name }) { return output.value }
        return try caller.value(of: name)
    }
}
