import FileSystem
public import JSON

/// How suites are loaded and run from Swift code.
public struct TestRunOptions: Sendable {
    /// The version that reports and the User-Agent name.
    public static let version = "0.1.0"

    /// The folder, absolute, against which relative paths of suites resolve; without one, the current folder.
    public var folder: String
    /// The folder, absolute, outside of which a suite can name no file; nil for ``folder``.
    public var fileRoot: String?
    /// The environment of the suites whose values are used, as `--environment` gives it.
    public var environment: String?
    /// Values that win over those of the suites' variables, as `--variable` gives them.
    public var variables: [String: JSONValue]
    /// What `env()` and `dotenv` files see; without it, the process's own environment.
    public var processEnvironment: [String: String]
    /// Exchanges in flight at most.
    public var jobs: Int
    /// Retries of tests of which their suite says nothing; 0 makes no retries at all, nil leaves them to the suites.
    public var retries: Int?
    /// The seed of random values; nil for another one in each run.
    public var seed: UInt64?
    /// True when every exchange is kept for reporters, not those of failures alone.
    public var keepsExchanges: Bool
    /// True when snapshots that are missing or differ are written, as `--update-snapshots` does; otherwise missing ones are,
    /// unless ``processEnvironment`` has `CI`.
    public var updatesSnapshots: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - folder: The working directory if nil.
    ///   - processEnvironment: The variables of this process if nil.
    public init(
        folder: String? = nil, fileRoot: String? = nil, environment: String? = nil,
        variables: [String: JSONValue] = [:],
        processEnvironment: [String: String]? = nil, jobs: Int = 16, retries: Int? = nil,
        seed: UInt64? = nil, keepsExchanges: Bool = false, updatesSnapshots: Bool = false
    ) {
        self.folder = folder ?? Path.workingDirectory
        self.fileRoot = fileRoot
        self.environment = environment
        self.variables = variables
        self.processEnvironment = processEnvironment ?? ProcessEnvironment.variables()
        self.jobs = jobs
        self.retries = retries
        self.seed = seed
        self.keepsExchanges = keepsExchanges
        self.updatesSnapshots = updatesSnapshots
    }
}
