import ArgumentParser
import Reports
import Runner

/// `apitest [run] PATH…`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Run suites (the default command).")

    @OptionGroup var suiteOptions: SuiteOptions
    @OptionGroup var configurationOptions: ConfigurationOptions
    @OptionGroup var selectionOptions: SelectionOptions
    @OptionGroup var executionOptions: ExecutionOptions

    @Flag(name: .long, help: "Show what would run, and send nothing.")
    var dryRun = false

    @OptionGroup var outputOptions: OutputOptions
    @OptionGroup var connectionOptions: ConnectionOptions

    func validate() throws {
        try suiteOptions.requirePaths()
    }

    func run() async throws {
        let environment = ProcessEnvironment.variables()
        let trust = try connectionOptions.trust()
        let routes = try connectionOptions.routes()
        let reporters = try outputOptions.reporters(color: suiteOptions.color, environment: environment)
        let selected = try SelectedPlan(selectionOptions, color: suiteOptions.color)
        let loaded = try suiteOptions.load()
        let result = try selected.plan(of: loaded)
        if !outputOptions.quiet || result.plan.tests.isEmpty {
            for note in result.notes { StandardError.write(loaded.mask.masked(note) + "\n") }
        }
        let plan = try executionOptions.repeated(result.plan)
        if dryRun {
            StandardOutput.write(loaded.mask.masked(plan.textGraph()))
            throw ExitStatus.passed
        }
        var options = RunOptions(
            jobs: executionOptions.jobs, failFast: executionOptions.failFast, retries: executionOptions.retries,
            seed: executionOptions.seed ?? UInt64.random(in: 0...UInt64(UInt32.max)),
            variables: loaded.variables, keepsExchanges: outputOptions.verbose > 0,
            snapshots: SnapshotMode(updates: outputOptions.updateSnapshots, environment: environment),
            fileRoot: suiteOptions.absoluteFileRoot, trust: trust, routes: routes, environment: environment,
            startTime: WallClock.now(), version: Apitest.version)
        options.shuffles = executionOptions.shuffle
        options.timeout = try executionOptions.exchangeTimeout()
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        throw await PlanExecution(plan: plan, options: options, control: control).run(reporters)
    }
}
