import Runner

/// The `apitest [run] PATH…` command.
struct RunCommand: Command {
    static let description = CommandDescription(name: "run", abstract: "Run suites (the default command).")

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
            .flag("dry-run", \.dryRun, "Show what would run, and send nothing."),
            .flag("watch", \.watch, "Run the suites again that a changed file touches, until interrupted."),
            .flag(
                "allow-only", \.allowOnly, "Run tests with `only` alone also where the environment variable CI is set."),
            .flag(
                "locked", \.locked,
                "Hold the shapes of responses against the suites' locks, as \"apitest lock\" writes them."),
            .option(
                "baseline", value: "file", \.baseline,
                "Let findings pass that this file has, which --write-baseline writes; new ones fail.",
                completion: .files(["json"])),
            .option(
                "write-baseline", value: "file", \.writeBaseline,
                "Write the findings of tests that do not pass to this file.",
                completion: .files(["json"])),
            .group(\.outputOptions),
            .group(\.coverageOptions),
            .group(\.connectionOptions),
        ]
    }

    func validate() throws {
        try suiteOptions.requirePaths()
        if watch && dryRun { throw UsageError("--watch: with --dry-run, nothing runs") }
        if watch && writeBaseline != nil {
            throw UsageError("--write-baseline: with --watch, it would be written again and again")
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
