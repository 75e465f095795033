import Runner

/// The `apitest lock PATH…` command.
struct LockCommand: Command {
    static let description = CommandDescription(
        name: "lock", abstract: "Run suites and write the shapes of their responses beside them.",
        discussion: """
            For suite.yaml, suite.lock.yaml holds for each test and step the statuses, content types, names of header \
            fields and a JSON Schema of the body; `apitest --locked` holds later runs to them. Of tests that do not pass, \
            nothing is locked. A lock that is there is compared: what would change is shown, and the exit status is 1; \
            --update or --replace writes it. Where the environment variable CI is set, nothing is written without one of \
            them.
            """)

    var suiteOptions = SuiteOptions()
    var configurationOptions = ConfigurationOptions()
    var update = false
    var replace = false
    var selectionOptions = SelectionOptions()
    var executionOptions = ExecutionOptions()
    var allowOnly = false
    var outputOptions = OutputOptions()
    var connectionOptions = ConnectionOptions()

    static var syntax: [Syntax] {
        [
            .group(\.suiteOptions),
            .group(\.configurationOptions),
            .flag("update", \.update, "Merge what is new into locks that are there."),
            .flag("replace", \.replace, "Write locks anew, also what was locked narrower or wider before."),
            .group(\.selectionOptions),
            .group(\.executionOptions),
            .flag(
                "allow-only", \.allowOnly, "Run tests with `only` alone also where the environment variable CI is set."),
            .group(\.outputOptions),
            .group(\.connectionOptions),
        ]
    }

    func validate() throws {
        try suiteOptions.requirePaths()
        if update, replace { throw UsageError("--update and --replace exclude each other") }
    }

    func run() async throws {
        let pipeline = try RunPipeline(self)
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        throw try await pipeline.run(control: control)
    }
}
