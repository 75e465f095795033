import ArgumentParser
import SuiteLoader

/// `apitest schema [suite|mock]`
struct SchemaCommand: ParsableCommand {
    /// The kinds of files that have a schema.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case suite, mock
    }

    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of suites or mock files, for editors.")

    @Argument(help: "The kind of file: suite or mock.")
    var kind = Kind.suite

    func run() throws {
        switch kind {
        case .suite: StandardOutput.write(SuiteSchema.json)
        case .mock: StandardOutput.write(MockSchema.json)
        }
    }
}
