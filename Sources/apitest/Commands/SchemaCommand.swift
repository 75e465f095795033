import ProjectConfiguration
import Reports
import RunRecord
import SuiteLoader

/// The `apitest schema [suite|settings|fragments|mock|config|events|verdict]` command.
struct SchemaCommand: SynchronousCommand {
    /// The kinds of files with a schema.
    enum Kind: String, ArgumentValue, CaseIterable {
        case suite, settings, fragments, mock, config, events, verdict
    }

    static let description = CommandDescription(
        name: "schema",
        abstract: "Print the JSON Schema of a file format",
        discussion: """
            The formats are suites, settings files, fragment files, mock files, .apitest.yaml (config), the lines of records \
            (events) and verdicts.
            """)

    var kind = Kind.suite

    static var syntax: [Syntax] {
        [
            .argument("kind", \.kind, "File format")
        ]
    }

    func run() throws { StandardOutput.write(kind.schema) }
}

extension SchemaCommand.Kind {
    /// The text of the schema with a trailing line break.
    var schema: String {
        switch self {
        case .suite: SuiteSchema.json
        case .settings: SettingsSchema.json
        case .fragments: FragmentsSchema.json
        case .mock: MockSchema.json
        case .config: ConfigurationSchema.json(options: ProjectDefaults.options)
        case .events: EventsSchema.json
        case .verdict: VerdictSchema.json
        }
    }
}
