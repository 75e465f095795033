public import SuiteModel

/// A line below the console's summary that says what is new since earlier runs.
public final class TrendsLineReporter: Reporter {
    private let board: TrendBoard
    private let output: @Sendable (String) -> Void

    /// Creates a reporter, which gets events after the history and after the console.
    ///
    /// - Parameter output: Takes the line.
    public init(board: TrendBoard, output: @escaping @Sendable (String) -> Void) {
        self.board = board
        self.output = output
    }

    /// None.
    public var testEvents: TestEvents { [] }

    /// Writes the line when the run is over.
    public func receive(_ event: RunEvent) {
        guard case .runFinished = event, let trends = board.trends, let counts = TrendText.counts(of: trends) else {
            return
        }
        output("  since \(NumberText.count(trends.runs - 1, "earlier run")): \(counts)\n")
    }

    /// Nothing is left to be written.
    public func finish() throws(ReportError) {}
}
