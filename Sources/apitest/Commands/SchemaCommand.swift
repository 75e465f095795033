import ArgumentParser
import SuiteLoader

/// `apitest schema`
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of suites, for editors.")

    func run() throws {
        StandardOutput.write(SuiteSchema.json)
    }
}
