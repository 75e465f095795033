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

    /// The name of the machine; empty when it is not known.
    public var hostName: String
    /// The absolute path of the working folder, against which paths of suites resolve; empty when it is not known.
    public var workingFolder: String
    /// The part of the tests that the run takes, as in `2/5`; nil for all.
    public var shard: String?
    /// The revision and the CI job of the run.
    public var origin: RunOrigin
    /// The tests of all shards together, where the run is that of a shard.
    public var testCountOfShards: Int?

    /// Creates the information.
    public init(
        suites: [SuiteInfo], testCount: Int, seed: UInt64, jobs: Int, version: String, startTime: Double,
        hostName: String = "", workingFolder: String = "", shard: String? = nil, origin: RunOrigin = RunOrigin(),
        testCountOfShards: Int? = nil
    ) {
        self.hostName = hostName
        self.workingFolder = workingFolder
        self.shard = shard
        self.origin = origin
        self.testCountOfShards = testCountOfShards
        self.suites = suites
        self.testCount = testCount
        self.seed = seed
        self.jobs = jobs
        self.version = version
        self.startTime = startTime
    }
}
