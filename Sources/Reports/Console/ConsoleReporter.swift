public import Output
public import RunModel
public import RunRecord
import Synchronization

/// The report on the console: failures as they happen, a line per suite, a summary, and a live line while the run lasts.
///
/// Its memory grows with the number of suites and of causes of failures, not with the number of tests.
public final class ConsoleReporter: Reporter {
    /// Those in file order, failures as they happen, and for the live line all.
    public let testEvents: TestEvents
    /// Tests that passed are shown to people with `-v`.
    public let needs: ReporterNeeds
    private let page: Mutex<ConsolePage>
    /// How often the live line is brought up to date while nothing happens; nil for never.
    private let interval: Duration?
    private let ticker = Mutex<Task<Void, Never>?>(nil)

    /// Creates a reporter.
    ///
    /// - Parameters:
    ///   - options: How the report looks.
    ///   - output: Takes results, in whole lines.
    ///   - progress: Takes the live line, which ends in no line break, and notices, in whole lines. Each is to be
    ///     written at once.
    ///   - terminalWidth: Gives the columns of the terminal with the live line, which may change.
    public convenience init(
        options: ConsoleOptions, output: @escaping @Sendable (String) -> Void,
        progress: @escaping @Sendable (String) -> Void, terminalWidth: @escaping @Sendable () -> Int? = { nil }
    ) {
        let origin = ContinuousClock.now
        self.init(
            options: options, output: output, progress: progress, terminalWidth: terminalWidth,
            interval: options.progress == .none ? nil : .milliseconds(250)
        ) {
            let elapsed = origin.duration(to: .now).components
            return elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000
        }
    }

    /// Creates a reporter with a clock.
    ///
    /// - Parameters:
    ///   - interval: How often the live line is brought up to date while nothing happens; nil for never.
    ///   - clock: Gives nanoseconds since any moment; it decides when the live line is drawn anew.
    init(
        options: ConsoleOptions, output: @escaping @Sendable (String) -> Void,
        progress: @escaping @Sendable (String) -> Void, terminalWidth: @escaping @Sendable () -> Int? = { nil },
        interval: Duration? = nil,
        clock: @escaping @Sendable () -> Int64
    ) {
        testEvents = options.progress == .none ? [.failed, .finished] : [.started, .completed, .finished]
        needs = options.verbosity > 0 ? .recordAtOnce : []
        self.interval = interval
        page = Mutex(
            ConsolePage(
                options: options, output: output, progress: progress, terminalWidth: terminalWidth, clock: clock))
    }

    /// Shows what an event tells.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Shows what an event tells, with the sizes of bodies before they were masked.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        page.withLock { $0.receive(event, sizes: sizes) }
        if case .runStarted = event, let interval { startTicking(every: interval) }
    }

    /// Shows a result.
    public func testFinished(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        // A test that passed is shown with `-v` alone.
        let isShown = result.outcome != .passed || needs.contains(.recordAtOnce)
        let result = hidesExchanges && isShown ? result.brief : result
        page.withLock { $0.finished(result, sizes: sizes) }
    }

    private func startTicking(every interval: Duration) {
        let task = Task { [weak self] in
            // Cancelling ends the sleep with an error.
            while (try? await Task.sleep(for: interval)) != nil {
                guard let self else { return }
                self.page.withLock { $0.tick() }
            }
        }
        ticker.withLock { $0 = task }
    }

    /// Takes the live line away; everything else was shown when it happened.
    public func finish() throws(ReportError) {
        ticker.withLock { $0?.cancel() }
        page.withLock { $0.finish() }
    }
}

/// How the console report looks.
public struct ConsoleOptions: Sendable {
    /// Whether results are colored with terminal control sequences.
    public var color: Bool
    /// The terminal's columns; nil when results do not go to a terminal.
    public var width: Int?
    /// -1 for failures and the summary alone, 0 for a line per suite too, 1 for each test with its exchanges, 2 for
    /// header fields, events and timings too.
    public var verbosity: Int
    /// How it is shown how far the run is.
    public var progress: ProgressStyle
    /// Whether results appear on the terminal that has the live line, so that they must not run into it.
    public var sharesTerminal: Bool
    /// Whether each exchange that is shown has the curl command that repeats it, also where nothing failed.
    public var showsCurl: Bool
    /// The path of a report of this run from which the tests that did not pass can be run again; nil when there is none.
    public var recordPath: String?

    /// When failures are shown.
    public var failureOutput = FailureOutput.immediate
    /// How the log folds parts away; nil for output that is no log of a CI service that can.
    public var folding: LogFolding?
    /// Whether the coverage of the suites' contracts is listed in full.
    public var showsCoverage = false

    /// Creates options.
    public init(
        color: Bool = false, width: Int? = nil, verbosity: Int = 0, progress: ProgressStyle = .none,
        sharesTerminal: Bool = false, showsCurl: Bool = false, recordPath: String? = nil
    ) {
        self.color = color
        self.width = width
        self.verbosity = verbosity
        self.progress = progress
        self.sharesTerminal = sharesTerminal
        self.showsCurl = showsCurl
        self.recordPath = recordPath
    }

    /// The columns in which text is laid out: 100 without a terminal, and never so few that nothing could be read.
    var columns: Int { max(20, width ?? 100) }
    /// The columns at which names and messages are cut: nowhere without a terminal.
    var longestLine: Int { width == nil ? TextFitting.unlimited : columns }
    /// The columns at which lines of a body are cut.
    var longestBodyLine: Int { width == nil ? 4_096 : columns }
}

/// When the console shows failures.
public enum FailureOutput: String, Sendable, Hashable, CaseIterable {
    /// As they happen.
    case immediate
    /// Before the summary, in the order of the files.
    case final
    /// Both as they happen and before the summary.
    case both

    /// Whether a failure is shown as it happens.
    var isImmediate: Bool { self != .final }
    /// Whether failures are shown before the summary.
    var isFinal: Bool { self != .immediate }
}

/// How the console shows how far a run is.
public enum ProgressStyle: Sendable, Hashable {
    /// Not at all.
    case none
    /// A line at the bottom of a terminal that is drawn over and over.
    case live
    /// A plain line whenever nothing was written for so many nanoseconds: for logs, and terminals that cannot draw.
    case lines(every: Int64)
}
