import Synchronization

/// Where the history leaves the trends of a run for the run's other reports.
public final class TrendBoard: Sendable {
    private let value = Mutex<Trends?>(nil)
    private let length = Mutex(0)

    /// Creates a board without trends.
    public init() {}

    /// The trends: there once the run is over, when there are earlier runs.
    public var trends: Trends? { value.withLock { $0 } }

    /// The last verdicts of each test that a report shows; 0 when none does.
    var stripLength: Int { length.withLock { $0 } }

    /// Asks for the last verdicts of each test.
    func requestStrips(length: Int) { self.length.withLock { $0 = max($0, length) } }

    func post(_ trends: Trends) { value.withLock { $0 = trends } }
}
