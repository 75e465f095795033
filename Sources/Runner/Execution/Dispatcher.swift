import Basics
import CEL
import RunModel
import Synchronization

/// The single owner of a run's state: it schedules the tests and emits all events.
///
/// Workers take tests from the dispatcher and return the results. The state is protected by a mutex instead of an
/// actor, so a worker gets its next test without leaving its event loop. Events are emitted inside the mutex. This
/// makes them one ordered stream, and a slow reporter causes back-pressure instead of a growing queue. Work that a
/// receiver can defer happens in `runDeferred`, outside of the mutex, so no worker waits for it.
final class Dispatcher: RunOwner, TestEnvironment {
    private let state: Mutex<State>
    /// The secrets that were emitted, so that a secret used by every request is emitted only once.
    private let secrets = Mutex<Set<String>>([])
    private let runDeferred: @Sendable () -> Void

    /// Creates a dispatcher for a plan. No test starts before its suite is opened.
    ///
    /// - Parameters:
    ///   - ranks: For each test, its rank in the shuffled order; empty to start tests in file order.
    ///   - runDeferred: Does work that the sink has deferred. It is called when tests have finished, by several threads
    ///     concurrently.
    init(
        plan: TestPlan, failFast: Int?, ranks: [Int32] = [], clock: RunClock,
        runDeferred: @escaping @Sendable () -> Void = {}, sink: @escaping RunEventSink
    ) {
        self.runDeferred = runDeferred
        state = Mutex(State(plan: plan, failFast: failFast, ranks: ranks, clock: clock, sink: sink))
    }

    /// Emits the first event of the run.
    func begin(_ info: RunInfo) {
        state.withLock { $0.emit(.runStarted(info)) }
    }

    /// Allows the tests of a suite to start.
    func open(suite: Int, info: SuiteInfo) {
        resume { $0.open(suite: suite, info: info) }
    }

    /// Reports the tests of a suite that cannot start as errors with the given finding.
    func fail(suite: Int, info: SuiteInfo, finding: Finding) {
        resume { $0.fail(suite: suite, info: info, finding: finding) }
    }

    /// Delays the end of a suite until its server has stopped.
    func serve(suite: Int) {
        state.withLock { $0.serve(suite: suite) }
    }

    /// Emits the end of a suite whose server has stopped.
    ///
    /// - Parameter error: The failure of the server, if any.
    func stopServing(suite: Int, error: RunNotice?) {
        state.withLock { $0.stopServing(suite: suite, error: error) }
    }

    /// Emits a notice that does not belong to a single test.
    func notify(_ notice: RunNotice, ofSnapshots: Bool = false) {
        state.withLock { $0.notify(notice, ofSnapshots: ofSnapshots) }
    }

    /// Emits a warning about a suite's responses, unless it is a duplicate or the maximum number is reached.
    func warn(_ notice: RunNotice) {
        state.withLock { $0.warn(notice) }
    }

    /// Registers a secret: emits an event that the value must be masked from now on, once per value.
    func registerSecret(_ secret: String) {
        guard secrets.withLock({ $0.insert(secret).inserted }) else { return }
        state.withLock { $0.emit(.secretRegistered(secret)) }
    }

    /// Returns the next test to run, or nil when no further test will start. Suspends while no test is ready.
    nonisolated(nonsending) func next() async -> Int? {
        switch state.withLock({ $0.take() }) {
        case .test(let index): return index
        case .done: return nil
        case .wait: break
        }
        return await withCheckedContinuation { continuation in
            let answer: State.Take = state.withLock { state in
                let answer = state.take()
                if case .wait = answer { state.idle.append(continuation) }
                return answer
            }
            switch answer {
            case .test(let index): continuation.resume(returning: index)
            case .done: continuation.resume(returning: nil)
            case .wait: break
            }
        }
    }

    /// Records the result of a test.
    ///
    /// - Parameter exchanges: The number of exchanges that the test sent.
    func finish(_ index: Int, result: TestResult, captures: TestCaptures?, exchanges: Int) {
        resume { $0.finish(index, result: result, captures: captures, exchanges: exchanges) }
    }

    /// Returns the captures of a finished test.
    func captures(of index: Int) -> TestCaptures? {
        state.withLock { $0.captures[index] }
    }

    /// The time of the run's interruption by its clock; nil if it was not interrupted.
    var interruption: Int64? { state.withLock { $0.interruption } }

    /// Returns the values that the rows of a finished test captured under a name, as a list in row order.
    func list(of name: String, from tests: Range<Int>) -> CELValue {
        state.withLock { $0.list(of: name, from: tests) }
    }

    /// Emits the interruption and prevents further tests from starting.
    func interrupt() {
        resume { $0.interrupt() }
    }

    /// Waits until all tests of the suite are done.
    func waitUntilDone(suite: Int) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isDone = state.withLock { state in
                if state.suites[suite].remaining == 0 { return true }
                state.suiteWaiters[suite, default: []].append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    /// Emits the last event of the run and returns its summary.
    ///
    /// - Parameter coverages: The coverage of each OpenAPI description that the run has exercised.
    func end(coverages: [ContractCoverage] = []) -> RunSummary {
        state.withLock { $0.end(coverages: coverages) }
    }

    /// Changes the state and resumes the tasks that the change affects, outside of the mutex.
    private func resume(_ change: (inout State) -> Void) {
        let wakeups = state.withLock { state in
            change(&state)
            return state.takeWakeups()
        }
        for wakeup in wakeups { wakeup.resume() }
        runDeferred()
    }
}
