import ArgumentParser
import Reports
import SuiteLoader

/// `apitest schema [suite|fragments|mock|config|events]`
struct SchemaCommand: ParsableCommand {
    /// The kinds of files that have a schema.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case suite, fragments, mock, config, events
    }

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of suites, fragments, mock files, .apitest.yaml or the lines of records.")

    @Argument(help: "The kind of file: suite, fragments, mock, config or events.")
    var kind = Kind.suite

    func run() throws {
        switch kind {
        case .suite: StandardOutput.write(SuiteSchema.json)
        case .fragments: StandardOutput.write(FragmentsSchema.json)
        case .mock: StandardOutput.write(MockSchema.json)
        case .events: StandardOutput.write(EventsSchema.json)
        case .config: StandardOutput.write(ConfigurationSchema.json(options: OptionCatalog.described().options))
        }
    }
}
