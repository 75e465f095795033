import APITestKit

/// The program itself, with its commands.
struct Apitest: CommandGroup {
    /// The version of the program.
    static let version = TestRunOptions.version

    static let description = CommandDescription(
        name: "apitest", abstract: "Run declarative API tests",
        discussion: """
            A suite is a YAML file of requests, the expected responses, and the values to capture from them. \
            `apitest suite.yaml` runs it. Exit status: 0 all tests passed; 1 a test failed or errored; 2 a suite, an \
            option or a file is invalid and nothing was sent; 3 no test was selected; 4 internal error; 130 interrupted.
            """,
        subcommands: [
            RunCommand.self, LintCommand.self, FmtCommand.self, ListCommand.self, InitCommand.self, ImportCommand.self,
            RecordCommand.self, EvalCommand.self, LoadCommand.self, LockCommand.self, MockCommand.self,
            ContractCommand.self, ReportCommand.self, ExplainCommand.self, SchemaCommand.self, MCPCommand.self,
            CompletionsCommand.self,
        ])

    /// The command that runs if none is named.
    static let defaultCommand: any Command.Type = RunCommand.self
}

/// The `apitest contract check|generate|…` commands.
struct ContractCommand: CommandGroup {
    static let description = CommandDescription(
        name: "contract", abstract: "Work with OpenAPI descriptions",
        discussion: """
            Supports OpenAPI 3.0, 3.1, 3.2 and Swagger 2.0, in YAML or JSON, in one or more files. Without --file-root, \
            referenced files must be in the current directory or in the directory of the description.
            """,
        subcommands: [
            ContractCheckCommand.self, ContractCoverageCommand.self, ContractDiffCommand.self,
            ContractFuzzCommand.self, ContractGenerateCommand.self,
        ])
}

/// The `apitest report convert|merge|show|trends` commands.
struct ReportCommand: CommandGroup {
    static let description = CommandDescription(
        name: "report", abstract: "Convert, merge and inspect recorded runs",
        discussion: """
            A record is written by "--report json". It is read from a file, from a URL, or from s3://BUCKET/KEY. Exit \
            status of convert, merge and show: that of the recorded run; 1 if the record is truncated or a shard is \
            missing; 2 if a record cannot be read or a report cannot be written.
            """,
        subcommands: [
            ReportConvertCommand.self, ReportMergeCommand.self, ReportShowCommand.self, ReportTrendsCommand.self,
        ])
}
