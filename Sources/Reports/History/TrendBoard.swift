import Synchronization

/// Where the history leaves the trends of a run for the run's other reports.
public final class TrendBoard: Sendable {
    private let value = Mutex<Trends?>(nil)

    /// Creates a board without trends.
    public init() {}

    /// The trends: there once the run is over, when there are earlier runs.
    public var trends: Trends? { value.withLock { $0 } }

    func post(_ trends: Trends) { value.withLock { $0 = trends } }
}
