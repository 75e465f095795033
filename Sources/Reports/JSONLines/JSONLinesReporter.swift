import Output
import RunModel
import RunRecord
import Synchronization

/// The events of a run as lines of JSON, each written as it happens: a record of which other reports can be made.
///
/// A run that is killed leaves every test that was done; at most its last line is cut. Where ``commit()`` is called, the
/// lines of tests that passed are written together then: before anything is sent that could tell that they were done. That of
/// a test that starts waits for the next line, or for a moment.
final class JSONLinesReporter: Reporter {
    /// How long the line of a test that has started is held at most, in milliseconds: it spares half of the calls to the
    /// system, and a test that has started but not ended matters only where it takes long.
    private static let longestHold = 50

    /// The digests of suites, and when it is asked for the exchanges of steps that passed.
    let needs: ReporterNeeds
    private let lines: RecordLines
    private let clock: @Sendable () -> Int64
    /// What writes held lines while nothing else happens.
    private let flushing = Mutex<Task<Void, Never>?>(nil)

    /// Creates a reporter, and makes sure that its record can be written.
    ///
    /// - Parameters:
    ///   - path: Where the record goes; folders that do not exist are created.
    ///   - keepsExchanges: Whether the exchanges of steps that passed are recorded too.
    /// - Throws: ``ReportError`` when the path cannot be written.
    convenience init(path: String, keepsExchanges: Bool = false) throws(ReportError) {
        try self.init(path: path, keepsExchanges: keepsExchanges, clock: SystemFacts.uptime)
    }

    /// Creates a reporter with a clock.
    ///
    /// - Parameter clock: Gives nanoseconds since any moment.
    init(path: String, keepsExchanges: Bool = false, clock: @escaping @Sendable () -> Int64) throws(ReportError) {
        needs = keepsExchanges ? [.digests, .commits, .exchanges, .exchangesAtOnce] : [.digests, .commits, .outlines]
        self.clock = clock
        var writer = RecordWriter()
        writer.marksExchanges = keepsExchanges
        lines = RecordLines(file: try RecordFile(path: path), writer: writer)
    }

    deinit { flushing.withLock { $0?.cancel() } }

    /// Tests as they start and end.
    var testEvents: TestEvents { [.started, .completed] }

    /// Writes the line of an event.
    func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Writes the line of an event, with the sizes of bodies before they were masked.
    func receive(_ event: RunEvent, sizes: BodySizes) {
        write(event, sizes: sizes, time: nil)
        if case .runStarted = event { startFlushing() }
    }

    private func startFlushing() {
        let task = Task { [lines] in
            // Cancelling ends the sleep with an error.
            while (try? await Task.sleep(for: .milliseconds(Self.longestHold))) != nil { lines.flush() }
        }
        flushing.withLock { $0 = task }
    }

    /// Writes the line of an event of another record, at its time.
    func receive(_ recorded: RecordedEvent) {
        let keepsExchanges = needs.contains(.exchanges)
        if case .runStarted = recorded.event {
            lines.add { state in
                state.writer.marksExchanges = keepsExchanges && recorded.hasAllExchanges
                return false
            }
        }
        write(
            keepsExchanges || !recorded.hasAllExchanges
                ? recorded.event : recorded.event.withoutExchangesOfPassedSteps ?? recorded.event,
            sizes: recorded.sizes,
            time: recorded.time)
    }

    /// Writes the line of an event that happened some nanoseconds after the run's start; now, unless a time is given.
    private func write(_ event: RunEvent, sizes: BodySizes, time: Int64?) {
        lines.add { state in
            var now: Int64 = 0
            switch event {
            case .runStarted: state.start = clock()
            case .testStarted, .notice, .interrupted: now = time ?? clock() - (state.start ?? 0)
            case .suiteStarted, .testCompleted, .testFinished, .secretLearned, .suiteFinished, .runFinished: break
            }
            if state.hasFailed { return false }
            let held = state.writer.count
            state.writer.write(event, sizes: sizes, time: now)
            if state.writer.count == held { return false }
            return switch event {
            case .testStarted: state.isLong
            case .testCompleted(let result): state.end(result)
            case .runStarted, .suiteStarted, .testFinished, .secretLearned, .notice, .suiteFinished, .interrupted,
                .runFinished:
                true
            }
        }
    }

    /// Writes the line of a test that begins, which is held.
    func testStarted(_ test: TestReference) {
        lines.add { state in
            let now = clock() - (state.start ?? 0)
            if state.hasFailed { return false }
            state.writer.write(started: test, time: now)
            return state.isLong
        }
    }

    /// Writes the line of a test that has ended.
    func testCompleted(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        lines.add { state in
            if state.hasFailed { return false }
            state.writer.write(result, sizes: sizes, hidesExchanges: hidesExchanges)
            return state.end(result)
        }
    }

    /// Holds the lines of tests that passed from now on.
    func expectCommits() {
        lines.holdPassed()
    }

    /// Writes the lines of tests that passed.
    func commit() {
        lines.commit()
    }

    /// Says whether every line could be written.
    func finish() throws(ReportError) {
        flushing.withLock { $0?.cancel() }
        lines.flush()
        if let failure = lines.failure { throw failure }
    }
}
