/// Information that is available at the start of a run.
public struct RunInfo: Sendable {
    /// The suites, in run order.
    public var suites: [SuiteInfo]
    /// The total number of tests.
    public var testCount: Int
    /// The seed of random values.
    public var seed: UInt64
    /// The maximum number of exchanges in flight.
    public var jobs: Int
    /// The version of the program.
    public var version: String
    /// The start time of the run, in seconds since 1970-01-01T00:00:00Z.
    public var startTime: Double

    /// The host name of the machine; empty if unknown.
    public var hostName: String
    /// The absolute path of the working directory, which relative suite paths resolve against; empty if unknown.
    public var workingDirectory: String
    /// The shard of the tests that the run executes, such as `2/5` or `hash:2/5`; nil for all tests.
    public var shard: String?
    /// The revision and the CI job of the run.
    public var origin: RunOrigin
    /// The number of tests of all shards together, if the run executes a shard.
    public var testCountOfShards: Int?

    /// Creates the information about a run.
    public init(
        suites: [SuiteInfo], testCount: Int, seed: UInt64, jobs: Int, version: String, startTime: Double,
        hostName: String = "", workingDirectory: String = "", shard: String? = nil, origin: RunOrigin = RunOrigin(),
        testCountOfShards: Int? = nil
    ) {
        self.hostName = hostName
        self.workingDirectory = workingDirectory
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

/// The revision that a run tests, and the CI job that the run belongs to.
public struct RunOrigin: Sendable, Hashable {
    /// A name with an optional URL of a page about it.
    public struct Link: Sendable, Hashable {
        /// The name, such as a commit hash, a branch, or a job.
        public var name: String
        /// The URL of the page: `http` or `https`, without credentials; nil if unknown.
        public var url: String?

        /// Creates a link.
        public init(name: String, url: String? = nil) {
            self.name = name
            self.url = url
        }

        /// The name for display: the first 12 digits of a commit hash, otherwise the whole name.
        public var shortName: String {
            let isHash = name.utf8.count >= 40 && name.allSatisfy(\.isHexDigit)
            return isHash ? String(name.prefix(12)) : name
        }
    }

    /// The revision of the system under test.
    public var revision: Link?
    /// The branch or tag.
    public var branch: Link?
    /// The CI job or build.
    public var job: Link?
    /// The name of the CI system.
    public var system: String?
    /// The build number of the CI system.
    public var build: Int64?

    /// Whether nothing is known about the origin.
    public var isEmpty: Bool { self == RunOrigin() }

    /// Creates an origin.
    public init(
        revision: Link? = nil, branch: Link? = nil, job: Link? = nil, system: String? = nil, build: Int64? = nil
    ) {
        self.revision = revision
        self.branch = branch
        self.job = job
        self.system = system
        self.build = build
    }

    /// The known links among revision, branch, and job, each with its title.
    public var links: [(title: String, link: Link)] {
        [("Commit", revision), ("Branch", branch), ("Job", job)].compactMap { title, link in
            link.map { (title, $0) }
        }
    }

    /// Returns the values that this origin shares with all others, such as those of the shards of a run.
    public func common(with others: some Sequence<RunOrigin>) -> RunOrigin {
        var common = self
        for other in others {
            if common.revision != other.revision { common.revision = nil }
            if common.branch != other.branch { common.branch = nil }
            if common.job != other.job { common.job = nil }
            if common.system != other.system { common.system = nil }
            if common.build != other.build { common.build = nil }
        }
        return common
    }
}

/// Information about a suite for reports.
public struct SuiteInfo: Sendable {
    /// The index of the suite in the run, from 0.
    public var index: Int
    /// The name of the suite.
    public var name: String
    /// The description, owner, and properties; nil if the suite has none.
    public var annotations: Annotations?
    /// The path of the suite, as passed by the user.
    public var path: String
    /// The index of the YAML document in its file, from 0.
    public var documentIndex: Int
    /// The base URL, once it is known.
    public var baseURL: String?
    /// The name of the environment that is applied.
    public var environment: String?
    /// The number of selected tests.
    public var testCount: Int
    /// The time from the start of the run to the start of the suite, in nanoseconds; 0 until the suite starts.
    public var start: Int64

    /// A hexadecimal digest that changes only with the files of the suite; nil if no report needs it.
    public var digest: String?

    /// Creates the information about a suite.
    public init(
        index: Int, name: String, path: String, documentIndex: Int = 0, baseURL: String? = nil,
        environment: String? = nil, testCount: Int, start: Int64 = 0
    ) {
        self.index = index
        self.name = name
        self.path = path
        self.documentIndex = documentIndex
        self.baseURL = baseURL
        self.environment = environment
        self.testCount = testCount
        self.start = start
    }
}
