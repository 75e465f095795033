import CEL
import Expectations
import HTTPSession
import SuiteModel

/// Runs one test: renders each step's request, sends it, checks the exchange, and captures from it.
struct TestRunner: Sendable {
    let plan: TestPlan
    let suites: [SuiteRun]
    let session: Session
    let dispatcher: Dispatcher
    let options: RunOptions
    let contexts: ContextFactory
    let files: FileAccess
    let connections = SharedConnections()
    let sharedCalls = SharedCalls()
    let authenticators: Authenticators
    let snapshots: SnapshotStore
    let start: Int64

    /// What an attempt of a test came to.
    private struct Attempt {
        var sequence: StepSequence.Outcome
        var captured: TestCaptures
        var duration: Int64 = 0
    }

    /// Runs the test, again where its rule says so, and hands its result to the dispatcher.
    func run(_ index: Int) async {
        let entry = plan.tests[index]
        let suite = suites[entry.suite]
        let test = suite.suite.tests[entry.test]
        let began = options.clock.now()
        let snapshots = snapshots.snapshots(of: entry, in: suite)
        var attempt = await attempt(1, of: test, entry: entry, suite: suite, snapshots: snapshots)
        var earlier: [TestResult.Attempt] = []
        var exchanges = attempt.sequence.exchanges
        if attempt.sequence.outcome.isFailure, let rule = rule(of: test) {
            let retrying = Retrying(rule: rule, clock: options.clock)
            var retry = 1
            while retry <= rule.times, attempt.sequence.outcome.isFailure,
                Retrying.applies(rule, findings: attempt.sequence.findings, exchange: attempt.sequence.failedExchange),
                await retrying.wait(before: retry, after: attempt.sequence.failedExchange)
            {
                earlier.append(
                    TestResult.Attempt(
                        outcome: attempt.sequence.outcome, steps: attempt.sequence.steps, duration: attempt.duration))
                retry += 1
                attempt = await self.attempt(retry, of: test, entry: entry, suite: suite, snapshots: snapshots)
                exchanges += attempt.sequence.exchanges
            }
        }
        var outcome = attempt.sequence.verdict
        if outcome == .passed, !earlier.isEmpty { outcome = .flaky }
        if Task.isCancelled && !outcome.isSuccess {
            outcome = .skipped(reason: "interrupted while it ran")
            attempt.sequence.steps = []
            earlier = []
        }
        if let snapshots {
            // Of what was interrupted, nothing is written.
            if !attempt.sequence.steps.isEmpty { snapshots.commit() }
            self.snapshots.finished(
                suite: entry.suite,
                isWhole: !attempt.sequence.steps.isEmpty && attempt.sequence.steps.allSatisfy(\.gotToChecks))
        }
        let isNeeded = !plan.dependents[index].isEmpty && outcome.isSuccess
        dispatcher.finish(
            index,
            result: TestResult(
                test: entry.reference, outcome: outcome, steps: attempt.sequence.steps, earlierAttempts: earlier,
                start: began - start, duration: options.clock.now() - began),
            captures: isNeeded ? attempt.captured : nil, exchanges: exchanges)
    }

    /// How often the test is tried again; nil for not at all.
    private func rule(of test: SuiteTest) -> RetryRule? {
        if options.retries == 0 { return nil }
        return test.retry?.value ?? options.retries.map { RetryRule(times: $0) }
    }

    /// Runs the steps of the test once, in a scope and with cookies of their own.
    private func attempt(
        _ number: Int, of test: SuiteTest, entry: TestPlan.Entry, suite: SuiteRun, snapshots: TestSnapshots?
    ) async -> Attempt {
        let began = options.clock.now()
        let scope = scope(of: entry, test: test, suite: suite, attempt: number)
        let jar = CookieJar()
        snapshots?.beginAttempt()
        let sequence = StepSequence(
            runner: self, test: test, suite: suite, suiteIndex: entry.suite, scope: scope, jar: jar,
            snapshots: snapshots, frame: CallFrame(attempt: number))
        let outcome = await sequence.run(test.steps)
        var attempt = Attempt(sequence: outcome, captured: TestCaptures())
        attempt.captured = scope.captured
        attempt.duration = options.clock.now() - began
        return attempt
    }

    private func scope(of entry: TestPlan.Entry, test: SuiteTest, suite: SuiteRun, attempt: Int) -> TestScope {
        var inherited: [(name: String, value: CELValue)] = []
        var exchanges: [(name: String, exchange: CELValue)] = []
        for edge in entry.edges {
            switch edge.reason {
            case .capture(let name):
                if let value = dispatcher.captures(of: edge.test)?.value(of: name) { inherited.append((name, value)) }
            case .exchange(let id):
                if let exchange = dispatcher.captures(of: edge.test)?.exchange { exchanges.append((id, exchange)) }
            case .needs, .setup, .order:
                break
            }
        }
        return TestScope(
            test: test, suite: suite, inherited: inherited,
            tests: exchanges.isEmpty ? nil : TestScope.map(exchanges),
            context: contexts.context(for: entry, attempt: attempt, folder: suite.suite.folder))
    }
}

extension TestResult.Step {
    /// Whether the step was done and got an answer, so that all of its expectations were looked at.
    fileprivate var gotToChecks: Bool {
        switch outcome {
        case .passed, .flaky, .failed: true
        case .errored, .skipped, .blocked: false
        }
    }
}
