import Basics
import CEL
import Diagnostics
import Expectations
import HTTPSession
import JSON
import RunModel
import SuiteModel

/// A runner of tests, which renders each step's request, sends it, checks the exchange, and captures values from it.
///
/// A class with one instance per run, because every running step refers to it.
final class TestRunner: Sendable {
    let plan: TestPlan
    let suites: [SuiteRun]
    let session: Session
    let owner: any RunOwner
    let options: RunOptions
    let contexts: ContextFactory
    let files: FileAccess
    let connections = SharedConnections()
    let sharedCalls = SharedCalls()
    let authenticators: Authenticators
    let snapshots: SnapshotStore
    let contracts: ContractLedger
    let savedBodies: SavedBodies
    /// The pace of the requests; nil to send them as soon as possible.
    let pace: RequestPace?
    /// Does the sink's work on a large result in advance.
    let prepare: @Sendable (inout TestResult) -> Void
    let start: Int64
    /// The maximum content size of a result that is passed on unprepared, in bytes.
    private static let smallContent = 16 << 10
    /// Whether the session uses the default connection options.
    let hasUsualConnections: Bool

    init(
        plan: TestPlan, suites: [SuiteRun], session: Session, owner: any RunOwner, options: RunOptions,
        contexts: ContextFactory, files: FileAccess, authenticators: Authenticators, snapshots: SnapshotStore,
        contracts: ContractLedger, prepare: @escaping @Sendable (inout TestResult) -> Void, start: Int64
    ) {
        self.plan = plan
        self.suites = suites
        self.session = session
        hasUsualConnections = session.configuration.connection == ConnectionOptions()
        self.owner = owner
        self.options = options
        self.contexts = contexts
        self.files = files
        self.authenticators = authenticators
        self.snapshots = snapshots
        self.contracts = contracts
        savedBodies = SavedBodies(directory: options.outputDirectory)
        pace = options.rate.map(RequestPace.init)
        self.prepare = prepare
        self.start = start
    }

    /// The result of one attempt of a test.
    private struct Attempt: RetriedAttempt {
        @CopyOnWrite var sequence: StepSequence.Outcome
        var captured = TestCaptures()
        /// The values of the names that were used, if the attempt did not pass.
        var variables: [UsedVariable] = []
        /// The failure that is expected of the test, if its condition is met.
        @Indirect var expectedFailure: ExpectedFailure?
        /// The context that provides the jitter of the waits before retries, if the attempt did not pass.
        @Indirect var context: CELContext?
        var duration: Int64 = 0

        var isFailure: Bool { sequence.outcome.isFailure }
        var findings: [Finding] { sequence.findings }
        var failedExchange: Exchange? { sequence.failedExchange }
    }

    /// The combined result of all attempts of a test.
    private struct Attempts {
        var last: Attempt
        var previous: [TestResult.Attempt] = []
        var exchanges = 0
    }

    /// A finished test: its result, and what it leaves to other tests.
    struct Finished {
        var result: TestResult
        /// The captures; nil if no other test needs them.
        var captures: TestCaptures?
        /// The number of exchanges that the test sent.
        var exchanges: Int
    }

    /// Runs a test, with retries if a rule applies. A teardown also runs while the run is being interrupted.
    ///
    /// - Parameters:
    ///   - entry: The test.
    ///   - isNeeded: Whether other tests need its captures.
    ///   - environment: The test's view of the other tests.
    nonisolated(nonsending) func run(
        _ entry: TestPlan.Entry, isNeeded: Bool, in environment: any TestEnvironment, on executor: any TaskExecutor
    ) async -> Finished {
        if isTeardown(entry) {
            return await conductTeardown(entry, isNeeded: isNeeded, in: environment, on: executor)
        }
        return await conduct(entry, isNeeded: isNeeded, in: environment, on: executor)
    }

    // The asynchronous functions from here to `StepRunner.send` are all suspended while a response is awaited, and the
    // compiler keeps every local in their frames, even one that is used only before or after the wait. Therefore they
    // only call each other, and the work around the calls is in functions that are not inlined: functions that are not
    // asynchronous, or asynchronous ones that most tests do not need. `Benchmarks/frames` lists the sizes.

    @inline(never)
    private func isTeardown(_ entry: TestPlan.Entry) -> Bool {
        suites[entry.suite].suite.tests[entry.test].kind == .teardown
    }

    @inline(never)
    private nonisolated(nonsending) func conductTeardown(
        _ entry: TestPlan.Entry, isNeeded: Bool, in environment: any TestEnvironment, on executor: any TaskExecutor
    ) async -> Finished {
        let grace = GracePeriod(clock: options.clock) { [owner] in owner.interruption }
        return await grace.run(on: executor) {
            await self.conduct(entry, isNeeded: isNeeded, in: environment, on: executor)
        }
    }

    @inline(never)
    private nonisolated(nonsending) func conduct(
        _ entry: TestPlan.Entry, isNeeded: Bool, in environment: any TestEnvironment, on executor: any TaskExecutor
    ) async -> Finished {
        let began = options.clock.now()
        let (running, failure) = begin(entry, in: environment, on: executor)
        var attempts = failure
        if attempts == nil {
            // Most tests have neither a deadline nor snapshots, so that two asynchronous calls are not necessary.
            attempts =
                running.deadline == nil && !snapshots.isUsed(by: entry.suite)
                ? await self.attempts(of: running, snapshots: nil) : await attemptsInTime(of: running)
        }
        var finished = finish(running, after: attempts, began: began, isNeeded: isNeeded)
        let size = finished.result.contentSize
        if size > Self.smallContent { finished.result = await prepared(finished.result, size: size) }
        return finished
    }

    /// Starts a test.
    ///
    /// - Returns: The running test, and its result if its limits cannot be evaluated.
    @inline(never)
    private func begin(
        _ entry: TestPlan.Entry, in environment: any TestEnvironment, on executor: any TaskExecutor
    ) -> (RunningTest, Attempts?) {
        var limits = TestLimits()
        var failure: Attempts?
        do {
            limits = try self.limits(of: entry, in: environment)
        } catch {
            failure = Attempts(last: attempt(at: entry, in: environment, without: error))
        }
        let running = RunningTest(
            entry, of: suites, in: environment, limits: limits, clock: options.clock, executor: executor,
            responses: options.responses?.responses(of: entry))
        return (running, failure)
    }

    /// Returns the result of a test whose attempts have ended.
    ///
    /// - Parameters:
    ///   - attempts: The attempts; nil if there were none.
    ///   - began: The start of the test, by the clock of the run.
    @inline(never)
    private func finish(
        _ running: RunningTest, after attempts: consuming Attempts?, began: Int64, isNeeded: Bool
    ) -> Finished {
        var attempts = attempts ?? Attempts(last: Attempt(sequence: StepSequence.Outcome(outcome: .errored)))
        var outcome = attempts.last.sequence.verdict
        if outcome == .passed, !attempts.previous.isEmpty { outcome = .flaky }
        if !outcome.isSuccess && Task.isCancelled {
            outcome = .skipped(
                reason: running.test.kind == .teardown
                    ? "no time was left after the interruption" : "interrupted while running")
            attempts.last.sequence.steps = []
            attempts.previous = []
        }
        running.responses?.finish(outcome, steps: attempts.last.sequence.steps)
        var result = TestResult(
            test: running.entry.reference, outcome: outcome, steps: attempts.last.sequence.steps,
            previousAttempts: attempts.previous, start: began - start, duration: options.clock.now() - began)
        if outcome.isFailure { result.variables = attempts.last.variables }
        attempts.last.expectedFailure?.judge(&result)
        options.baseline?.apply(to: &result, of: running.entry, mask: snapshots.mask)
        if let receive = options.captured, result.outcome.isSuccess {
            receive(result.test, attempts.last.captured.values)
        }
        // The captures of a test that did not pass are used only by the teardown.
        return Finished(
            result: result, captures: isNeeded ? attempts.last.captured : nil, exchanges: attempts.exchanges)
    }

    /// Returns a large result after the sink's work on it.
    @inline(never)
    private nonisolated(nonsending) func prepared(_ result: TestResult, size: Int) async -> TestResult {
        await LargeBodies.off(bytes: size) {
            var result = result
            prepare(&result)
            return result
        }
    }

    /// Makes the attempts of a test within its time limit, if it has one.
    ///
    /// - Returns: The attempts; nil if the time limit left no time for any.
    private nonisolated(nonsending) func attemptsInTime(of running: RunningTest) async -> Attempts? {
        guard let deadline = running.deadline else { return await attemptsWithSnapshots(of: running) }
        return await deadline.limit { await self.attemptsWithSnapshots(of: running) }
    }

    /// Makes the attempts of a test and writes the snapshots that it compares with.
    private nonisolated(nonsending) func attemptsWithSnapshots(of running: RunningTest) async -> Attempts {
        guard let snapshots = snapshots.snapshots(of: running.entry, in: running.suite) else {
            return await attempts(of: running, snapshots: nil)
        }
        let attempts = await attempts(of: running, snapshots: snapshots)
        write(snapshots, of: running, after: attempts.last)
        return attempts
    }

    /// Writes the snapshots of a test, unless it was interrupted.
    @inline(never)
    private func write(_ snapshots: TestSnapshots, of running: RunningTest, after attempt: Attempt) {
        let steps = attempt.sequence.steps
        let isWhole = !steps.isEmpty && (!Task.isCancelled || attempt.sequence.outcome.isSuccess)
        if isWhole { snapshots.commit() }
        self.snapshots.finished(suite: running.entry.suite, isWhole: isWhole && steps.allSatisfy(\.gotToChecks))
    }

    /// Makes the attempts of a test: one, and retries if a rule applies.
    private nonisolated(nonsending) func attempts(of running: RunningTest, snapshots: TestSnapshots?) async -> Attempts
    {
        let first = await attempt(1, of: running, snapshots: snapshots)
        guard mayRetry(running, after: first) else {
            return Attempts(last: first, exchanges: first.sequence.exchanges)
        }
        return await attempts(after: first, of: running, snapshots: snapshots)
    }

    /// Returns whether a rule may retry a test after its first attempt.
    @inline(never)
    private func mayRetry(_ running: RunningTest, after first: Attempt) -> Bool {
        // After an expected failure, another attempt would only fail again.
        first.isFailure && first.expectedFailure == nil && running.limits.retry != nil
    }

    /// Makes further attempts of a test after the first one has failed.
    @inline(never)
    private nonisolated(nonsending) func attempts(
        after first: Attempt, of running: RunningTest, snapshots: TestSnapshots?
    ) async -> Attempts {
        var attempts = Attempts(last: first, exchanges: first.sequence.exchanges)
        guard let rule = running.limits.retry else { return attempts }
        let random = Retrying.random(first.context ?? CELContext())
        let retrying = Retrying(rule: rule, clock: options.clock, random: random)
        let (last, isCutOff) = await retrying.attempts(after: first) { failed in
            attempts.previous.append(
                TestResult.Attempt(
                    outcome: failed.sequence.outcome, steps: failed.sequence.steps, duration: failed.duration))
            let next = await attempt(attempts.previous.count + 1, of: running, snapshots: snapshots)
            attempts.exchanges += next.sequence.exchanges
            return next
        }
        attempts.last = last
        if isCutOff, running.deadline?.hasExpired == true { noteTimeout(running.deadline, in: &attempts.last) }
        return attempts
    }

    /// Adds to the step that failed last that there was no time for a retry.
    private func noteTimeout(_ deadline: TestDeadline?, in attempt: inout Attempt) {
        guard let deadline, let index = attempt.sequence.steps.firstIndex(where: \.outcome.isFailure) else { return }
        let range = attempt.sequence.steps[index].range
        // A step that the deadline cut off already has such a finding.
        guard attempt.sequence.steps[index].findings.first?.subject != .timeout else { return }
        attempt.sequence.steps[index].findings.insert(deadline.findingBetweenAttempts(range: range), at: 0)
        attempt.sequence.steps[index].outcome = .errored
        attempt.sequence.outcome = .errored
    }

    /// Evaluates the limits of a test.
    ///
    /// A teardown is not retried as a whole, because its steps fail when they remove something for the second time.
    ///
    /// - Parameter scope: The scope of the expressions; nil for that of the first attempt.
    private func limits(
        of entry: TestPlan.Entry, in environment: any TestEnvironment, scope: TestScope? = nil
    ) throws(TemplateError) -> TestLimits {
        let (timeout, retry, kind) = suites[entry.suite].suite.tests[entry.test].limits
        let isRetried = options.retries != 0 && kind != .teardown
        var limits = TestLimits(timeout: timeout?.known)
        if isRetried { limits.retry = retry.map(\.known) ?? options.retries.map { RetryRule(times: $0) } }
        guard timeout?.template != nil || isRetried && retry?.template != nil else { return limits }
        let scope = scope ?? self.scope(of: entry, in: environment, attempt: 1)
        limits.timeout = try timeout?.value(in: scope.view(.test), context: scope.context)
        if isRetried, let retry { limits.retry = try retry.value(in: scope.view(.test), context: scope.context) }
        return limits
    }

    /// Returns the result of a test whose limits cannot be evaluated.
    private func attempt(
        at entry: TestPlan.Entry, in environment: any TestEnvironment, without error: TemplateError
    ) -> Attempt {
        let test = suites[entry.suite].suite.tests[entry.test]
        let scope = scope(of: entry, in: environment, attempt: 1)
        if let condition = test.condition, let unmet = unmet(condition, of: entry, scope: scope) {
            return Attempt(sequence: unmet)
        }
        var outcome = StepSequence.Outcome()
        if let missing = test.steps.first?.uncertainCaptures.first(where: { !scope.knows($0) }) {
            outcome.outcome = .skipped(reason: "\"\(missing)\" was not captured")
            return Attempt(sequence: outcome)
        }
        let finding = StepRunner.finding(error)
        outcome.outcome = .errored
        outcome.findings = [finding]
        outcome.steps = [
            TestResult.Step(name: entry.reference.name, outcome: .errored, findings: [finding], range: test.range)
        ]
        // The values that the limits used.
        _ = try? limits(of: entry, in: environment, scope: scope)
        return Attempt(sequence: outcome, variables: scope.namesAtFailure.variables)
    }

    /// Returns the cookie jar of an attempt of the test; nil for none.
    private func jar(of running: RunningTest) -> CookieJar? {
        switch running.test.cookieJar {
        case .new: CookieJar()
        case .keep: running.environment.jar(of: running.suite)
        case .off: nil
        }
    }

    /// Runs the steps of the test once, with a new scope.
    private nonisolated(nonsending) func attempt(
        _ number: Int, of running: RunningTest, snapshots: TestSnapshots?
    ) async -> Attempt {
        // The duration is needed only if there may be another attempt.
        let began = running.limits.retry == nil ? nil : options.clock.now()
        let scope = scope(of: running.entry, in: running.environment, attempt: number)
        var attempt = Attempt(sequence: StepSequence.Outcome())
        if let sequence = prepare(number, of: running, scope, snapshots, &attempt) {
            attempt.sequence = await sequence.run(running.body)
            // Other tests do not see the captures of the cleanup.
            attempt.captured = scope.captured
            if running.hasCleanup { attempt.sequence.append(await cleanUp(after: sequence)) }
        }
        finish(&attempt, of: running, scope)
        if let began { attempt.duration = options.clock.now() - began }
        return attempt
    }

    /// Prepares an attempt of a test.
    ///
    /// - Returns: The sequence of the test's steps; nil if they do not run, for the reason that is set in the attempt.
    @inline(never)
    private func prepare(
        _ number: Int, of running: RunningTest, _ scope: TestScope, _ snapshots: TestSnapshots?,
        _ attempt: inout Attempt
    ) -> StepSequence? {
        snapshots?.beginAttempt()
        running.responses?.rewind(to: 0)
        // The conditions are evaluated only once, before the first attempt.
        if number == 1, let condition = running.test.condition,
            let unmet = unmet(condition, of: running.entry, scope: scope)
        {
            attempt.sequence = unmet
            return nil
        }
        if number == 1, let failed = check(&attempt.expectedFailure, of: running, scope: scope) {
            attempt.sequence = failed
            return nil
        }
        return StepSequence(
            runner: self, running: running, scope: scope, jar: jar(of: running), snapshots: snapshots,
            frame: CallFrame(attempt: number), deadline: running.deadline)
    }

    /// Adds to an attempt what explains its failure, if it has failed.
    @inline(never)
    private func finish(_ attempt: inout Attempt, of running: RunningTest, _ scope: TestScope) {
        guard attempt.isFailure else { return }
        if let row = running.entry.row { note(row, of: running.entry, scope, in: &attempt.sequence) }
        attempt.variables = scope.namesAtFailure.variables
        attempt.context = scope.context
    }

}

extension TestResult.Step {
    /// Whether the step ran and received a response, so all of its expectations were checked.
    fileprivate var gotToChecks: Bool {
        switch outcome {
        case .passed, .flaky, .known, .failed: true
        case .errored, .skipped, .blocked: false
        }
    }
}

extension SuiteTest {
    /// The limits as written, and the kind of the test.
    fileprivate var limits: (timeout: Templated<Int64>?, retry: Templated<RetryRule>?, kind: TestKind) {
        (timeout, retry, kind)
    }
}
