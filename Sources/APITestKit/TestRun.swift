import Basics
import CEL
public import Diagnostics
import FileSystem
public import JSON
public import Output
public import Reports
public import RunModel
public import Runner
import SuiteLoader

/// A loaded test plan that can be run from Swift code.
///
/// ```swift
/// let options = TestRunOptions(directory: directory)
/// let run = try TestRun(paths: ["bookshop.apitest.yaml"], options: options)
/// let (summary, _) = await run.start(reporters: [])
/// ```
public struct TestRun: Sendable {
    /// The tests to run, in order.
    public private(set) var plan: TestPlan
    /// The options that the suites were loaded with and that the run uses.
    public let options: TestRunOptions
    private let secrets: [String]

    /// Creates a run by loading suites and planning their tests.
    ///
    /// - Parameters:
    ///   - paths: Paths of suite files, or of directories that contain them.
    ///   - options: The directories, variables, and limits for loading and running.
    ///   - selection: The tests to select.
    /// - Throws: ``LoadFailure`` when a suite is invalid.
    public init(
        paths: [String], options: TestRunOptions = TestRunOptions(), selection: TestSelection = TestSelection()
    ) throws(LoadFailure) {
        var loader = LoaderOptions(
            fileRoot: options.fileRoot ?? options.directory, workingDirectory: options.directory,
            variables: options.variables.mapValues { CELValue($0).text })
        loader.environment = options.environment
        loader.processEnvironment = options.processEnvironment
        let result = SuiteLoader(options: loader).load(paths: paths)
        guard !result.hasErrors else { throw LoadFailure(diagnostics: result.diagnostics) }
        plan = TestPlan(suites: result.suites, selection: selection)
        self.options = options
        secrets = result.secretValues
    }

    /// Returns a run of only the tests that satisfy a predicate, and their dependencies.
    ///
    /// - Parameter isWanted: A closure that returns whether to keep a test.
    public func keeping(_ isWanted: (TestPlan.Entry) -> Bool) -> TestRun {
        var run = self
        run.plan = plan.keeping { isWanted(plan.tests[$0]) }
        return run
    }

    /// Runs the plan.
    ///
    /// - Parameters:
    ///   - control: The handle that can interrupt the run.
    ///   - reporters: The reporters that receive the events of the run. They are finished when this method returns.
    /// - Returns: The summary of the run, and the errors of reporters that could not write their output.
    @discardableResult
    public func start(
        control: RunControl = RunControl(), reporters: [any Reporter]
    ) async -> (summary: RunSummary, reportErrors: [ReportError]) {
        let fanOut = ReportFanOut(reporters, showsExchanges: options.keepsExchanges)
        for secret in secrets { fanOut.send(.secretRegistered(secret)) }
        var runOptions = RunOptions(
            jobs: options.jobs, retries: options.retries,
            seed: options.seed ?? UInt64.random(in: 0...UInt64(UInt32.max)),
            variables: options.variables.mapValues { CELValue($0) },
            keepsExchanges: options.keepsExchanges || fanOut.needs.contains(.exchanges),
            snapshots: SnapshotMode(updates: options.updatesSnapshots, environment: options.processEnvironment),
            fileRoot: options.fileRoot ?? options.directory, environment: options.processEnvironment,
            startTime: WallClock.now(), version: TestRunOptions.version)
        runOptions.hostName = SystemInfo.hostName
        runOptions.workingDirectory = options.directory
        runOptions.origin = RunOrigin(environment: options.processEnvironment)
        runOptions.makesDigests = fanOut.needs.contains(.digests)
        runOptions.keepsOutlines = fanOut.needs.contains(.outlines)
        let summary = await Runner(
            plan: plan, options: runOptions, control: control, startMock: MockStarter.start, mask: fanOut.masking,
            prepare: fanOut.prepare, runDeferred: fanOut.advance, sink: fanOut.post
        ).run()
        return (summary, fanOut.finish())
    }
}

/// Options for loading and running suites from Swift code.
public struct TestRunOptions: Sendable {
    /// The version number in reports and in the `User-Agent` header.
    public static let version = "0.1.0"

    /// The absolute path of the directory that relative paths of suites resolve against.
    public var directory: String
    /// The absolute path of the directory that must contain all files that suites reference; ``directory`` if nil.
    public var fileRoot: String?
    /// The name of the environment to apply, like `--environment`.
    public var environment: String?
    /// Values that override the variables of suites, like `--variable`.
    public var variables: [String: JSONValue]
    /// The environment variables that `env()` and `dotenv` files read.
    public var processEnvironment: [String: String]
    /// The maximum number of exchanges in flight.
    public var jobs: Int
    /// The number of retries of tests whose suite does not set one.
    ///
    /// 0 disables all retries; nil uses the settings of the suites.
    public var retries: Int?
    /// The seed of random values; nil uses a new one for each run.
    public var seed: UInt64?
    /// Whether every exchange is kept for reporters, and not only those of failed tests.
    public var keepsExchanges: Bool
    /// Whether missing and mismatched snapshots are written, like `--update-snapshots`.
    ///
    /// If false, only missing snapshots are written, and not even those when ``processEnvironment`` contains `CI`.
    public var updatesSnapshots: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - directory: The directory that relative paths resolve against; nil uses the working directory.
    ///   - fileRoot: The directory that must contain all referenced files; nil uses `directory`.
    ///   - environment: The name of the environment to apply.
    ///   - variables: Values that override the variables of suites.
    ///   - processEnvironment: The environment variables; nil uses those of this process.
    ///   - jobs: The maximum number of exchanges in flight.
    ///   - retries: The number of retries; nil uses the settings of the suites.
    ///   - seed: The seed of random values; nil uses a new one for each run.
    ///   - keepsExchanges: Whether every exchange is kept for reporters.
    ///   - updatesSnapshots: Whether missing and mismatched snapshots are written.
    public init(
        directory: String? = nil, fileRoot: String? = nil, environment: String? = nil,
        variables: [String: JSONValue] = [:],
        processEnvironment: [String: String]? = nil, jobs: Int = 16, retries: Int? = nil,
        seed: UInt64? = nil, keepsExchanges: Bool = false, updatesSnapshots: Bool = false
    ) {
        self.directory = directory ?? Path.workingDirectory
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

/// An error that reports invalid suites. No request was sent.
public struct LoadFailure: Error, Sendable, CustomStringConvertible {
    /// The diagnostics of all suites.
    public let diagnostics: [Diagnostic]

    /// The diagnostics with their source lines, as the command-line tool prints them.
    public var description: String {
        TextRenderer(color: false).render(diagnostics)
    }
}
