import Basics
import Diagnostics
import JSON
import RunModel
import TestSupport

@testable import Reports

/// A run with every event that a report must represent, for the golden files of all reports.
///
/// Two suites of one directory run concurrently. They have passed, failed, errored, flaky, skipped and blocked tests,
/// steps with a fragment call, rows, a stream, a WebSocket, redirects, an image, a long body, a secret, hostile
/// strings, and notices. The events are in the order of a real run: tests start and complete over time, and finish in
/// file order, suite after suite.
enum RichRun {
    /// The secret in exchanges, findings and variables, which no report may show.
    static let secret = "tok-5d41402abc4b2a76"
    /// A string that ends or starts syntactic elements in most formats.
    static let hostile =
        "\u{1B}[31mred\u{1B}[0m ]]> </script><b>&amp;\" --> ::error::x %0A | `x` \u{0}\u{7}\u{202E}!\r\n# *_"

    /// The events before secrets are masked, to be sent through a ``ReportFanOut``.
    static let events = allEvents()

    /// The events of a run that is killed after 40 % of the time.
    static var killed: [RunEvent] { Array(events.prefix(events.count * 2 / 5)) }

    /// Returns the report that a reporter writes to a path.
    ///
    /// - Parameters:
    ///   - events: The events of the run.
    ///   - make: Creates the reporter for a path.
    static func report(
        _ events: [RunEvent] = Self.events, _ make: (_ path: String) throws -> any Reporter
    ) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report"
        let fanOut = ReportFanOut([try make(path)], showsExchanges: false)
        for event in events { fanOut.send(event) }
        for error in fanOut.finish() { throw error }
        return try TemporaryDirectory.read(path)
    }

    // MARK: Events

    private static func allEvents() -> [RunEvent] {
        let suites = [RichOrders.suite, RichLive.suite]
        let results = [RichOrders.results, RichLive.results]
        var events: [RunEvent] = [
            .runStarted(
                RunInfo(
                    suites: suites.map { suite in
                        var suite = suite
                        suite.start = 0
                        return suite
                    }, testCount: results.reduce(0) { $0 + $1.count }, seed: 18_446_744_073_709_551_557, jobs: 4,
                    version: "0.1.0", startTime: 1_700_000_000.25, hostName: "host.example",
                    workingDirectory: "/home/ada/shop-tests")),
            .secretRegistered(secret),
        ]
        var held: [RunEvent] = [.suiteStarted(suites[1])]
        events.append(.suiteStarted(suites[0]))

        // Ends precede starts at the same time, because a worker takes its next test after returning one.
        var moments: [(time: Int64, isStart: Bool, result: TestResult)] = []
        for result in results.joined() {
            switch result.outcome {
            case .passed, .flaky, .known, .failed, .errored: moments.append((result.start, true, result))
            case .skipped, .blocked: break
            }
            moments.append((result.start + result.duration, false, result))
        }
        moments.sort { ($0.time, $0.isStart ? 1 : 0) < ($1.time, $1.isStart ? 1 : 0) }
        var done: Set<[Int]> = []
        var next = [0, 0]
        var counts = [OutcomeCounts(), OutcomeCounts()]
        for (_, isStart, result) in moments {
            if isStart {
                events.append(.testStarted(result.test))
                continue
            }
            events.append(.testCompleted(result))
            done.insert([result.test.suite, result.test.position])
            let suite = result.test.suite
            while next[suite] < results[suite].count, done.contains([suite, next[suite]]) {
                let result = results[suite][next[suite]]
                next[suite] += 1
                counts[suite].count(result.outcome)
                let event = RunEvent.testFinished(result)
                if suite == 0 || held.isEmpty { events.append(event) } else { held.append(event) }
            }
            guard next[suite] == results[suite].count else { continue }
            let end = RunEvent.suiteFinished(
                SuiteSummary(
                    suite: suite, counts: counts[suite],
                    duration: result.start + result.duration - suites[suite].start))
            if suite == 0 || held.isEmpty { events.append(end) } else { held.append(end) }
            if suite == 0 {
                events += held
                held = []
            }
        }
        events.append(
            .notice(
                RunNotice(
                    id: "undocumented-content-type", severity: .warning, suite: 0,
                    message: "contract: GET /orders/{id}: text/html is not documented")))
        events.append(
            .notice(
                RunNotice(
                    .serveEnded, severity: .error, suite: 1, message: "the server ended by itself with status 3",
                    details: ["panic: \(hostile)", "the last line, with \(secret)"])))
        events.append(.notice(RunNotice(.changedSnapshots, severity: .note, message: "2 snapshots written")))
        var total = OutcomeCounts()
        for result in results.joined() { total.count(result.outcome) }
        events.append(
            .runFinished(RunSummary(counts: total, exchanges: 23, duration: 1_812_345_678, hasServerError: true)))
        return events
    }
}
