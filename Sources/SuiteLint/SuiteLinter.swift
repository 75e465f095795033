public import Diagnostics
import FileSystem
public import SuiteLoader
public import SuiteModel
import YAML

/// Finds probable errors in valid suites.
public struct SuiteLinter {
    private let options: LintOptions

    /// The findings of a linter.
    public struct Findings {
        /// The warnings of the rules and of the loader, without those that are disabled or allowed.
        public var diagnostics: [Diagnostic]
        /// Secret values that must be masked in all output.
        public var secrets: [String]
        /// The edits that remove some of the warnings.
        public var edits: [TextEdit] = []
    }

    /// Creates a linter.
    public init(_ options: LintOptions = LintOptions()) {
        self.options = options
    }

    /// Checks loaded suites; does nothing if loading found an error.
    public func lint(_ result: LoadResult) -> Findings {
        guard !result.hasErrors else { return Findings(diagnostics: result.diagnostics, secrets: []) }
        var findings = Findings(diagnostics: [], secrets: [])
        var bag = DiagnosticBag(result.diagnostics.filter { !options.disabled.contains($0.id) })
        let checks = LintRules.checks.filter { options.isOn($0.rule) }
        var documents: [SourceFile: [YAMLNode]] = [:]
        var files: [SourceFile] = []
        var edits: [Diagnostic: [TextEdit]] = [:]
        var settings: [String: [YAMLNode]] = [:]
        var mocks: Set<String> = []
        func note(_ finding: LintFinding, _ rule: LintRule) {
            if let secret = finding.secret { findings.secrets.append(secret) }
            let diagnostic = finding.diagnostic(rule.id)
            bag.add(diagnostic)
            if !finding.edits.isEmpty { edits[diagnostic] = finding.edits }
        }
        for suite in result.suites {
            if documents[suite.file] == nil {
                documents[suite.file] = YAMLStream.parse(suite.file).documents
                files.append(suite.file)
            }
            if case .mock(let mock, _) = suite.serve, mocks.insert(mock.file.name).inserted {
                files.append(mock.file)
                check(mock) { note($0, SingleValueMatcher.rule) }
            }
            guard let nodes = documents[suite.file], nodes.indices.contains(suite.documentIndex) else { continue }
            for path in suite.settingsFiles where settings[path] == nil {
                let bytes = (try? File.bytes(at: path)) ?? []
                settings[path] = YAMLStream.parse(SourceFile(name: path, text: bytes)).documents
            }
            let subject = LintSubject(
                suite: suite, root: nodes[suite.documentIndex],
                settings: suite.settingsFiles.flatMap { settings[$0] ?? [] })
            for check in checks { check.check(subject) { note($0, check.rule) } }
        }
        var allowances = files.flatMap(Allowance.all)
        findings.diagnostics = bag.sorted.filter { !Allowance.use(&allowances, for: $0) }
        findings.edits = findings.diagnostics.flatMap { edits[$0] ?? [] }
        guard options.isOn(LintRules.unusedAllowance) else { return findings }
        let known = LintRules.all.filter(options.isOn).map(\.id)
        let problems = allowances.compactMap { $0.problem(checked: known) }
        if !problems.isEmpty { findings.diagnostics = DiagnosticBag(findings.diagnostics + problems).sorted }
        return findings
    }

    /// Checks a loaded mock file.
    public func lint(_ mock: MockDefinition) -> [Diagnostic] {
        var bag = DiagnosticBag()
        check(mock) { bag.add($0.diagnostic(SingleValueMatcher.rule.id)) }
        var allowances = Allowance.all(in: mock.file)
        return bag.sorted.filter { !Allowance.use(&allowances, for: $0) }
    }

    private func check(_ mock: MockDefinition, _ note: (LintFinding) -> Void) {
        if options.isOn(SingleValueMatcher.rule) { SingleValueMatcher.check(mock, note) }
    }
}

/// The selection of rules to check.
public struct LintOptions: Sendable {
    /// The names of rules to check in addition to those that are on by default.
    public var enabled: Set<String>
    /// The names of rules not to check; they take precedence over ``enabled``.
    public var disabled: Set<String>

    /// Creates options.
    public init(enabled: Set<String> = [], disabled: Set<String> = []) {
        self.enabled = enabled
        self.disabled = disabled
    }

    /// Returns whether a rule is checked.
    func isOn(_ rule: LintRule) -> Bool {
        !disabled.contains(rule.id) && (rule.isOnByDefault || enabled.contains(rule.id))
    }
}
