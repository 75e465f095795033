/// How often a credential may be refreshed: a server that refuses every new one must not be asked for ever.
public struct RefreshWindow: Sendable, Hashable {
    /// The time that refreshes are counted in.
    public var interval: Duration
    /// The number of refreshes in that time; the next one is an error.
    public var maximumRefreshes: Int

    /// Creates a window; without arguments 5 refreshes in 30 seconds.
    public init(interval: Duration = .seconds(30), maximumRefreshes: Int = 5) {
        self.interval = interval
        self.maximumRefreshes = maximumRefreshes
    }
}
