import Diagnostics
import Output
import RunModel

/// The line that shows how far a run is: drawn over and over at the bottom of a terminal, or written now and then.
struct ProgressLine {
    /// The shortest time between two drawings, in nanoseconds.
    private static let interval: Int64 = 100_000_000

    private let style: ProgressStyle
    private let width: @Sendable () -> Int
    private let sink: @Sendable (String) -> Void
    private let clock: @Sendable () -> Int64
    private let start: Int64
    /// When the line was drawn last; of plain lines, when anything was written last.
    private var last: Int64
    private var hasDrawn = false
    /// What stands at the bottom of the terminal; nil for nothing.
    private var shown: String?

    /// Creates a line that is not shown yet.
    ///
    /// - Parameters:
    ///   - width: Gives the terminal's columns, which may change while the run lasts.
    ///   - clock: Gives nanoseconds since any moment.
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

    /// Shows how far the run is, unless it was shown a moment ago.
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

    /// Text in whole lines together with what keeps the line below it, to be written at once.
    ///
    /// - Parameter progress: How far the run is; nil when the line is not to come back.
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

    /// Takes the line away for good.
    mutating func clear() {
        guard shown != nil else { return }
        shown = nil
        sink("\r\u{1B}[K")
    }

    private func text(_ progress: RunProgress, now: Int64) -> String {
        // A terminal wraps when its last column is written.
        TextFitting.cut(progress.text(elapsed: now - start), to: max(1, width() - 1))
    }

    /// What is written over the line that is there, and then what is left of it taken away, so that nothing flickers.
    private static func drawing(_ text: String) -> String { "\r\(text)\u{1B}[K" }
}

/// How far a run is.
struct RunProgress {
    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    private var total = 0
    private var done = 0
    private var failed = 0
    /// The tests that run, with their names.
    private var running: [TestKey: String] = [:]

    mutating func begin(total: Int) {
        self.total = total
    }

    mutating func started(_ test: TestReference) {
        running[TestKey(suite: test.suite, position: test.position)] = test.name
    }

    mutating func completed(_ result: TestResult) {
        running[TestKey(suite: result.test.suite, position: result.test.position)] = nil
        // Setup and teardown are not tests.
        if result.test.kind == .test { done += 1 }
        if result.outcome.isFailure { failed += 1 }
    }

    /// The text, such as `12 of 500 tests, 1 failed, 16 running, 7 s`; the last test that runs is named.
    ///
    /// - Parameter elapsed: Nanoseconds since the run's start.
    func text(elapsed: Int64) -> String {
        var text = "\(done) of \(NumberText.count(max(total, done), "test"))"
        if failed > 0 { text += ", \(failed) failed" }
        if running.count > 1 { text += ", \(running.count) running" }
        text += ", " + DurationText.wholeSeconds(elapsed)
        if running.count == 1, let name = running.first?.value { text += ", running: " + DisplayWidth.printable(name) }
        return text
    }
}
