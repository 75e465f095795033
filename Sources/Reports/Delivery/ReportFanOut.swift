public import Output
public import Redaction
public import RunModel
import RunRecord
import Synchronization

/// The one place through which events reach reports: it masks secrets, then hands each event to every reporter.
///
/// Reporters that write nothing before the end get results later, several together, and at the end the tests that started
/// and did not finish. Each reporter gets results in file order, and before every later event that is not a test's.
///
/// What these reporters do takes the most time, and nobody has to wait for it: ``post(_:)`` only puts events into their
/// queue, so that it can be called where others wait, and ``advance()`` hands them on.
///
/// Reporters never see a secret: ``RunEvent/secretLearned(_:)`` ends here.
public final class ReportFanOut: Sendable {
    private struct State {
        var redactor = SecretRedactor()
        /// What reporters of files get together.
        var finished = FinishedTests()
        /// The tests that have started, of which these reporters are told at the end, if they have not finished.
        var running = RunningTests()
    }

    private let reporters: [any Reporter]
    /// The readers of events of tests, and those of all others, that get each at once.
    private let started, completed, failed, finished, others: ReportAudience
    /// The reporters that get several results in file order together, and other events behind them.
    private let batched: ReportAudience
    /// Those of them that read results.
    private let batchedFinished: ReportAudience
    /// Those of them that read starts.
    private let batchedStarters: [any Reporter]
    private let queue: BatchQueue
    /// The reporters that may hold something back.
    private let committing: [any Reporter]
    private let state = Mutex(State())

    /// Creates a fan-out to some reporters, which get each event that is not a test's in this order.
    ///
    /// - Parameter showsExchanges: Whether the exchanges of steps that passed go to every reporter, and not only to those
    ///   that need them.
    public init(_ reporters: [any Reporter], showsExchanges: Bool = true) {
        self.reporters = reporters
        committing = reporters.filter { $0.needs.contains(.commits) }
        func needsExchanges(_ reporter: any Reporter) -> Bool {
            showsExchanges || reporter.needs.contains(.exchanges)
        }
        // As most runs need no exchange of a step that passed when a test ends.
        let showsAtOnce = showsExchanges || reporters.contains { $0.needs.contains(.exchangesAtOnce) }
        let starters = reporters.filter { $0.testEvents.contains(.started) }
        started = ReportAudience(starters.filter { $0.delivery == .atOnce }, getsExchanges: needsExchanges)
        batchedStarters = starters.filter { $0.delivery == .batched }
        // The record has a failure before people see it.
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

    /// Lets reporters hold back what they write of tests that passed, which is only done when ``commit()`` will be called.
    ///
    /// - Returns: Whether one does.
    public func expectCommits() -> Bool {
        // What is shown to people is in the record before.
        guard !committing.isEmpty, !reporters.contains(where: { $0.needs.contains(.recordAtOnce) }) else {
            return false
        }
        for reporter in committing { reporter.expectCommits() }
        return true
    }

    /// Makes reporters write what they hold back.
    @Sendable public func commit() {
        for reporter in committing { reporter.commit() }
    }

    /// What the reporters together need.
    public var needs: ReporterNeeds {
        reporters.reduce(into: []) { $0.formUnion($1.needs) }
    }

    /// Hands an event on; callers on several threads are served one after another.
    @Sendable public func send(_ event: RunEvent) {
        post(event)
        advance()
    }

    /// Hands on to reporters that get several results together what was put into their queue.
    ///
    /// Callers on several threads do not wait for one another, unless there is much in the queue.
    @Sendable public func advance() {
        if !batched.isEmpty { queue.advance() }
    }

    /// Hands an event to the reporters that must have it at once, and puts it into the queue of the others.
    @Sendable public func post(_ event: RunEvent) {
        // Reporters are called inside of the lock, so that they see one event at a time, in one order.
        state.withLock { state in
            if case .secretLearned(let secret) = event {
                state.redactor.learn(secret)
                return
            }
            guard isRead(event) else { return }
            if !state.redactor.mayChange(event) {
                receive(event, sizes: BodySizes(of: event), &state)
            } else if !needsExchanges(of: event), let brief = event.withoutExchangesOfPassedSteps {
                // Secrets are not looked for in what nobody reads.
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

    /// Masks the secrets of a result, so that ``post(_:)`` need not do it where others wait.
    ///
    /// Secrets that become known between the two are masked there.
    @Sendable public func prepare(_ result: inout TestResult) {
        let redactor = state.withLock { $0.redactor }
        redactor.prepare(&result)
    }

    /// Hands on an event of a record, in which everything is masked already.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
    func replay(_ event: RunEvent, sizes: BodySizes, showsExchanges: Bool) {
        state.withLock { receive(event, sizes: sizes, showsExchanges: showsExchanges, &$0) }
        advance()
    }

    /// Whether a reporter reads events of the kind.
    private func isRead(_ event: RunEvent) -> Bool {
        switch event {
        case .testStarted: !started.isEmpty || !batchedStarters.isEmpty
        case .testCompleted(let result): !completed.isEmpty || (!failed.isEmpty && result.outcome.isFailure)
        case .testFinished: !finished.isEmpty || !batched.isEmpty
        case .runStarted, .suiteStarted, .secretLearned, .notice, .suiteFinished, .interrupted, .runFinished:
            !reporters.isEmpty
        }
    }

    /// Whether a reader of events of the kind gets the exchanges of steps that passed.
    private func needsExchanges(of event: RunEvent) -> Bool {
        switch event {
        case .testCompleted: completed.needsExchanges || failed.needsExchanges
        case .testFinished: finished.needsExchanges || batchedFinished.needsExchanges
        case .testStarted, .runStarted, .suiteStarted, .secretLearned, .notice, .suiteFinished, .interrupted,
            .runFinished:
            false
        }
    }

    /// Hands an event to its readers.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
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
        case .runStarted, .suiteStarted, .secretLearned, .notice, .suiteFinished, .interrupted, .runFinished:
            others.receive(event, sizes: sizes)
            if batched.isEmpty { return }
            release(&state.finished)
            queue.add(event, sizes: sizes)
        }
    }

    /// Puts the results that wait into the queue.
    private func release(_ waiting: inout FinishedTests) {
        if waiting.isEmpty { return }
        let bytes = waiting.bytes
        queue.add(waiting.takeAll(), bytes: bytes)
    }

    /// A mask for all secrets that were learned so far.
    public var mask: SecretMask {
        state.withLock { SecretMask($0.redactor) }
    }

    /// What masks all secrets that were learned so far in a text, or nil while there are none.
    @Sendable public func masking() -> (@Sendable (String) -> String)? {
        let mask = mask
        if mask.isEmpty { return nil }
        return { mask.masked($0) }
    }

    /// Finishes every reporter, whatever becomes of the others.
    ///
    /// - Returns: What could not be written.
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
    /// For each reporter, whether it gets the exchanges of steps that passed.
    private let getsExchanges: [Bool]
    /// Whether one of them gets these exchanges.
    let needsExchanges: Bool

    /// - Parameter getsExchanges: Whether a reporter gets the exchanges of steps that passed.
    init(_ reporters: [any Reporter], getsExchanges: (any Reporter) -> Bool) {
        self.reporters = reporters
        self.getsExchanges = reporters.map(getsExchanges)
        needsExchanges = self.getsExchanges.contains(true)
    }

    var isEmpty: Bool { reporters.isEmpty }

    /// Hands on an event that is no test's.
    func receive(_ event: RunEvent, sizes: BodySizes) {
        for reporter in reporters { reporter.receive(event, sizes: sizes) }
    }

    /// Hands on a test that begins.
    func receive(_ test: TestReference) {
        for reporter in reporters { reporter.testStarted(test) }
    }

    /// Hands on the result of a test that has ended.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
    func receive(completed result: TestResult, sizes: BodySizes, showsExchanges: Bool) {
        let hides = !showsExchanges && result.hasExchangesOfPassedSteps
        for index in reporters.indices {
            reporters[index].testCompleted(result, sizes: sizes, hidesExchanges: hides && !getsExchanges[index])
        }
    }

    /// Hands on results in file order.
    func receive(_ tests: [FinishedTest]) {
        for index in reporters.indices {
            reporters[index].testsFinished(tests, hidesExchanges: !getsExchanges[index])
        }
    }

    /// Hands on the result of a test in file order.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
    func receive(finished result: TestResult, sizes: BodySizes, showsExchanges: Bool) {
        let hides = !showsExchanges && result.hasExchangesOfPassedSteps
        for index in reporters.indices {
            reporters[index].testFinished(result, sizes: sizes, hidesExchanges: hides && !getsExchanges[index])
        }
    }
}
