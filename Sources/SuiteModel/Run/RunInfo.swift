/// What is known when a run begins.
public struct RunInfo: Sendable {
    /// The suites, in the order of the run.
    public var suites: [SuiteInfo]
    /// Tests in all.
    public var testCount: Int
    /// The seed of random values.
    public var seed: UInt64
    /// Exchanges in flight at most.
    public var jobs: Int
    /// The program's version.
    public var version: String
    /// Seconds since 1970-01-01T00:00:00Z when the run began.
    public var startTime: Double

    /// Creates the information.
    public init(suites: [SuiteInfo], testCount: Int, seed: UInt64, jobs: Int, version: String, startTime: Double) {
        self.suites = suites
        self.testCount = testCount
        self.seed = seed
        self.jobs = jobs
        self.version = version
        self.startTime = startTime
    }
}
