import ArgumentParser
import Runner

/// `apitest lock PATH…`
struct LockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Run suites and write the shapes of their responses beside them.",
        discussion: """
            For suite.yaml, suite.lock.yaml holds for each test and step the statuses, content types, names of header \
            fields and a JSON Schema of the body; `apitest --locked` holds later runs to them. Of tests that do not pass, \
            nothing is locked. A lock that is there is compared: what would change is shown, and the exit status is 1; \
            --update or --replace writes it. Where the environment variable CI is set, nothing is written without one of \
            them.
            """)

    @OptionGroup var suiteOptions: SuiteOptions
    @OptionGroup var configurationOptions: ConfigurationOptions

    @Flag(name: .long, help: "Merge what is new into locks that are there.")
    var update = false

    @Flag(name: .long, help: "Write locks anew, also what was locked narrower or wider before.")
    var replace = false

    @OptionGroup var selectionOptions: SelectionOptions
    @OptionGroup var executionOptions: ExecutionOptions

    @Flag(name: .long, help: "Run tests with `only` alone also where the environment variable CI is set.")
    var allowOnly = false

    @OptionGroup var outputOptions: OutputOptions
    @OptionGroup var connectionOptions: ConnectionOptions

    func validate() throws {
        try suiteOptions.requirePaths()
        if update, replace { throw ValidationError("--update and --replace exclude each other") }
    }

    func run() async throws {
        let cycle = try RunCycle(self)
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        throw try await cycle.run(control: control)
    }
}
