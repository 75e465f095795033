import CEL
import RunModel
import Synchronization

/// The one owner of a run's state: which tests wait, may start, run and are done; it alone emits events.
///
/// Workers take tests from it and hand results back. Its state is behind a mutex rather than an actor, so that a worker
/// takes its next test without leaving its event loop; events are emitted inside the mutex, which makes them one ordered
/// stream and a slow reporter a brake instead of a growing queue. What a receiver can put off, it does in `settle`, outside
/// of the mutex, so that no worker waits for it.
final class Dispatcher: Sendable {
    private let state: Mutex<State>
    /// Secrets that were emitted, so that one that every request uses is emitted once.
    private let secrets = Mutex<Set<String>>([])
    private let settle: @Sendable () -> Void

    /// Creates a dispatcher for a plan; no test can start before its suite is opened.
    ///
    /// - Parameters:
    ///   - ranks: for each test its place in a shuffled order; empty to start tests in file order.
    ///   - settle: does what the sink has put off; called when tests have ended, by several threads at once.
    init(
        plan: TestPlan, failFast: Int?, ranks: [Int32] = [], clock: RunClock,
        settle: @escaping @Sendable () -> Void = {}, sink: @escaping RunEventSink
    ) {
        self.settle = settle
        state = Mutex(State(plan: plan, failFast: failFast, ranks: ranks, clock: clock, sink: sink))
    }

    /// Emits the run's first event.
    func begin(_ info: RunInfo) {
        state.withLock { $0.emit(.runStarted(info)) }
    }

    /// Lets the suite's tests start.
    func open(suite: Int, info: SuiteInfo) {
        resume { $0.open(suite: suite, info: info) }
    }

    /// Gives a suite up: its tests are errors with the given finding.
    func fail(suite: Int, info: SuiteInfo, finding: Finding) {
        resume { $0.fail(suite: suite, info: info, finding: finding) }
    }

    /// Holds back the end of a suite until its server has stopped.
    func serve(suite: Int) {
        state.withLock { $0.serve(suite: suite) }
    }

    /// Tells the end of a suite whose server has stopped.
    ///
    /// - Parameter error: What went wrong with the server.
    func stopServing(suite: Int, error: RunNotice?) {
        state.withLock { $0.stopServing(suite: suite, error: error) }
    }

    /// Emits something that concerns no single test.
    func notify(_ notice: RunNotice, ofSnapshots: Bool = false) {
        state.withLock { $0.notify(notice, ofSnapshots: ofSnapshots) }
    }

    /// Emits a warning about a suite's responses, unless there was the same already or too many others.
    func warn(_ message: String, suite: Int) {
        state.withLock { $0.warn(message, suite: suite) }
    }

    /// Emits that a value must be masked from now on.
    func learnSecret(_ secret: String) {
        guard secrets.withLock({ $0.insert(secret).inserted }) else { return }
        state.withLock { $0.emit(.secretLearned(secret)) }
    }

    /// The next test that may start, or nil when no test will start any more; waits while none may.
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

    /// Takes a test's result.
    ///
    /// - Parameter exchanges: the number of exchanges that the test sent.
    func finish(_ index: Int, result: TestResult, captures: TestCaptures?, exchanges: Int) {
        resume { $0.finish(index, result: result, captures: captures, exchanges: exchanges) }
    }

    /// What a finished test captured.
    func captures(of index: Int) -> TestCaptures? {
        state.withLock { $0.captures[index] }
    }

    /// When the run was interrupted, by its clock; nil when it was not.
    var interruption: Int64? { state.withLock { $0.interruption } }

    /// What the rows of a finished test captured under a name, as a list in the order of the rows.
    func list(of name: String, from tests: Range<Int>) -> CELValue {
        state.withLock { $0.list(of: name, from: tests) }
    }

    /// Starts no further test and emits the interruption.
    func interrupt() {
        resume { $0.interrupt() }
    }

    /// Waits until every test of the suite is done.
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

    /// Emits the run's last event and returns it.
    ///
    /// - Parameter coverages: What of each OpenAPI description the run has exercised.
    func end(coverages: [ContractCoverage] = []) -> RunSummary {
        state.withLock { $0.end(coverages: coverages) }
    }

    /// Changes the state, then wakes whom the change concerns, outside of the mutex.
    private func resume(_ change: (inout State) -> Void) {
        let wakeups = state.withLock { state in
            change(&state)
            return state.takeWakeups()
        }
        for wakeup in wakeups { wakeup.resume() }
        settle()
    }
}
