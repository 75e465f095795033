import ArgumentParser
import Diagnostics
import SuiteLoader
import SuiteModel

/// `apitest lint PATH…`
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Find every problem of suites; nothing is sent.")

    @OptionGroup var suiteOptions: SuiteOptions

    func run() throws {
        let loaded = try suiteOptions.load(missingLibrary: .warning)
        let suites = loaded.suites.suites
        let tests = suites.reduce(0) { $0 + $1.tests.count }
        StandardOutput.write(
            "\(suites.count) \(suites.count == 1 ? "suite" : "suites") with \(tests) \(tests == 1 ? "test" : "tests"): no problem\n"
        )
    }
}
