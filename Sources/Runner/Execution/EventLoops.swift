import NIOCore

/// How many event loops a run works on.
enum EventLoops {
    /// More share so much, the record and the dispatcher among it, that they gain little.
    private static let most = 4
    /// Fewer exchanges in flight do not keep a loop busy, and more loops wake more often for less.
    private static let jobsOfEach = 32
    /// For fewer tests it is not worth it to start another thread and connections of its own.
    private static let testsOfEach = 500

    /// The number of loops for so many tests, so many of them at a time.
    ///
    /// - Parameter processors: The number of processors that the process can run on.
    static func count(tests: Int, jobs: Int, processors: Int = System.coreCount) -> Int {
        max(1, min(most, processors, jobs / jobsOfEach, tests / testsOfEach))
    }
}
