import NIOPosix

/// Event loops for tests that need to know how many there are.
enum MultiThreadedLoops {
    /// One event loop for all tests.
    static let one = MultiThreadedEventLoopGroup(numberOfThreads: 1)
}
