import Output
import Reports
import RunModel

/// A record of a fuzz run in which each request is a test.
final class RequestRecord {
    let reports: ReportFanOut
    private var counts = OutcomeCounts()

    /// Creates the record.
    ///
    /// - Throws: ``ReportError`` if the file cannot be written.
    init(path: String) throws(ReportError) {
        let request = try ReportRequest("json:exchanges=\(path)")
        reports = ReportFanOut([try ReporterFactory.reporter(for: request)])
    }

    /// Starts the record of a run with one suite.
    func start(_ info: RunInfo) {
        reports.send(.runStarted(info))
        for suite in info.suites { reports.send(.suiteStarted(suite)) }
    }

    /// Adds a request.
    func add(_ request: TestResult) {
        counts.count(request)
        reports.send(.testStarted(request.test))
        reports.send(.testCompleted(request))
        reports.send(.testFinished(request))
    }

    /// Ends the record.
    func finish(_ summary: RunSummary) -> [ReportError] {
        var summary = summary
        summary.counts = counts
        reports.send(.suiteFinished(SuiteSummary(suite: 0, counts: counts, duration: summary.duration)))
        reports.send(.runFinished(summary))
        return reports.finish()
    }
}
