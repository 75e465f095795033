public import SuiteModel
import Synchronization

/// The events of a run as lines of JSON, each written as it happens: a record of which other reports can be made.
///
/// A run that is killed leaves every test that was done; at most its last line is cut. Where ``commit()`` is called, the
/// lines of tests that passed are written together then: before anything is sent that could tell that they were done.
public final class JSONLinesReporter: Reporter {
    private struct State: ~Copyable {
        var file: RecordFile
        var writer: RecordWriter
        /// When the run began, by the clock.
        var start: Int64?
        var failure: ReportError?
        /// Whether lines of tests that passed are held until ``JSONLinesReporter/commit()``.
        var holdsPassed = false
        /// Whether such a line is held.
        var hasPassed = false

        /// Writes all lines, among them those that are held.
        mutating func flush() {
            hasPassed = false
            guard writer.count > 0 else { return }
            do throws(ReportError) { try writer.write(to: &file) } catch { failure = error }
        }

        /// Begins a line, before which those of tests that passed are written: what begins now may have waited for them.
        mutating func beginStart() {
            if hasPassed { flush() }
        }

        /// Ends the line of a test that has started, which is held.
        mutating func endStart() {
            if writer.count >= JSONLinesReporter.mostHeld { flush() }
        }

        /// Ends the line of a result.
        mutating func end(_ result: TestResult) {
            guard holdsPassed, result.outcome == .passed, writer.count < JSONLinesReporter.mostHeld else {
                return flush()
            }
            hasPassed = true
        }
    }

    /// How long the line of a test that has started is held at most, in milliseconds: it spares half of the calls to the
    /// system, and a test that has started but not ended matters only where it takes long.
    private static let longestHold = 50
    /// The most bytes of such lines.
    fileprivate static let mostHeld = 1 << 16

    /// The digests of suites, and when it is asked for the exchanges of steps that passed.
    public let needs: ReporterNeeds
    private let state: Mutex<State>
    private let clock: @Sendable () -> Int64
    /// What writes held lines while nothing else happens.
    private let flushing = Mutex<Task<Void, Never>?>(nil)

    /// Creates a reporter, and makes sure that its record can be written.
    ///
    /// - Parameters:
    ///   - path: Where the record goes; folders that do not exist are created.
    ///   - keepsExchanges: Whether the exchanges of steps that passed are recorded too.
    /// - Throws: ``ReportError`` when the path cannot be written.
    public convenience init(path: String, keepsExchanges: Bool = false) throws(ReportError) {
        try self.init(path: path, keepsExchanges: keepsExchanges, clock: SystemFacts.uptime)
    }

    /// Creates a reporter with a clock.
    ///
    /// - Parameter clock: Gives nanoseconds since any moment.
    init(path: String, keepsExchanges: Bool = false, clock: @escaping @Sendable () -> Int64) throws(ReportError) {
        needs = keepsExchanges ? [.digests, .commits, .exchanges, .exchangesAtOnce] : [.digests, .commits]
        self.clock = clock
        var writer = RecordWriter()
        writer.marksExchanges = keepsExchanges
        state = Mutex(State(file: try RecordFile(path: path), writer: writer))
    }

    /// Tests as they start and end.
    public var testEvents: TestEvents { [.started, .completed] }

    /// Writes the line of an event.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Writes the line of an event, with the sizes of bodies before they were masked.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        write(event, sizes: sizes, time: nil)
        if case .runStarted = event { startFlushing() }
    }

    private func startFlushing() {
        let task = Task { [weak self] in
            // Cancelling ends the sleep with an error.
            while (try? await Task.sleep(for: .milliseconds(Self.longestHold))) != nil {
                guard let self else { return }
                self.state.withLock { $0.flush() }
            }
        }
        flushing.withLock { $0 = task }
    }

    /// Writes the line of an event of another record, at its time.
    func receive(_ recorded: RecordedEvent) {
        let keepsExchanges = needs.contains(.exchanges)
        if case .runStarted = recorded.event {
            state.withLock { $0.writer.marksExchanges = keepsExchanges && recorded.hasAllExchanges }
        }
        write(
            keepsExchanges || !recorded.hasAllExchanges
                ? recorded.event : recorded.event.withoutExchangesOfPassedSteps ?? recorded.event,
            sizes: recorded.sizes,
            time: recorded.time)
    }

    /// Writes the line of an event that happened some nanoseconds after the run's start; now, unless a time is given.
    private func write(_ event: RunEvent, sizes: BodySizes, time: Int64?) {
        state.withLock { state in
            var now: Int64 = 0
            switch event {
            case .runStarted: state.start = clock()
            case .testStarted, .notice, .interrupted: now = time ?? clock() - (state.start ?? 0)
            case .suiteStarted, .testCompleted, .testFinished, .secretLearned, .suiteFinished, .runFinished: break
            }
            guard state.failure == nil else { return }
            if case .testStarted = event { state.beginStart() }
            let held = state.writer.count
            state.writer.write(event, sizes: sizes, time: now)
            if state.writer.count == held { return }
            switch event {
            case .testStarted: state.endStart()
            case .testCompleted(let result): state.end(result)
            case .runStarted, .suiteStarted, .testFinished, .secretLearned, .notice, .suiteFinished, .interrupted,
                .runFinished:
                state.flush()
            }
        }
    }

    /// Writes the line of a test that begins.
    public func testStarted(_ test: TestReference) {
        state.withLock { state in
            let now = clock() - (state.start ?? 0)
            guard state.failure == nil else { return }
            state.beginStart()
            state.writer.write(started: test, time: now)
            state.endStart()
        }
    }

    /// Writes the line of a test that has ended.
    public func testCompleted(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        state.withLock { state in
            guard state.failure == nil else { return }
            state.writer.write(result, sizes: sizes, hidesExchanges: hidesExchanges)
            state.end(result)
        }
    }

    /// Holds the lines of tests that passed from now on.
    public func expectCommits() {
        state.withLock { $0.holdsPassed = true }
    }

    /// Writes the lines of tests that passed.
    public func commit() {
        state.withLock { state in
            if state.hasPassed { state.flush() }
        }
    }

    /// Says whether every line could be written.
    public func finish() throws(ReportError) {
        flushing.withLock { $0?.cancel() }
        let failure = state.withLock { state in
            state.flush()
            return state.failure
        }
        if let failure { throw failure }
    }
}
