import APITestKit
import ArgumentParser

/// The root command.
struct Apitest: AsyncParsableCommand {
    /// The program's version.
    static let version = TestRunOptions.version

    static let configuration = CommandConfiguration(
        commandName: "apitest",
        abstract: "Run declarative API tests.",
        discussion: """
            A suite is a YAML file: requests, what is expected of their responses, and what is captured from them. \
            `apitest suite.yaml` runs it. Exit status: 0 all passed; 1 a test failed or errored; 2 a suite, an option or \
            a file is wrong and nothing was sent; 3 no test was selected; 4 internal error; 130 interrupted.
            """,
        version: version,
        subcommands: [
            RunCommand.self, LintCommand.self, FmtCommand.self, ListCommand.self, InitCommand.self, EvalCommand.self,
            LockCommand.self,
            MockCommand.self, ContractCommand.self, ReportCommand.self, SchemaCommand.self, CompletionsCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}
