import ArgumentParser
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

    @Flag(name: .long, help: "Run the suites again that a changed file touches, until interrupted.")
    var watch = false

    @Flag(name: .long, help: "Run tests with `only` alone also where the environment variable CI is set.")
    var allowOnly = false

    @Flag(name: .long, help: "Hold the shapes of responses against the suites' locks, as \"apitest lock\" writes them.")
    var locked = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Let findings pass that this file has, which --write-baseline writes; new ones fail.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var baseline: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Write the findings of tests that do not pass to this file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var writeBaseline: String?

    @OptionGroup var outputOptions: OutputOptions
    @OptionGroup var coverageOptions: CoverageOptions
    @OptionGroup var connectionOptions: ConnectionOptions

    func validate() throws {
        try suiteOptions.requirePaths()
        if watch && dryRun { throw ValidationError("--watch: with --dry-run, nothing runs") }
        if watch && writeBaseline != nil {
            throw ValidationError("--write-baseline: with --watch, it would be written again and again")
        }
    }

    func run() async throws {
        let cycle = try RunCycle(self)
        if watch {
            let control = WatchControl()
            SignalWatcher.start { control.stop() }
            throw await WatchLoop(cycle: cycle, control: control).run()
        }
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        throw try await cycle.run(control: control)
    }
}
