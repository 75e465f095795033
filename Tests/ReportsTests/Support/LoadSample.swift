import Histogram
import RunModel

@testable import Reports

/// The events of a load with every figure, cause and exchange that a report must represent, and with hostile strings.
enum LoadSample {
    private static let fixture = Fixture()
    private static let second: Int64 = 1_000_000_000

    /// The events of a run with the load.
    static let events: [RunEvent] = {
        var events = fixture.events([
            fixture.result("no failed requests", .failed, findings: [fixture.statusFinding], milliseconds: 0)
        ])
        let loads = seconds.map { RunEvent.load(.second($0)) } + [.load(.finished(summary))]
        events.insert(contentsOf: [.secretRegistered(RichRun.secret)] + loads, at: 2)
        return events
    }()

    /// Five seconds: a warm-up, one without requests, and a short one at the end.
    static let seconds: [LoadSecond] = (1...5).map { index in
        var last = LoadSecond(time: Int64(index) * second, duration: second)
        last.isWarmup = index == 1
        if index == 5 { (last.time, last.duration) = (4_010_000_000, 10_000_000) }
        guard index != 3 else { return last }
        (last.started, last.inFlight) = (index == 5 ? 0 : 100, index)
        for request in 0..<(index == 5 ? 1 : 100) {
            let response = Int64(index) * 1_000_000 + Int64(request) * 50_000
            last.statistics.record(response: response, service: response, isFailed: request < index)
        }
        return last
    }

    /// The result, with a secret in an exchange.
    static let summary: LoadSummary = {
        var summary = LoadSummary(profile: "checkout", load: "100/s for 4s", range: fixture.range("Bookshop"))
        summary.startTime = 1_700_000_000.25
        summary.thresholds = [LoadSummary.Condition(source: "p99 < duration('300ms')", range: fixture.range("Dune"))]
        summary.abort = LoadSummary.Condition(source: "failed > 99.0", range: fixture.range("title"))
        summary.isAborted = true
        summary.duration = 3 * second
        (summary.iterations, summary.failedIterations) = (201, 7)
        var flow = LoadSummary.Step(test: "flow", step: RichRun.hostile)
        for request in 0..<201 {
            let response = 2_000_000 + Int64(request) * 30_000
            flow.statistics.record(response: response, service: response - 500_000, isFailed: request < 7)
        }
        var single = LoadSummary.Step(test: "add a book")
        single.statistics.record(response: 1_234_567, service: 1_000_000, isFailed: false)
        summary.steps = [flow, single]
        for step in summary.steps { try? summary.total.merge(step.statistics) }
        var exchange = Fixture.created
        exchange.request.headers.append(HeaderField(name: "X-Key", value: RichRun.secret))
        summary.causes = [
            LoadSummary.Cause(finding: fixture.statusFinding, step: flow.name, count: 5, exchange: exchange),
            LoadSummary.Cause(finding: fixture.refusedFinding, step: "add a book", count: 2, exchange: Fixture.refused),
        ]
        summary.otherFailures = 3
        summary.slowest = [
            LoadSummary.SlowRequest(step: flow.name, response: 8_000_000, time: 3_200_000_000, exchange: exchange)
        ]
        summary.invalidities = [.busy(share: 0.97)]
        return summary
    }()
}
