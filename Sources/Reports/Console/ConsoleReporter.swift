public import Output
public import RunModel
public import RunRecord
import Synchronization

/// The console reporter: failures as they happen, a line per suite, a summary, and a live line during the run.
///
/// Its memory use grows with the number of suites and causes of failures, not with the number of tests.
public final class ConsoleReporter: Reporter {
    /// The test events that the reporter reads: results in file order, failures as they happen, and all for the live
    /// line.
    public let testEvents: TestEvents
    /// The requirements of the reporter.
    ///
    /// With `-v`, the reporter shows passed tests to people, and these must already be in the record.
    public let needs: ReporterNeeds
    private let page: Mutex<ConsolePage>
    /// The interval at which the live line is redrawn while no event arrives, or `nil` for never.
    private let interval: Duration?
    private let ticker = Mutex<Task<Void, Never>?>(nil)

    /// Creates a reporter.
    ///
    /// - Parameters:
    ///   - options: The appearance of the report.
    ///   - output: Writes results, which consist of whole lines.
    ///   - progress: Writes the live line, which has no line break at its end, and notices, which consist of whole
    ///     lines. Each string must be written without delay.
    ///   - terminalWidth: Returns the width in columns of the terminal with the live line, which may change.
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

    /// Creates a reporter with a custom clock.
    ///
    /// - Parameters:
    ///   - interval: The interval at which the live line is redrawn while no event arrives, or `nil` for never.
    ///   - clock: Returns nanoseconds since an arbitrary origin. It determines when the live line is redrawn.
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

    /// Shows an event.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Shows an event, with the original sizes of bodies that masking changed.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        page.withLock { $0.receive(event, sizes: sizes) }
        if case .runStarted = event, let interval { startTicking(every: interval) }
    }

    /// Shows a result.
    public func testFinished(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        // A test that passed is shown only with `-v`.
        let isShown = result.outcome != .passed || needs.contains(.recordAtOnce)
        let result = hidesExchanges && isShown ? result.brief : result
        page.withLock { $0.finished(result, sizes: sizes) }
    }

    private func startTicking(every interval: Duration) {
        let task = Task { [weak self] in
            // Canceling the task ends the sleep with an error.
            while (try? await Task.sleep(for: interval)) != nil {
                guard let self else { return }
                self.page.withLock { $0.tick() }
            }
        }
        ticker.withLock { $0 = task }
    }

    /// Removes the live line.
    ///
    /// Everything else has already been shown.
    public func finish() throws(ReportError) {
        ticker.withLock { $0?.cancel() }
        page.withLock { $0.finish() }
    }
}

/// The appearance of the console report.
public struct ConsoleOptions: Sendable {
    /// Whether to color results with terminal control sequences.
    public var color: Bool
    /// The width of the terminal in columns, or `nil` if results do not go to a terminal.
    public var width: Int?
    /// The level of detail of the report.
    ///
    /// At -1, the report has only failures and the summary. At 0, it adds a line per suite. At 1, it adds each test
    /// with its exchanges. At 2, it adds header fields, events, and timings.
    public var verbosity: Int
    /// The style of the progress indicator.
    public var progress: ProgressStyle
    /// Whether results go to the terminal with the live line, which they must not overwrite.
    public var sharesTerminal: Bool
    /// Whether to show an equivalent curl command with each exchange, even if the test did not fail.
    public var showsCurl: Bool
    /// The path of a report from which tests that did not pass can be rerun, or `nil` if there is none.
    public var recordPath: String?

    /// The time at which failures are shown.
    public var failureOutput = FailureOutput.immediate
    /// The folding of log sections, or `nil` if the output is not the log of a CI service that supports it.
    public var folding: LogFolding?
    /// Whether to list the complete coverage of the contracts of the suites.
    public var showsCoverage = false

    /// Creates console options.
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

    /// The columns for the layout of text: 100 without a terminal, and at least 20.
    var columns: Int { max(20, width ?? 100) }
    /// The column at which names and messages are truncated.
    ///
    /// Without a terminal, they are not truncated.
    var maximumLineLength: Int { width == nil ? TextFitting.unlimited : columns }
    /// The column at which lines of a body are truncated.
    var maximumBodyLineLength: Int { width == nil ? 4_096 : columns }
}

/// The time at which the console shows failures.
public enum FailureOutput: String, Sendable, Hashable, CaseIterable {
    /// Shows failures as they happen.
    case immediate
    /// Shows failures before the summary, in file order.
    case final
    /// Shows failures both as they happen and before the summary.
    case both

    /// Whether failures are shown as they happen.
    var isImmediate: Bool { self != .final }
    /// Whether failures are shown before the summary.
    var isFinal: Bool { self != .immediate }
}

/// The style of the console's progress indicator.
public enum ProgressStyle: Sendable, Hashable {
    /// No progress indicator.
    case none
    /// A line at the bottom of a terminal that is redrawn continuously.
    case live
    /// A plain line after each given number of nanoseconds without output, for logs and terminals that cannot redraw.
    case lines(every: Int64)
}
