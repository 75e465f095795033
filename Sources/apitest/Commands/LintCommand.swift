import Basics
import Diagnostics
import JSON
import Redaction
import Reports
import RunModel
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
        name: "lint", abstract: "Find every problem of suites; nothing is sent.",
        discussion: """
            Exit status: 0 when there is no error; 2 when there is one, or, with --strict, a warning. A comment \
            `# apitest: allow RULE` silences a rule on its line, or alone on a line on the next one; \
            `# apitest: allow-file RULE` in the whole file.
            """)

    var suiteOptions = SuiteOptions()
    var configurationOptions = ConfigurationOptions()
    var format: Format = .text
    var strict = false
    var enable: [String] = []
    var disable: [String] = []
    var rules = false

    static var syntax: [Syntax] {
        [
            .group(\.suiteOptions),
            .group(\.configurationOptions),
            .option("format", \.format, "How problems are written: text, json or github (workflow commands)."),
            .flag("strict", \.strict, "Let warnings fail as errors do: exit status 2."),
            .option(
                "enable", value: "rule", \.enable, "Check this rule too; may be repeated.",
                completion: .words { _ in LintRules.names }),
            .option(
                "disable", value: "rule", \.disable, "Do not check this rule; may be repeated.",
                completion: .words { _ in LintRules.names }),
            .flag("rules", \.rules, "List the rules, and read no suite."),
        ]
    }

    func validate() throws {
        for (option, names) in [("--enable", enable), ("--disable", disable)] {
            for name in names where !LintRules.names.contains(name) {
                let nearest = Spelling.nearest(to: name, among: LintRules.names)
                throw UsageError(
                    "\(option) \(name): there is no such rule; "
                        + (nearest.map { "did you mean \"\($0)\"?" } ?? "\"apitest lint --rules\" lists them"))
            }
        }
        if !rules { try suiteOptions.requirePaths() }
    }

    func run() throws {
        if rules {
            StandardOutput.write(format == .json ? Self.rulesAsJSON() : Self.rulesAsText())
            return
        }
        let loaded = try suiteOptions.loadAll(missingLibrary: .warning)
        KeptUntilExit.keep(loaded.suites)
        let linter = SuiteLinter(LintOptions(enabled: Set(enable), disabled: Set(disable)))
        let findings = linter.lint(loaded.suites)
        let mask = SecretMask(loaded.suites.secretValues + findings.secrets)
        let diagnostics = mask.masked(findings.diagnostics)
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

    private static func summary(of suites: [Suite], _ diagnostics: [Diagnostic]) -> String {
        let tests = suites.reduce(0) { $0 + $1.tests.count { $0.kind == .test } }
        let problems = diagnostics.isEmpty ? "no problem" : count(diagnostics.count, "warning")
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
        return "Rules of lint:\n" + lines(LintRules.all) + "\nWarnings of every load:\n" + lines(LintRules.ofLoading)
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
