import ProjectConfiguration
import Reports
import RunRecord
import SuiteLoader

/// The `apitest schema [suite|fragments|mock|config|events]` command.
struct SchemaCommand: SynchronousCommand {
    /// The kinds of files with a schema.
    enum Kind: String, ArgumentValue, CaseIterable {
        case suite, fragments, mock, config, events
    }

    static let description = CommandDescription(
        name: "schema",
        abstract: "Print the JSON Schema of suites, fragments, mock files, .apitest.yaml or the lines of records.")

    var kind = Kind.suite

    static var syntax: [Syntax] {
        [
            .argument("kind", \.kind, "The kind of file: suite, fragments, mock, config or events.")
        ]
    }

    func run() throws {
        switch kind {
        case .suite: StandardOutput.write(SuiteSchema.json)
        case .fragments: StandardOutput.write(FragmentsSchema.json)
        case .mock: StandardOutput.write(MockSchema.json)
        case .events: StandardOutput.write(EventsSchema.json)
        case .config: StandardOutput.write(ConfigurationSchema.json(options: ProjectDefaults.options))
        }
    }
}
