import Basics
import Diagnostics
import FileSystem
import JSON
import Redaction
import Reports
import RunModel
import Runner
import SuiteFormat
import SuiteLint
import SuiteLoader
import SuiteModel

/// The `apitest lint PATH…` command.
struct LintCommand: SynchronousCommand {
    /// The output format of problems.
    enum Format: String, ArgumentValue, CaseIterable {
        case text, json, github
    }

    static let description = CommandDescription(
        name: "lint", abstract: "Check suites without sending requests",
        discussion: """
            Exit status: 0 no errors; 2 errors, or warnings with --strict. The comment `# apitest: allow RULE` suppresses a \
            rule on its line, or on the next line if it is on a line of its own; `# apitest: allow-file RULE` suppresses \
            it in the whole file.
            """)

    var suiteOptions = SuiteOptions()
    var configurationOptions = ConfigurationOptions()
    var format: Format = .text
    var strict = false
    var fix = false
    var enable: [String] = []
    var disable: [String] = []
    var rules = false

    static var syntax: [Syntax] {
        [
            .group(\.suiteOptions),
            .group(\.configurationOptions),
            .option("format", \.format, "Output format; github writes workflow commands"),
            .flag("strict", \.strict, "Treat warnings as errors (exit status 2)"),
            .flag("fix", \.fix, "Rewrite what a rule can fix safely, and report the rest"),
            .option(
                "enable", value: "rule", \.enable, "Enable this rule",
                completion: .words { _ in LintRules.names }),
            .option(
                "disable", value: "rule", \.disable, "Disable this rule",
                completion: .words { _ in LintRules.names }),
            .flag("rules", \.rules, "List all rules and exit"),
        ]
    }

    func validate() throws {
        for (option, names) in [("--enable", enable), ("--disable", disable)] {
            for name in names where !LintRules.names.contains(name) {
                let nearest = Spelling.nearest(to: name, among: LintRules.names)
                throw UsageError(
                    .unknownValue,
                    "\(option): unknown rule \"\(name)\"; "
                        + (nearest.map { "did you mean \"\($0)\"?" } ?? "\"apitest lint --rules\" lists all rules"))
            }
        }
        if !rules { try suiteOptions.requireSuites() }
    }

    func run() throws {
        if rules {
            StandardOutput.write(format == .json ? Self.rulesAsJSON() : Self.rulesAsText())
            return
        }
        var loaded = try suiteOptions.loadAll(missingLibrary: .warning)
        KeptUntilExit.keep(loaded.suites)
        let linter = SuiteLinter(LintOptions(enabled: Set(enable), disabled: Set(disable)))
        var findings = linter.lint(loaded.suites)
        var problems: [Diagnostic] = []
        if fix, !findings.edits.isEmpty {
            problems = write(findings.edits)
            loaded = try suiteOptions.loadAll(missingLibrary: .warning)
            KeptUntilExit.keep(loaded.suites)
            findings = linter.lint(loaded.suites)
        }
        let mask = SecretMask(loaded.suites.secretValues + findings.secrets)
        let diagnostics = mask.masked(problems + findings.diagnostics)
        let hasErrors = diagnostics.contains { $0.severity == .error }
        switch format {
        case .text: suiteOptions.printDiagnostics(diagnostics)
        case .json: StandardOutput.write(JSONRenderer().render(diagnostics))
        case .github: StandardOutput.write(GitHubRenderer().render(diagnostics))
        }
        if hasErrors { throw ExitStatus.invalid }
        if format == .text { StandardOutput.write(Self.summary(of: loaded.suites.suites, diagnostics)) }
        if strict, !diagnostics.isEmpty { throw ExitStatus.invalid }
    }

    /// Writes files with their edits, and returns an error for each file that cannot be written.
    private func write(_ edits: [TextEdit]) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        let root = suiteOptions.absoluteFileRoot
        for (file, text) in TextEdit.applied(edits) {
            let path = Path.absolute(file.name, in: Path.workingDirectory)
            let target = Path.real(path) ?? path
            // As for `fmt`, a link does not lead out of the project.
            guard target == Path.normalized(path) || Path.isInside(target, Path.real(root) ?? root) else { continue }
            do throws(FileWriteFailure) {
                try FormattedFile(path: file.name, target: target, before: file.text, after: text).write()
                if format == .text { StandardOutput.write("fixed \(file.name)\n") }
            } catch {
                problems.append(
                    Diagnostic(
                        id: "unwritable-file", message: "the file \"\(file.name)\" cannot be written: \(error.reason)"))
            }
        }
        return problems
    }

    private static func summary(of suites: [Suite], _ diagnostics: [Diagnostic]) -> String {
        // Counted as a run counts them, with each row of a test.
        let tests = TestPlan(suites: suites).testCount
        let problems = diagnostics.isEmpty ? "no problems" : count(diagnostics.count, "warning")
        return "\(count(suites.count, "suite")) with \(count(tests, "test")): \(problems)\n"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    // MARK: Rules

    private static func rulesAsText() -> String {
        let width = LintRules.names.reduce(0) { max($0, $1.utf8.count) } + 2
        func lines(_ rules: [LintRule]) -> String {
            rules.map { rule in
                let gap = String(repeating: " ", count: width - rule.id.utf8.count)
                return "  \(rule.id)\(gap)\(rule.summary)\(rule.isOnByDefault ? "" : " (only with --enable)")\n"
            }.joined()
        }
        return "Lint rules:\n" + lines(LintRules.all) + "\nWarnings reported whenever suites are loaded:\n"
            + lines(LintRules.ofLoading)
    }

    private static func rulesAsJSON() -> String {
        let objects = [(LintRules.all, "lint"), (LintRules.ofLoading, "load")].flatMap { rules, stage in
            rules.map { rule in
                JSONValue.object([
                    "id": .string(rule.id), "summary": .string(rule.summary), "default": .bool(rule.isOnByDefault),
                    "stage": .string(stage),
                ])
            }
        }
        return JSONValue.array(objects).serialized(.pretty) + "\n"
    }
}
