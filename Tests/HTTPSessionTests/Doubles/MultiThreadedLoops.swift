import NIOPosix

/// Event loops for tests that depend on their number.
enum MultiThreadedLoops {
    /// A single event loop shared by all tests.
    static let one = MultiThreadedEventLoopGroup(numberOfThreads: 1)
}
