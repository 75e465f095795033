import ArgumentParser
import SuiteLoader

/// `apitest schema [suite|fragments|mock|config]`
struct SchemaCommand: ParsableCommand {
    /// The kinds of files that have a schema.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case suite, fragments, mock, config
    }

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of suites, fragments, mock files or .apitest.yaml, for editors.")

    @Argument(help: "The kind of file: suite, fragments, mock or config.")
    var kind = Kind.suite

    func run() throws {
        switch kind {
        case .suite: StandardOutput.write(SuiteSchema.json)
        case .fragments: StandardOutput.write(FragmentsSchema.json)
        case .mock: StandardOutput.write(MockSchema.json)
        case .config: StandardOutput.write(ConfigurationSchema.json(options: OptionCatalogue().options))
        }
    }
}
