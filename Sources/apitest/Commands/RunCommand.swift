import Diagnostics
import Runner

/// The `apitest [run] PATH…` command.
struct RunCommand: Command {
    static let description = CommandDescription(
        name: "run", abstract: "Run suites",
        discussion: """
            PATH:LINE runs the test at a line. --tag and --exclude-tag accept expressions such as \
            'smoke and not (slow or broken)'. --failed runs tests that failed, errored or were blocked. \
            --shard auto reads I/N from the environment of a CI system or scheduler; hash:I/N assigns each test by its \
            name. \
            --report accepts FORMAT[:OPTION,…][=PATH]; the path - is standard output.
            """)

    var suiteOptions = SuiteOptions()
    var configurationOptions = ConfigurationOptions()
    var selectionOptions = SelectionOptions()
    var executionOptions = ExecutionOptions()
    var dryRun = false
    var watch = false
    var allowOnly = false
    var locked = false
    var baseline: String?
    var writeBaseline: String?
    var outputOptions = OutputOptions()
    var coverageOptions = CoverageOptions()
    var connectionOptions = ConnectionOptions()

    static var syntax: [Syntax] {
        [
            .group(\.suiteOptions),
            .group(\.configurationOptions),
            .group(\.selectionOptions),
            .group(\.executionOptions),
            .flag("dry-run", \.dryRun, "Show what would run, without sending requests"),
            .flag("watch", \.watch, "Rerun affected suites when files change, until interrupted"),
            .flag(
                "allow-only", \.allowOnly, "Allow `only` even if the environment variable CI is set"),
            .flag(
                "locked", \.locked,
                "Check responses against the lock files that \"apitest lock\" writes"),
            .option(
                "baseline", value: "file", \.baseline,
                "Accept findings in this file (see --write-baseline); fail on new ones",
                completion: .files(["json"])),
            .option(
                "write-baseline", value: "file", \.writeBaseline,
                "Write the findings of tests that do not pass to this file",
                completion: .files(["json"])),
            .group(\.outputOptions),
            .group(\.coverageOptions),
            .group(\.connectionOptions),
        ]
    }

    func validate() throws {
        try suiteOptions.requireSuites()
        if watch && dryRun { throw UsageError(.conflictingOptions, "--watch cannot be used with --dry-run") }
        if watch && writeBaseline != nil {
            throw UsageError(.conflictingOptions, "--write-baseline cannot be used with --watch")
        }
    }

    func run() async throws {
        let pipeline = try RunPipeline(self)
        if watch {
            let control = WatchControl()
            SignalWatcher.start { control.stop() }
            throw await WatchLoop(pipeline: pipeline, control: control).run()
        }
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        throw try await pipeline.run(control: control)
    }
}
