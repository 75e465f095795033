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

/// The revision that a run tests, and the CI job that it is part of.
public struct RunOrigin: Sendable, Hashable {
    /// A name with the page that shows it.
    public struct Link: Sendable, Hashable {
        /// The name: a commit's hash, a branch, a job.
        public var name: String
        /// The page's URL, `http` or `https` and without credentials; nil when it is not known.
        public var url: String?

        /// Creates a link.
        public init(name: String, url: String? = nil) {
            self.name = name
            self.url = url
        }

        /// The name, of a commit's hash the first 12 digits.
        public var shortName: String {
            let isHash = name.utf8.count >= 40 && name.allSatisfy(\.isHexDigit)
            return isHash ? String(name.prefix(12)) : name
        }
    }

    /// The revision of the system under test.
    public var revision: Link?
    /// The branch, or the tag.
    public var branch: Link?
    /// The job or build.
    public var job: Link?
    /// The name of the CI system.
    public var system: String?
    /// The number of the build, as the system counts them.
    public var build: Int64?

    /// Whether nothing is known.
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

    /// The revision, the branch and the job, as far as they are known, each with its title.
    public var links: [(title: String, link: Link)] {
        [("Commit", revision), ("Branch", branch), ("Job", job)].compactMap { title, link in
            link.map { (title, $0) }
        }
    }

    /// The part that is the same in other origins: in those of the shards of a run, for example.
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

/// What reports need to know of a suite.
public struct SuiteInfo: Sendable {
    /// The suite's index in the run, from 0.
    public var index: Int
    /// The suite's name.
    public var name: String
    /// The description, the owner and the properties, when the suite has any.
    public var annotations: Annotations?
    /// The suite's path as the user gave it.
    public var path: String
    /// The index of the document in its file, from 0.
    public var documentIndex: Int
    /// The base URL, once it is known.
    public var baseURL: String?
    /// The environment whose values the suite has.
    public var environment: String?
    /// Selected tests.
    public var testCount: Int
    /// Nanoseconds from the run's start to the suite's; 0 before it has started.
    public var start: Int64

    /// What is the same as long as the suite's files are: hexadecimal; nil when no report asks for it.
    public var digest: String?

    /// Creates the information.
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
