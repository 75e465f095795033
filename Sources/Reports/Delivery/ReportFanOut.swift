public import Output
public import Redaction
public import RunModel
import RunRecord
import Synchronization

/// The dispatcher that masks secrets in the events of a run and delivers the events to all reporters.
///
/// Reporters that write nothing before the end of the run receive results later, in batches. At the end, they receive
/// the tests that started but did not finish. Each reporter receives results in file order, and before any later event
/// that does not belong to a test.
///
/// Batched reporters take the most time, and no caller has to wait for them: ``post(_:)`` only adds events to their
/// queue, so that it can be called while others wait, and ``advance()`` delivers them.
///
/// Reporters never see a secret: ``RunEvent/secretRegistered(_:)`` is not delivered.
public final class ReportFanOut: Sendable {
    private struct State {
        var redactor = SecretRedactor()
        /// The next batch of results for file reporters.
        var finished = FinishedTests()
        /// The running tests.
        ///
        /// Batched reporters receive the ones that did not finish at the end of the run.
        var running = RunningTests()
    }

    private let reporters: [any Reporter]
    /// The unbatched readers of each kind of test event, and of all other events.
    private let started, completed, failed, finished, others: ReportAudience
    /// The reporters that receive results in file order in batches, and other events after them.
    private let batched: ReportAudience
    /// The batched reporters that read results.
    private let batchedFinished: ReportAudience
    /// The batched reporters that read test starts.
    private let batchedStarters: [any Reporter]
    private let queue: BatchQueue
    /// The reporters that may delay writes until a commit.
    private let committing: [any Reporter]
    private let state = Mutex(State())

    /// Creates a fan-out, which delivers events that do not belong to a test to the reporters in the given order.
    ///
    /// - Parameter showsExchanges: Whether every reporter receives the exchanges of passed steps, not only the
    ///   reporters that need them.
    public init(_ reporters: [any Reporter], showsExchanges: Bool = true) {
        self.reporters = reporters
        committing = reporters.filter { $0.needs.contains(.commits) }
        func needsExchanges(_ reporter: any Reporter) -> Bool {
            showsExchanges || reporter.needs.contains(.exchanges)
        }
        // In most runs, no reporter needs the exchanges of passed steps when a test ends.
        let showsAtOnce = showsExchanges || reporters.contains { $0.needs.contains(.exchangesAtOnce) }
        let starters = reporters.filter { $0.testEvents.contains(.started) }
        started = ReportAudience(starters.filter { $0.delivery == .atOnce }, getsExchanges: needsExchanges)
        batchedStarters = starters.filter { $0.delivery == .batched }
        // The record has to contain a failure before people see it.
        let ordered = committing + reporters.filter { !$0.needs.contains(.commits) }
        completed = ReportAudience(ordered.filter { $0.testEvents.contains(.completed) }) {
            showsAtOnce && needsExchanges($0)
        }
        failed = ReportAudience(
            ordered.filter { $0.testEvents.isDisjoint(with: .completed) && $0.testEvents.contains(.failed) }
        ) {
            showsAtOnce && needsExchanges($0)
        }
        let readers = reporters.filter { $0.testEvents.contains(.finished) }
        finished = ReportAudience(readers.filter { $0.delivery == .atOnce }, getsExchanges: needsExchanges)
        batchedFinished = ReportAudience(readers.filter { $0.delivery == .batched }, getsExchanges: needsExchanges)
        others = ReportAudience(reporters.filter { $0.delivery == .atOnce }, getsExchanges: needsExchanges)
        batched = ReportAudience(reporters.filter { $0.delivery == .batched }, getsExchanges: needsExchanges)
        queue = BatchQueue(reporters: batched, readers: batchedFinished)
    }

    /// Allows reporters to delay writing passed tests.
    ///
    /// Call it only if ``commit()`` will be called later.
    ///
    /// - Returns: Whether any reporter delays writing.
    public func expectCommits() -> Bool {
        // Output shown to people must already be in the record.
        guard !committing.isEmpty, !reporters.contains(where: { $0.needs.contains(.recordAtOnce) }) else {
            return false
        }
        for reporter in committing { reporter.expectCommits() }
        return true
    }

    /// Writes the data that reporters have delayed.
    @Sendable public func commit() {
        for reporter in committing { reporter.commit() }
    }

    /// The combined requirements of the reporters.
    public var needs: ReporterNeeds {
        reporters.reduce(into: []) { $0.formUnion($1.needs) }
    }

    /// Delivers an event.
    ///
    /// Concurrent callers are served one at a time.
    @Sendable public func send(_ event: RunEvent) {
        post(event)
        advance()
    }

    /// Delivers the queued events to the batched reporters.
    ///
    /// Concurrent callers do not wait for each other unless the queue is full.
    @Sendable public func advance() {
        if !batched.isEmpty { queue.advance() }
    }

    /// Delivers an event to the unbatched reporters and queues it for the batched ones.
    @Sendable public func post(_ event: RunEvent) {
        // Reporters are called inside the lock, so that they receive one event at a time and in the same order.
        state.withLock { state in
            if case .secretRegistered(let secret) = event {
                state.redactor.register(secret)
                return
            }
            guard isRead(event) else { return }
            if !state.redactor.mayChange(event) {
                receive(event, sizes: BodySizes(of: event), &state)
            } else if !needsExchanges(of: event), let brief = event.withoutExchangesOfPassedSteps {
                // Data that no reporter reads is not searched for secrets.
                hand(brief, &state)
            } else {
                hand(event, &state)
            }
        }
    }

    private func hand(_ event: RunEvent, _ state: inout State) {
        guard let masked = state.redactor.redacted(event) else {
            receive(event, sizes: BodySizes(of: event), &state)
            return
        }
        receive(masked, sizes: BodySizes(of: masked), &state)
    }

    /// Masks the secrets of a result ahead of ``post(_:)``, which then does not have to while other threads wait.
    ///
    /// ``post(_:)`` masks secrets that become known in the meantime.
    @Sendable public func prepare(_ result: inout TestResult) {
        let redactor = state.withLock { $0.redactor }
        redactor.prepare(&result)
    }

    /// Delivers an event of a run record, in which all secrets are already masked.
    ///
    /// - Parameter showsExchanges: Whether every reporter receives the exchanges of passed steps.
    func replay(_ event: RunEvent, sizes: BodySizes, showsExchanges: Bool) {
        state.withLock { receive(event, sizes: sizes, showsExchanges: showsExchanges, &$0) }
        advance()
    }

    /// Returns whether any reporter reads events of this kind.
    private func isRead(_ event: RunEvent) -> Bool {
        switch event {
        case .testStarted: !started.isEmpty || !batchedStarters.isEmpty
        case .testCompleted(let result): !completed.isEmpty || (!failed.isEmpty && result.outcome.isFailure)
        case .testFinished: !finished.isEmpty || !batched.isEmpty
        case .runStarted, .suiteStarted, .secretRegistered, .load, .notice, .suiteFinished, .interrupted, .runFinished:
            !reporters.isEmpty
        }
    }

    /// Returns whether any reader of events of this kind receives the exchanges of passed steps.
    private func needsExchanges(of event: RunEvent) -> Bool {
        switch event {
        case .testCompleted: completed.needsExchanges || failed.needsExchanges
        case .testFinished: finished.needsExchanges || batchedFinished.needsExchanges
        case .testStarted, .runStarted, .suiteStarted, .secretRegistered, .load, .notice, .suiteFinished, .interrupted,
            .runFinished:
            false
        }
    }

    /// Delivers an event to its readers.
    ///
    /// - Parameter showsExchanges: Whether every reporter receives the exchanges of passed steps.
    private func receive(
        _ event: RunEvent, sizes: BodySizes, showsExchanges: Bool = false, _ state: inout State
    ) {
        switch event {
        case .testStarted(let test):
            if !started.isEmpty { started.receive(test) }
            if !batchedStarters.isEmpty { state.running.start(test) }
        case .testCompleted(let result):
            completed.receive(completed: result, sizes: sizes, showsExchanges: showsExchanges)
            if result.outcome.isFailure {
                failed.receive(completed: result, sizes: sizes, showsExchanges: showsExchanges)
            }
        case .testFinished(let result):
            if !finished.isEmpty { finished.receive(finished: result, sizes: sizes, showsExchanges: showsExchanges) }
            if batched.isEmpty { return }
            if !batchedStarters.isEmpty { state.running.finish(result.test.position, of: result.test.suite) }
            let isFull = state.finished.append(
                FinishedTest(
                    result: result, sizes: sizes,
                    hasHidden: !showsExchanges && result.hasExchangesOfPassedSteps))
            if isFull { release(&state.finished) }
        case .runStarted, .suiteStarted, .secretRegistered, .load, .notice, .suiteFinished, .interrupted, .runFinished:
            others.receive(event, sizes: sizes)
            if batched.isEmpty { return }
            release(&state.finished)
            queue.add(event, sizes: sizes)
        }
    }

    /// Moves the waiting results to the queue.
    private func release(_ waiting: inout FinishedTests) {
        if waiting.isEmpty { return }
        let bytes = waiting.bytes
        queue.add(waiting.takeAll(), bytes: bytes)
    }

    /// A mask for all secrets registered so far.
    public var mask: SecretMask {
        state.withLock { SecretMask($0.redactor) }
    }

    /// Returns a closure that masks all secrets registered so far, or `nil` if there are none.
    @Sendable public func masking() -> (@Sendable (String) -> String)? {
        let mask = mask
        if mask.isEmpty { return nil }
        return { mask.masked($0) }
    }

    /// Finishes every reporter, even if others fail.
    ///
    /// - Returns: The errors of the reporters that failed.
    public func finish() -> [ReportError] {
        state.withLock { state in
            release(&state.finished)
            queue.finish()
            for test in state.running.takeAll() {
                for reporter in batchedStarters { reporter.testStarted(test) }
            }
            var errors: [ReportError] = []
            for reporter in reporters {
                do throws(ReportError) { try reporter.finish() } catch { errors.append(error) }
            }
            return errors
        }
    }
}

/// The reporters that read events of one kind.
struct ReportAudience {
    private let reporters: [any Reporter]
    /// Whether each reporter receives the exchanges of passed steps, in the order of `reporters`.
    private let getsExchanges: [Bool]
    /// Whether any of the reporters receives the exchanges of passed steps.
    let needsExchanges: Bool

    /// Creates an audience.
    ///
    /// - Parameter getsExchanges: Returns whether a reporter receives the exchanges of passed steps.
    init(_ reporters: [any Reporter], getsExchanges: (any Reporter) -> Bool) {
        self.reporters = reporters
        self.getsExchanges = reporters.map(getsExchanges)
        needsExchanges = self.getsExchanges.contains(true)
    }

    var isEmpty: Bool { reporters.isEmpty }

    /// Delivers an event that does not belong to a test.
    func receive(_ event: RunEvent, sizes: BodySizes) {
        for reporter in reporters { reporter.receive(event, sizes: sizes) }
    }

    /// Delivers the start of a test.
    func receive(_ test: TestReference) {
        for reporter in reporters { reporter.testStarted(test) }
    }

    /// Delivers the result of a test that has ended.
    ///
    /// - Parameter showsExchanges: Whether every reporter receives the exchanges of passed steps.
    func receive(completed result: TestResult, sizes: BodySizes, showsExchanges: Bool) {
        let hides = !showsExchanges && result.hasExchangesOfPassedSteps
        for index in reporters.indices {
            reporters[index].testCompleted(result, sizes: sizes, hidesExchanges: hides && !getsExchanges[index])
        }
    }

    /// Delivers results in file order.
    func receive(_ tests: [FinishedTest]) {
        for index in reporters.indices {
            reporters[index].testsFinished(tests, hidesExchanges: !getsExchanges[index])
        }
    }

    /// Delivers the result of a test in file order.
    ///
    /// - Parameter showsExchanges: Whether every reporter receives the exchanges of passed steps.
    func receive(finished result: TestResult, sizes: BodySizes, showsExchanges: Bool) {
        let hides = !showsExchanges && result.hasExchangesOfPassedSteps
        for index in reporters.indices {
            reporters[index].testFinished(result, sizes: sizes, hidesExchanges: hides && !getsExchanges[index])
        }
    }
}
