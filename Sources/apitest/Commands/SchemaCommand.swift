import ProjectConfiguration
import Reports
import RunRecord
import SuiteLoader

/// The `apitest schema [suite|settings|fragments|mock|config|events]` command.
struct SchemaCommand: SynchronousCommand {
    /// The kinds of files with a schema.
    enum Kind: String, ArgumentValue, CaseIterable {
        case suite, settings, fragments, mock, config, events
    }

    static let description = CommandDescription(
        name: "schema",
        abstract: "Print the JSON Schema of a file format",
        discussion: """
            The formats are suites, settings files, fragment files, mock files, .apitest.yaml (config) and the lines of records (events).
            """)

    var kind = Kind.suite

    static var syntax: [Syntax] {
        [
            .argument("kind", \.kind, "File format")
        ]
    }

    func run() throws {
        switch kind {
        case .suite: StandardOutput.write(SuiteSchema.json)
        case .settings: StandardOutput.write(SettingsSchema.json)
        case .fragments: StandardOutput.write(FragmentsSchema.json)
        case .mock: StandardOutput.write(MockSchema.json)
        case .events: StandardOutput.write(EventsSchema.json)
        case .config: StandardOutput.write(ConfigurationSchema.json(options: ProjectDefaults.options))
        }
    }
}
