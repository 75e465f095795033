import SuiteModel

/// The live line: one line of a terminal that is drawn over and over.
struct ProgressLine {
    /// The shortest time between two drawings, in nanoseconds.
    private static let interval: Int64 = 100_000_000

    private let width: Int
    private let sink: @Sendable (String) -> Void
    private let clock: @Sendable () -> Int64
    private let start: Int64
    private var lastDrawing: Int64?
    private var isShown = false

    init(width: Int, sink: @escaping @Sendable (String) -> Void, clock: @escaping @Sendable () -> Int64) {
        self.width = width
        self.sink = sink
        self.clock = clock
        start = clock()
    }

    /// Draws the line, unless it was drawn a moment ago.
    mutating func update(counts: OutcomeCounts, total: Int, started: Int) {
        let now = clock()
        if let lastDrawing, now - lastDrawing < Self.interval { return }
        lastDrawing = now
        isShown = true
        var parts = ["\(counts.total) of \(NumberText.count(total, "test"))"]
        let failures = counts.failed + counts.errored
        if failures > 0 { parts.append("\(failures) failed") }
        // Results come in file order, so one slow test holds back those of many that are done.
        if started > counts.total { parts.append("\(started) started") }
        parts.append(DurationText.wholeSeconds(now - start))
        // A terminal wraps when its last column is written.
        sink("\r" + TextFitting.cut(parts.joined(separator: ", "), to: width - 1) + "\u{1B}[K")
    }

    /// Takes the line away, so that something else can be written.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        sink("\r\u{1B}[K")
    }
}
