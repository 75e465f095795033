import ArgumentParser
import Diagnostics
import JSON
import Reports
import Runner
import SuiteLoader
import SuiteModel

/// `apitest list PATH…`
struct ListCommand: ParsableCommand {
    /// How the graph is written.
    enum GraphFormat: String, ExpressibleByArgument, CaseIterable {
        case text, mermaid, json
    }

    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tests of suites.")

    @OptionGroup var suiteOptions: SuiteOptions
    @OptionGroup var configurationOptions: ConfigurationOptions
    @OptionGroup var selectionOptions: SelectionOptions

    @Flag(name: .long, help: "Show what each test waits for and why.")
    var graph = false

    @Option(name: .long, help: "How the list is written: text, mermaid (with --graph) or json.")
    var format: GraphFormat = .text

    @Flag(name: .long, help: "The same as --format json.")
    var json = false

    func validate() throws {
        try suiteOptions.requirePaths()
        if format == .mermaid && !graph { throw ValidationError("--format mermaid goes with --graph") }
    }

    func run() throws {
        let selected = try SelectedPlan(selectionOptions, color: suiteOptions.color)
        let loaded = try suiteOptions.load(missingLibrary: .warning)
        let result = try selected.plan(of: loaded)
        for note in result.notes { StandardError.write(loaded.mask.masked(note) + "\n") }
        let plan = result.plan
        let text =
            switch json ? .json : format {
            case .json: plan.json().serialized(.pretty) + "\n"
            case .mermaid: plan.mermaidGraph(masking: loaded.mask.masked)
            case .text: graph ? plan.textGraph() : list(plan)
            }
        StandardOutput.write(loaded.mask.masked(text))
    }

    /// One line a test: its place, its name, its tags.
    private func list(_ plan: TestPlan) -> String {
        var text = ""
        for (index, suite) in plan.suites.enumerated() {
            text += "\(suite.name) (\(suite.path))\n"
            for entry in plan.tests[plan.testsOfSuite[index]] {
                let tags = entry.reference.tags.map { " #\($0)" }.joined()
                let skip = plan.suites[entry.suite].tests[entry.test].skip.map {
                    $0.isEmpty ? " (skipped)" : " (skipped: \($0))"
                }
                text +=
                    "  \(suite.path):\(entry.reference.range.start.line)  \(entry.reference.name)\(tags)\(skip ?? "")\n"
            }
        }
        return text
    }
}
