import Diagnostics
import Histogram
import Output
import RunModel

/// The progress indicator: a live line at the bottom of a terminal, or a plain line from time to time.
struct ProgressLine {
    /// The minimum time between two redraws, in nanoseconds.
    private static let interval: Int64 = 100_000_000

    private let style: ProgressStyle
    private let width: @Sendable () -> Int
    private let sink: @Sendable (String) -> Void
    private let clock: @Sendable () -> Int64
    private let start: Int64
    /// The time of the last redraw or, for plain lines, of the last output.
    private var last: Int64
    private var hasDrawn = false
    /// The text at the bottom of the terminal, or `nil` if there is none.
    private var shown: String?

    /// Creates a line that is not shown yet.
    ///
    /// - Parameters:
    ///   - width: Returns the width of the terminal in columns, which may change during the run.
    ///   - clock: Returns nanoseconds since an arbitrary origin.
    init(
        style: ProgressStyle, width: @escaping @Sendable () -> Int, sink: @escaping @Sendable (String) -> Void,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.style = style
        self.width = width
        self.sink = sink
        self.clock = clock
        start = clock()
        last = start
    }

    /// Shows the progress of the run, at most once per interval.
    mutating func update(_ progress: RunProgress) {
        switch style {
        case .none: break
        case .live:
            let now = clock()
            guard !hasDrawn || now - last >= Self.interval else { return }
            last = now
            hasDrawn = true
            let text = text(progress, now: now)
            guard text != shown else { return }
            shown = text
            sink(Self.drawing(text))
        case .lines(let interval):
            let now = clock()
            guard now - last >= interval else { return }
            last = now
            sink("… \(progress.text(elapsed: now - start))\n")
        }
    }

    /// Returns whole lines along with the sequences that keep the live line below them, for a single write.
    ///
    /// - Parameter progress: The progress of the run, or `nil` if the live line should not be redrawn.
    mutating func around(_ text: String, _ progress: RunProgress?) -> String {
        if case .lines = style { last = clock() }
        guard style == .live else { return text }
        var result = shown == nil ? "" : "\r\u{1B}[K"
        shown = nil
        result += text
        if let progress, hasDrawn {
            let now = clock()
            let line = self.text(progress, now: now)
            last = now
            shown = line
            result += Self.drawing(line)
        }
        return result
    }

    /// Removes the line permanently.
    mutating func clear() {
        guard shown != nil else { return }
        shown = nil
        sink("\r\u{1B}[K")
    }

    private func text(_ progress: RunProgress, now: Int64) -> String {
        // A terminal wraps the line after a character in its last column.
        TextFitting.cut(progress.text(elapsed: now - start), to: max(1, width() - 1))
    }

    /// Returns a sequence that overwrites the current line and then clears the rest of it, which avoids flickering.
    private static func drawing(_ text: String) -> String { "\r\(text)\u{1B}[K" }
}

/// The progress of a run.
struct RunProgress {
    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    private var total = 0
    private var done = 0
    private var failed = 0
    /// The names of the running tests.
    private var running: [TestKey: String] = [:]

    /// The last second of a load, if there is one, and the numbers of requests so far.
    private var load: (second: LoadSecond, requests: Int, failed: Int)?

    mutating func begin(total: Int) {
        self.total = total
    }

    /// Shows the figures of a second instead of tests.
    mutating func passed(_ second: LoadSecond) {
        let (requests, failed) = (load?.requests ?? 0, load?.failed ?? 0)
        load = (second, requests + second.statistics.requests, failed + second.statistics.failed)
    }

    /// Returns the progress of a load, such as `7 s, 200/s, 4 in flight, p50 1.2 ms, p95 3 ms, p99 8 ms, 1,400 requests`.
    private func text(_ load: (second: LoadSecond, requests: Int, failed: Int), elapsed: Int64) -> String {
        let second = load.second
        let rate = NumberText.rate(second.statistics.requests, nanoseconds: second.duration) ?? "0"
        var parts = [DurationText.wholeSeconds(elapsed), "\(rate)/s", "\(second.inFlight) in flight"]
        let values = second.statistics.response.values(atPercentiles: [50, 95, 99]) ?? []
        for (name, value) in zip(["p50", "p95", "p99"], values) { parts.append("\(name) \(LatencyText.text(value))") }
        parts.append("\(NumberText.count(load.requests, "request")), \(load.failed) failed")
        if second.isWarmup { parts.append("warm-up") }
        return parts.joined(separator: ", ")
    }

    mutating func started(_ test: TestReference) {
        running[TestKey(suite: test.suite, position: test.position)] = test.name
    }

    mutating func completed(_ result: TestResult) {
        running[TestKey(suite: result.test.suite, position: result.test.position)] = nil
        // Setup and teardown do not count as tests.
        if result.test.kind == .test { done += 1 }
        if result.outcome.isFailure { failed += 1 }
    }

    /// Returns the progress, such as `12 of 500 tests, 1 failed, 16 running, 7 s`.
    ///
    /// The last running test is named.
    ///
    /// - Parameter elapsed: Nanoseconds since the start of the run.
    func text(elapsed: Int64) -> String {
        if let load { return text(load, elapsed: elapsed) }
        var text = "\(done) of \(NumberText.count(max(total, done), "test"))"
        if failed > 0 { text += ", \(failed) failed" }
        if running.count > 1 { text += ", \(running.count) running" }
        text += ", " + DurationText.wholeSeconds(elapsed)
        if running.count == 1, let name = running.first?.value { text += ", running: " + DisplayWidth.printable(name) }
        return text
    }
}
