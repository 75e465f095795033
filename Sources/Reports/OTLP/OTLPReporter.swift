import JSON
public import Output
public import RunModel
import Synchronization

/// A reporter of the metrics of a load for an OpenTelemetry collector.
///
/// It only encodes the metrics. The program sends them, so that no event waits for the network.
public final class OTLPReporter: Reporter {
    /// No test events.
    public let testEvents: TestEvents = []

    private let version: String
    private let time: @Sendable () -> Int64
    private let output: @Sendable ([UInt8]) -> Void
    /// The metrics; nil before the suite's server is ready.
    private let metrics = Mutex<OTLPMetrics?>(nil)
    /// The shard of the load, if it is one.
    private let shard = Mutex<String?>(nil)

    /// Creates a reporter.
    ///
    /// - Parameters:
    ///   - version: The version of the program.
    ///   - time: Returns the time, in nanoseconds since 1970-01-01T00:00:00Z.
    ///   - output: Receives the body of each OTLP request, as JSON.
    public init(
        version: String, time: @escaping @Sendable () -> Int64, output: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.version = version
        self.time = time
        self.output = output
    }

    /// Writes the figures of a load at each interval and at its end.
    public func receive(_ event: RunEvent) {
        switch event {
        case .runStarted(let info): shard.withLock { $0 = info.shard }
        case .suiteStarted:
            let shard = shard.withLock { $0 }
            metrics.withLock { $0 = OTLPMetrics(version: version, start: time(), shard: shard) }
        case .load(.progress(let progress)): write(progress)
        case .load(.finished(let summary)):
            write(LoadProgress(profile: summary.profile, inFlight: 0, steps: summary.steps))
        case .load(.second), .testStarted, .testCompleted, .testFinished, .secretRegistered, .notice,
            .suiteFinished, .interrupted, .runFinished:
            break
        }
    }

    /// Writes nothing, because the metrics are complete when the load ends.
    public func finish() throws(ReportError) {}

    private func write(_ progress: LoadProgress) {
        guard let metrics = metrics.withLock({ $0 }) else { return }
        output(metrics.body(progress, at: time()).serializedBytes())
    }
}
