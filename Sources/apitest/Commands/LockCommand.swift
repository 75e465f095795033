import Diagnostics
import Runner

/// The `apitest lock PATH…` command.
struct LockCommand: Command {
    static let description = CommandDescription(
        name: "lock", abstract: "Run suites and record the shapes of their responses in lock files",
        discussion: """
            For each suite, such as shop.apitest.yaml, writes shop.apitest.lock.yaml with the statuses, content \
            types, header field names and a JSON Schema of the body of each test and step. `apitest --locked` checks \
            later runs against it. Only responses of tests that pass are recorded. If a lock file exists and would \
            change, the changes are shown and the exit status is 1; --update or --replace writes it. If the \
            environment variable CI is set, nothing is written without --update or --replace.
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
            .flag("update", \.update, "Merge new responses into existing lock files"),
            .flag("replace", \.replace, "Rewrite lock files from this run, discarding earlier responses"),
            .group(\.selectionOptions),
            .group(\.executionOptions),
            .flag(
                "allow-only", \.allowOnly, "Allow `only` even if the environment variable CI is set"),
            .group(\.outputOptions),
            .group(\.connectionOptions),
        ]
    }

    func validate() throws {
        try suiteOptions.requireSuites()
        if update, replace { throw UsageError(.conflictingOptions, "--update cannot be used with --replace") }
    }

    func run() async throws {
        let pipeline = try RunPipeline(self)
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        throw try await pipeline.run(control: control)
    }
}
