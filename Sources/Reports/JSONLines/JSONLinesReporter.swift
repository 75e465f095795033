public import SuiteModel
import Synchronization

/// The events of a run as lines of JSON, each written as it happens: a record of which other reports can be made.
///
/// A run that is killed leaves every test that was done; at most its last line is cut.
public final class JSONLinesReporter: Reporter {
    private struct State: ~Copyable {
        var file: RecordFile
        var writer: RecordWriter
        /// When the run began, by the clock.
        var start: Int64?
        var failure: ReportError?
    }

    /// The digests of suites, and when it is asked for the exchanges of steps that passed.
    public let needs: ReporterNeeds
    private let state: Mutex<State>
    private let clock: @Sendable () -> Int64

    /// Creates a reporter, and makes sure that its record can be written.
    ///
    /// - Parameters:
    ///   - path: Where the record goes; folders that do not exist are created.
    ///   - keepsExchanges: Whether the exchanges of steps that passed are recorded too.
    /// - Throws: ``ReportError`` when the path cannot be written.
    public convenience init(path: String, keepsExchanges: Bool = false) throws(ReportError) {
        let origin = ContinuousClock.now
        try self.init(path: path, keepsExchanges: keepsExchanges) {
            let elapsed = origin.duration(to: .now).components
            return elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000
        }
    }

    /// Creates a reporter with a clock.
    ///
    /// - Parameter clock: Gives nanoseconds since any moment.
    init(path: String, keepsExchanges: Bool = false, clock: @escaping @Sendable () -> Int64) throws(ReportError) {
        needs = keepsExchanges ? [.digests, .exchanges] : .digests
        self.clock = clock
        var writer = RecordWriter()
        writer.marksExchanges = keepsExchanges
        state = Mutex(State(file: try RecordFile(path: path), writer: writer))
    }

    /// Writes the line of an event.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Writes the line of an event, with the sizes of bodies before they were masked.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        write(event, sizes: sizes, time: nil)
    }

    /// Writes the line of an event of another record, at its time.
    func receive(_ recorded: RecordedEvent) {
        let keepsExchanges = needs.contains(.exchanges)
        if case .runStarted = recorded.event {
            state.withLock { $0.writer.marksExchanges = keepsExchanges && recorded.hasAllExchanges }
        }
        write(
            keepsExchanges || !recorded.hasAllExchanges
                ? recorded.event : recorded.event.withoutExchangesOfPassedSteps, sizes: recorded.sizes,
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
            guard state.failure == nil, state.writer.write(event, sizes: sizes, time: now) else { return }
            do throws(ReportError) { try state.file.write(state.writer.line.bytes) } catch { state.failure = error }
        }
    }

    /// Says whether every line could be written.
    public func finish() throws(ReportError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
