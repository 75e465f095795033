import Diagnostics
import JSON
import Redaction
import Reports
import RunModel
import Runner
import SuiteLoader
import SuiteModel

/// The `apitest list PATH…` command.
struct ListCommand: SynchronousCommand {
    /// The output format of the list.
    enum GraphFormat: String, ArgumentValue, CaseIterable {
        case text, mermaid, json
    }

    static let description = CommandDescription(
        name: "list", abstract: "List tests and their dependencies",
        discussion: "Lists the tests that \"apitest run\" would run with the same options. No requests are sent.")

    var suiteOptions = SuiteOptions()
    var configurationOptions = ConfigurationOptions()
    var selectionOptions = SelectionOptions()
    var graph = false
    var format: GraphFormat = .text
    var json = false

    static var syntax: [Syntax] {
        [
            .group(\.suiteOptions),
            .group(\.configurationOptions),
            .group(\.selectionOptions),
            .flag("graph", \.graph, "Show what each test depends on, and why"),
            .option("format", \.format, "Output format; mermaid requires --graph"),
            .flag("json", \.json, "Same as --format json"),
        ]
    }

    func validate() throws {
        try suiteOptions.requireSuites()
        if format == .mermaid && !graph { throw UsageError(.missingOption, "--format mermaid requires --graph") }
    }

    func run() throws {
        let selected = try SelectedPlan(selectionOptions, color: suiteOptions.color)
        let loaded = try suiteOptions.load(missingLibrary: .warning)
        KeptUntilExit.keep(loaded.suites)
        let result = try selected.plan(of: loaded)
        for note in result.notes { StandardError.write(note + "\n") }
        let plan = result.plan
        KeptUntilExit.keep(plan)
        let text =
            switch json ? .json : format {
            case .json: plan.json(masking: loaded.mask.masked).serialized(.pretty) + "\n"
            case .mermaid: plan.mermaidGraph(masking: loaded.mask.masked)
            case .text: graph ? plan.textGraph(masking: loaded.mask.masked) : list(plan, mask: loaded.mask)
            }
        StandardOutput.write(text)
    }

    /// Returns one line per test with its location, name, tags, and notes.
    private func list(_ plan: TestPlan, mask: SecretMask) -> String {
        var text = ""
        for (index, suite) in plan.suites.enumerated() {
            // Indices, because tests and entries taken out of their arrays would be copied.
            var entries: [Int] = []
            var width = 0
            for entry in plan.testsOfSuite[index] {
                let (test, line) = Self.location(plan.tests[entry])
                guard suite.tests[test].kind == .test else { continue }
                entries.append(entry)
                width = max(width, Self.digits(of: line))
            }
            if entries.isEmpty { continue }
            if !text.isEmpty { text += "\n" }
            text += DisplayWidth.printable("\(mask.masked(suite.name)) (\(suite.path))")
            if !suite.environments.isEmpty {
                let environments = mask.masked(suite.environments.joined(separator: ", "))
                text += DisplayWidth.printable("  environments: \(environments)")
            }
            text += "\n"
            let path = DisplayWidth.printable(suite.path)
            for index in entries {
                let entry = plan.tests[index]
                let reference = entry.reference
                text += "  "
                text += path
                text += ":"
                text += String(reference.range.start.line)
                text += String(repeating: " ", count: width - Self.digits(of: reference.range.start.line) + 2)
                var name = reference.name
                for tag in reference.tags {
                    name += " #"
                    name += tag
                }
                name = mask.masked(name) + notes(on: entry, in: plan, mask: mask)
                text += DisplayWidth.printable(name)
                text += "\n"
            }
        }
        let suites = plan.testsOfSuite.count { !$0.isEmpty }
        let tests = plan.testCount == 1 ? "1 test" : "\(plan.testCount) tests"
        return text + "\n\(tests) in \(suites) \(suites == 1 ? "suite" : "suites")\n"
    }

    /// Returns the index of a test in its suite, and its line.
    private static func location(_ entry: TestPlan.Entry) -> (test: Int, line: Int32) {
        (entry.test, entry.reference.range.start.line)
    }

    /// Returns the number of decimal digits of a line number.
    private static func digits(of line: Int32) -> Int {
        var digits = 1
        var rest = line
        while rest >= 10 {
            digits += 1
            rest /= 10
        }
        return digits
    }

    /// Returns notes about a test in parentheses.
    private func notes(on entry: TestPlan.Entry, in plan: TestPlan, mask: SecretMask) -> String {
        let (suite, test) = (entry.suite, entry.test)
        var notes: [String] = []
        if let skip = plan.suites[suite].tests[test].skip {
            notes.append(skip.isEmpty ? "skipped" : "skipped: \(mask.masked(skip))")
        }
        if let failure = plan.suites[suite].tests[test].expectedFailure {
            notes.append("expected to fail: \(mask.masked(failure.reason))")
        }
        let locks = plan.suites[suite].tests[test].locks
        if !locks.isEmpty { notes.append("lock \(mask.masked(locks.joined(separator: ", ")))") }
        if !entry.isSelected { notes.append("required by other tests") }
        return notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    }
}
