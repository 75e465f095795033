import APITestKit

/// The program itself, with its commands.
struct Apitest: CommandFolder {
    /// The version of the program.
    static let version = TestRunOptions.version

    static let description = CommandDescription(
        name: "apitest", abstract: "Run declarative API tests.",
        discussion: """
            A suite is a YAML file: requests, what is expected of their responses, and what is captured from them. \
            `apitest suite.yaml` runs it. Exit status: 0 all passed; 1 a test failed or errored; 2 a suite, an option or \
            a file is wrong and nothing was sent; 3 no test was selected; 4 internal error; 130 interrupted.
            """,
        subcommands: [
            RunCommand.self, LintCommand.self, FmtCommand.self, ListCommand.self, InitCommand.self, EvalCommand.self,
            LockCommand.self, MockCommand.self, ContractCommand.self, ReportCommand.self, SchemaCommand.self,
            CompletionsCommand.self,
        ])

    /// The command that runs if none is named.
    static let defaultCommand: any Command.Type = RunCommand.self
}

/// The `apitest contract check|generate|…` commands.
struct ContractCommand: CommandFolder {
    static let description = CommandDescription(
        name: "contract", abstract: "Work with OpenAPI descriptions.",
        discussion:
            "Descriptions follow OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, in YAML or JSON, in one or several files.",
        subcommands: [
            ContractCheckCommand.self, ContractCoverageCommand.self, ContractDiffCommand.self,
            ContractGenerateCommand.self,
        ])
}

/// The `apitest report convert|merge|show|trends` commands.
struct ReportCommand: CommandFolder {
    static let description = CommandDescription(
        name: "report", abstract: "Make reports of records, and read what earlier runs have left.",
        discussion: """
            A record is what "--report json" writes. Exit status of convert, merge and show: that of the run that was \
            recorded; 1 for one that is not whole, as its record breaks off or a shard is missing; 2 when a record cannot be read or a report cannot be written.
            """,
        subcommands: [
            ReportConvertCommand.self, ReportMergeCommand.self, ReportShowCommand.self, ReportTrendsCommand.self,
        ])
}
