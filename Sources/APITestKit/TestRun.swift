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

/// Loads suites and runs them from Swift code.
///
/// ```swift
/// let run = try TestRun(paths: ["bookshop.apitest.yaml"])
/// let (summary, _) = await run.start(reporters: [reporter])
/// ```
public struct TestRun: Sendable {
    /// What will be run.
    public private(set) var plan: TestPlan
    /// How it will be run.
    public let options: TestRunOptions
    private let secrets: [String]

    /// Loads and plans.
    ///
    /// - Parameters:
    ///   - paths: suite files, or folders with them.
    ///   - options: the folders, variables and bounds with which they are loaded and run.
    ///   - selection: which tests are wanted.
    /// - Throws: ``LoadFailure`` when a suite has a mistake.
    public init(
        paths: [String], options: TestRunOptions = TestRunOptions(), selection: TestSelection = TestSelection()
    ) throws(LoadFailure) {
        var loader = LoaderOptions(
            fileRoot: options.fileRoot ?? options.folder, workingDirectory: options.folder,
            variables: options.variables.mapValues { CELValue($0).text })
        loader.environment = options.environment
        loader.processEnvironment = options.processEnvironment
        let result = SuiteLoader(options: loader).load(paths: paths)
        guard !result.hasErrors else { throw LoadFailure(diagnostics: result.diagnostics) }
        plan = TestPlan(suites: result.suites, selection: selection)
        self.options = options
        secrets = result.secretValues
    }

    /// The run of the wanted tests alone, and of what these need.
    public func keeping(_ isWanted: (TestPlan.Entry) -> Bool) -> TestRun {
        var run = self
        run.plan = plan.keeping { isWanted(plan.tests[$0]) }
        return run
    }

    /// Runs the plan.
    ///
    /// - Parameters:
    ///   - control: the handle by which the run can be interrupted.
    ///   - reporters: what takes the events; they are finished when this returns.
    /// - Returns: how the run ended, and what reporters could not write.
    @discardableResult
    public func start(
        control: RunControl = RunControl(), reporters: [any Reporter]
    ) async -> (summary: RunSummary, reportErrors: [ReportError]) {
        let fanOut = ReportFanOut(reporters, showsExchanges: options.keepsExchanges)
        for secret in secrets { fanOut.send(.secretLearned(secret)) }
        var runOptions = RunOptions(
            jobs: options.jobs, retries: options.retries,
            seed: options.seed ?? UInt64.random(in: 0...UInt64(UInt32.max)),
            variables: options.variables.mapValues { CELValue($0) },
            keepsExchanges: options.keepsExchanges || fanOut.needs.contains(.exchanges),
            snapshots: SnapshotMode(updates: options.updatesSnapshots, environment: options.processEnvironment),
            fileRoot: options.fileRoot ?? options.folder, environment: options.processEnvironment,
            startTime: WallClock.now(), version: TestRunOptions.version)
        runOptions.hostName = SystemFacts.hostName
        runOptions.workingFolder = options.folder
        runOptions.origin = RunOrigin(environment: options.processEnvironment)
        runOptions.makesDigests = fanOut.needs.contains(.digests)
        runOptions.keepsOutlines = fanOut.needs.contains(.outlines)
        let summary = await Runner(
            plan: plan, options: runOptions, control: control, startMock: MockStarter.start, mask: fanOut.masking,
            prepare: fanOut.prepare, settle: fanOut.advance, sink: fanOut.post
        ).run()
        return (summary, fanOut.finish())
    }
}

/// Options for loading and running suites from Swift code.
public struct TestRunOptions: Sendable {
    /// The version that reports and the User-Agent name.
    public static let version = "0.1.0"

    /// The absolute path of the directory against which relative paths of suites resolve.
    public var folder: String
    /// The absolute path of the directory that the files of suites must be in; ``folder`` if nil.
    public var fileRoot: String?
    /// The environment of the suites whose values are used, as `--environment` gives it.
    public var environment: String?
    /// Values that win over those of the suites' variables, as `--variable` gives them.
    public var variables: [String: JSONValue]
    /// The environment variables that `env()` and `dotenv` files see.
    public var processEnvironment: [String: String]
    /// Exchanges in flight at most.
    public var jobs: Int
    /// Retries of tests whose suite does not set them; 0 disables all retries, nil leaves them to the suites.
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

/// Suites that have a mistake; nothing was sent.
public struct LoadFailure: Error, Sendable, CustomStringConvertible {
    /// Every problem that was found.
    public let diagnostics: [Diagnostic]

    /// The problems with their lines, as the program prints them.
    public var description: String {
        TextRenderer(color: false).render(diagnostics)
    }
}
