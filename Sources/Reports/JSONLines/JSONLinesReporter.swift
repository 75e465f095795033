import FileSystem
import Output
import RunModel
import RunRecord
import Synchronization

/// A reporter that writes the events of a run as JSON Lines, a record from which other reports can be created.
///
/// Events are written as they happen. If the run is killed, the record contains every finished test, and at most its
/// last line is truncated. If ``commit()`` is used, the lines of passed tests are written together at each commit,
/// before any action that could reveal that the tests were finished. The line of a test that starts is held until the
/// next line, or for a moment.
final class JSONLinesReporter: Reporter {
    /// The maximum time in milliseconds to hold the line of a test that has started.
    ///
    /// This halves the number of system calls. A test that started but did not end matters only if it takes long.
    private static let maximumDelay = 50

    /// The digests of suites and, if requested, the exchanges of passed steps.
    let needs: ReporterNeeds
    private let lines: RecordLines
    private let clock: @Sendable () -> Int64
    /// The task that writes held lines while no event arrives.
    private let flushing = Mutex<Task<Void, Never>?>(nil)

    /// Creates a reporter and checks that its record can be written.
    ///
    /// - Parameters:
    ///   - path: The path of the record. Missing directories are created.
    ///   - keepsExchanges: Whether to record the exchanges of passed steps as well.
    /// - Throws: ``ReportError`` if the path is not writable.
    convenience init(path: String, keepsExchanges: Bool = false) throws(ReportError) {
        try self.init(path: path, keepsExchanges: keepsExchanges, clock: SystemInfo.uptime)
    }

    /// Creates a reporter that writes to an open file.
    ///
    /// - Parameters:
    ///   - file: The open file, which is empty.
    ///   - name: The name of the record in messages.
    ///   - keepsExchanges: Whether to record the exchanges of passed steps as well.
    convenience init(file: SharedFile, name: String, keepsExchanges: Bool) {
        self.init(
            file: RecordFile(file, path: name), keepsExchanges: keepsExchanges, clock: SystemInfo.uptime)
    }

    /// Creates a reporter with a custom clock.
    ///
    /// - Parameter clock: Returns nanoseconds since an arbitrary origin.
    convenience init(
        path: String, keepsExchanges: Bool = false, clock: @escaping @Sendable () -> Int64
    ) throws(ReportError) {
        self.init(file: try RecordFile(path: path), keepsExchanges: keepsExchanges, clock: clock)
    }

    private init(file: consuming RecordFile, keepsExchanges: Bool, clock: @escaping @Sendable () -> Int64) {
        needs = keepsExchanges ? [.digests, .commits, .exchanges, .exchangesAtOnce] : [.digests, .commits, .outlines]
        self.clock = clock
        var writer = RecordWriter()
        writer.marksExchanges = keepsExchanges
        lines = RecordLines(file: file, writer: writer)
    }

    deinit { flushing.withLock { $0?.cancel() } }

    /// The starts and ends of tests as they happen.
    var testEvents: TestEvents { [.started, .completed] }

    /// Writes the line of an event.
    func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Writes the line of an event, with the original sizes of bodies that masking changed.
    func receive(_ event: RunEvent, sizes: BodySizes) {
        write(event, sizes: sizes, time: nil)
        if case .runStarted = event { startFlushing() }
    }

    private func startFlushing() {
        let task = Task { [lines] in
            // Canceling the task ends the sleep with an error.
            while (try? await Task.sleep(for: .milliseconds(Self.maximumDelay))) != nil { lines.flush() }
        }
        flushing.withLock { $0 = task }
    }

    /// Writes the line of an event from another record, with its original time.
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

    /// Writes the line of an event.
    ///
    /// - Parameter time: Nanoseconds since the start of the run, or `nil` for the current time.
    private func write(_ event: RunEvent, sizes: BodySizes, time: Int64?) {
        lines.add { state in
            var now: Int64 = 0
            switch event {
            case .runStarted: state.start = clock()
            case .testStarted, .notice, .interrupted: now = time ?? clock() - (state.start ?? 0)
            case .suiteStarted, .testCompleted, .testFinished, .secretRegistered, .load, .suiteFinished, .runFinished:
                break
            }
            if state.hasFailed { return false }
            let held = state.writer.count
            state.writer.write(event, sizes: sizes, time: now)
            if state.writer.count == held { return false }
            return switch event {
            case .testStarted: state.isLong
            case .testCompleted(let result): state.end(result)
            case .runStarted, .suiteStarted, .testFinished, .secretRegistered, .load, .notice, .suiteFinished,
                .interrupted, .runFinished:
                true
            }
        }
    }

    /// Writes the line of a test that starts.
    ///
    /// The line is held.
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

    /// Starts to hold the lines of passed tests.
    func expectCommits() {
        lines.holdPassed()
    }

    /// Writes the held lines of passed tests.
    func commit() {
        lines.commit()
    }

    /// Writes the remaining lines, and throws an error if any line could not be written.
    func finish() throws(ReportError) {
        flushing.withLock { $0?.cancel() }
        lines.flush()
        if let failure = lines.failure { throw failure }
    }
}
