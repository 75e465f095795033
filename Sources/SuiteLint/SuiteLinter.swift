public import Diagnostics
public import SuiteLoader
import SuiteModel
import YAML

/// Looks for what is allowed in a suite, and is probably a mistake.
public struct SuiteLinter {
    private let options: LintOptions

    /// What was found.
    public struct Findings {
        /// The warnings and what loading had found, without those that are switched off or allowed.
        public var diagnostics: [Diagnostic]
        /// Values that no output may show.
        public var secrets: [String]
    }

    /// Creates a linter.
    public init(_ options: LintOptions = LintOptions()) {
        self.options = options
    }

    /// Looks at suites that were loaded; at none when loading found an error.
    public func lint(_ result: LoadResult) -> Findings {
        guard !result.hasErrors else { return Findings(diagnostics: result.diagnostics, secrets: []) }
        var findings = Findings(diagnostics: [], secrets: [])
        var bag = DiagnosticBag(result.diagnostics.filter { !options.disabled.contains($0.id) })
        let checks = LintRules.checks.filter { options.isOn($0.rule) }
        var documents: [SourceFile: [YAMLNode]] = [:]
        var files: [SourceFile] = []
        for suite in result.suites {
            if documents[suite.file] == nil {
                documents[suite.file] = YAMLStream.parse(suite.file).documents
                files.append(suite.file)
            }
            guard let nodes = documents[suite.file], nodes.indices.contains(suite.documentIndex) else { continue }
            let subject = LintSubject(suite: suite, root: nodes[suite.documentIndex])
            for check in checks {
                let id = check.rule.id
                check.check(subject) { finding in
                    if let secret = finding.secret { findings.secrets.append(secret) }
                    bag.add(
                        Diagnostic(
                            id: id, severity: .warning, message: finding.message, range: finding.range,
                            related: finding.related, suggestion: finding.suggestion))
                }
            }
        }
        var allowances = files.flatMap(Allowance.all)
        findings.diagnostics = bag.sorted.filter { diagnostic in
            guard diagnostic.severity != .error, let range = diagnostic.range else { return true }
            var isAllowed = false
            for index in allowances.indices where allowances[index].covers(diagnostic.id, at: range) {
                allowances[index].isUsed = true
                isAllowed = true
            }
            return !isAllowed
        }
        guard options.isOn(LintRules.unusedAllowance) else { return findings }
        let known = LintRules.all.filter(options.isOn).map(\.id)
        let problems = allowances.compactMap { $0.problem(checked: known) }
        if !problems.isEmpty { findings.diagnostics = DiagnosticBag(findings.diagnostics + problems).sorted }
        return findings
    }
}

/// Which rules are checked.
public struct LintOptions: Sendable {
    /// The names of rules that are switched on beside those that are on by default.
    public var enabled: Set<String>
    /// The names of rules that are switched off; they win over ``enabled``.
    public var disabled: Set<String>

    /// Creates options.
    public init(enabled: Set<String> = [], disabled: Set<String> = []) {
        self.enabled = enabled
        self.disabled = disabled
    }

    /// Whether a rule is checked.
    func isOn(_ rule: LintRule) -> Bool {
        !disabled.contains(rule.id) && (rule.isOnByDefault || enabled.contains(rule.id))
    }
}

/// A rule of `apitest lint`: its name and what it looks for.
public struct LintRule: Sendable, Hashable {
    /// The rule's name, which is the id of its diagnostics; it never changes.
    public let id: String
    /// What the rule reports, in one sentence without a final full stop.
    public let summary: String
    /// Whether the rule is checked unless it is switched off.
    public let isOnByDefault: Bool

    init(_ id: String, _ summary: String, isOnByDefault: Bool = true) {
        self.id = id
        self.summary = summary
        self.isOnByDefault = isOnByDefault
    }
}

/// What finds the places that a rule is about.
protocol LintCheck: SendableMetatype {
    /// The rule.
    static var rule: LintRule { get }

    /// Reports what the rule finds in a suite.
    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void)
}

/// Something that a rule found.
struct LintFinding {
    /// What is wrong, in one sentence without a full stop.
    var message: String
    /// The place.
    var range: SourceRange
    /// Other places.
    var related: [Diagnostic.Related] = []
    /// What to do.
    var suggestion: String?
    /// A value that no output may show.
    var secret: String?
}

/// The rules of `apitest lint`.
public enum LintRules {
    /// What looks for each rule, in the order of the documentation.
    static let checks: [any LintCheck.Type] = [
        UnusedCapture.self, UnusedVariable.self, ShadowedName.self, NeverFails.self, NoExpectation.self,
        ConstantCondition.self, NoEffect.self, UnorderedTests.self, DuplicateName.self, FocusedTest.self,
        UnusedFragment.self, UnusedNamespace.self, PlainTextSecret.self,
    ]

    /// The rule for a comment that allows a rule that there is not, or one that finds nothing there.
    static let unusedAllowance = LintRule(
        "unused-allowance", "A comment `# apitest: allow …` that silences nothing, or names no rule")

    /// The rules that are checked by `lint` alone.
    public static let all: [LintRule] = checks.map { $0.rule } + [unusedAllowance]

    /// The warnings of every load, which can be switched off as rules can.
    public static let ofLoading: [LintRule] = [
        LintRule("invalid-dotenv", "A name that a dotenv file gives twice"),
        LintRule("missing-file", "A dotenv file that is not there, where a similar one is"),
        LintRule("missing-library", "libxml2, which XPath needs, is not installed"),
        LintRule("never-equal", "A duration that is expected to be exactly equal"),
        LintRule("short-secret", "A secret that is masked only where it is a whole value"),
        LintRule("unknown-keyword", "A keyword of a JSON Schema that is unknown, and much like a known one"),
        LintRule("unknown-secret", "A name under `secrets` that nothing has"),
        LintRule("unusual-method", "A method that is much like a usual one"),
    ]

    /// Every name that can be switched on or off.
    public static var names: [String] { (all + ofLoading).map(\.id) }
}

/// What the rules look at: a suite, its document, and the names in it.
struct LintSubject {
    /// The suite, without an error.
    let suite: Suite
    /// The document that it was read from.
    let root: YAMLNode
    /// The names that the document defines and uses.
    let names: NameTable

    /// Takes a suite and its document.
    init(suite: Suite, root: YAMLNode) {
        self.suite = suite
        self.root = root
        names = NameTable(root)
    }
}
