/// The state of a run when a signal stops it.
public struct RunInterruption: Sendable, Hashable {
    /// Tests that run, without setups and teardowns.
    public var runningTests: Int
    /// Whether teardowns are still to run, or are running.
    public var hasTeardown: Bool

    /// Creates a state.
    public init(runningTests: Int, hasTeardown: Bool) {
        self.runningTests = runningTests
        self.hasTeardown = hasTeardown
    }
}
