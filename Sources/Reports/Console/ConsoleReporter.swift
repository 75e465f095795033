public import SuiteModel
import Synchronization

/// The report on the console: failures as they come, a line per suite, a summary, and a live line while the run lasts.
///
/// What it keeps grows with the number of suites and of different errors, not with the number of tests.
public final class ConsoleReporter: Reporter {
    private let page: Mutex<ConsolePage>

    /// Creates a reporter.
    ///
    /// - Parameters:
    ///   - options: How the report looks.
    ///   - output: Takes results, in whole lines.
    ///   - progress: Takes the live line, which ends in no line break, and notices, in whole lines.
    public convenience init(
        options: ConsoleOptions, output: @escaping @Sendable (String) -> Void,
        progress: @escaping @Sendable (String) -> Void
    ) {
        let origin = ContinuousClock.now
        self.init(options: options, output: output, progress: progress) {
            let elapsed = origin.duration(to: .now).components
            return elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000
        }
    }

    /// Creates a reporter with a clock.
    ///
    /// - Parameter clock: Gives nanoseconds since any moment; it decides when the live line is drawn anew.
    init(
        options: ConsoleOptions, output: @escaping @Sendable (String) -> Void,
        progress: @escaping @Sendable (String) -> Void, clock: @escaping @Sendable () -> Int64
    ) {
        page = Mutex(ConsolePage(options: options, output: output, progress: progress, clock: clock))
    }

    /// Shows what an event tells.
    public func receive(_ event: RunEvent) {
        page.withLock { $0.receive(event) }
    }

    /// Takes the live line away; everything else was shown when it happened.
    public func finish() throws(ReportError) {
        page.withLock { $0.finish() }
    }
}
