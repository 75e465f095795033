import Basics
import Reports
import RunModel
import Runner
import Synchronization

/// The export of a load's metrics to an OpenTelemetry collector.
struct MetricsExport {
    /// The reporter that encodes the metrics.
    let reporter: OTLPReporter
    private let endpoint: MetricsEndpoint
    private let sender: MetricsSender
    /// Called with the description of a failure.
    private let warning: Warning

    /// The receiver of warnings, known only after the reporters are created.
    private final class Warning: Sendable {
        let sink = Mutex<(@Sendable (RunEvent) -> Void)?>(nil)

        func send(_ message: MessageText) {
            let sink = sink.withLock { $0 }
            sink?(.notice(RunNotice(.unsentMetrics, severity: .warning, message: message)))
        }
    }

    /// Creates the export that the option or the environment describes; nil if there is none.
    ///
    /// - Parameter option: The value of `--otlp`.
    /// - Throws: ``ExitStatus/invalid`` if a value is invalid. The error is printed.
    init?(option: String?, environment: [String: String]) throws {
        do throws(MetricsEndpoint.Failure) {
            guard let endpoint = try MetricsEndpoint(option: option, environment: environment) else { return nil }
            self.endpoint = endpoint
        } catch {
            throw ExitStatus.invalid(error.id, because: "\(error.source): \(error.message)")
        }
        let warning = Warning()
        self.warning = warning
        let sender = MetricsSender(endpoint, version: Apitest.version) { warning.send($0) }
        self.sender = sender
        reporter = OTLPReporter(
            version: Apitest.version, time: { Int64(WallClock.now() * 1e6) * 1_000 }, output: { sender.send($0) })
    }

    /// The time between two requests, in nanoseconds.
    var interval: Int64 { endpoint.interval }

    /// Runs a load whose metrics are exported.
    ///
    /// The last event is delivered after the last metrics were sent, so that a warning about them precedes it.
    ///
    /// - Parameters:
    ///   - export: The export; nil for none.
    ///   - load: Runs the load, with the receiver of its events.
    /// - Returns: The summary of the run.
    static func exporting(
        _ export: MetricsExport?, to reports: ReportFanOut, _ load: (@escaping RunEventSink) async -> RunSummary
    ) async -> RunSummary {
        guard let export else { return await load { reports.send($0) } }
        for secret in export.endpoint.secrets { reports.send(.secretRegistered(secret)) }
        export.warning.sink.withLock { $0 = { reports.send($0) } }
        async let sending: Void = export.sender.run()
        let summary = await load { event in
            if case .runFinished = event { return }
            reports.send(event)
        }
        export.sender.finish()
        await sending
        reports.send(.runFinished(summary))
        return summary
    }
}
