import Basics
import Diagnostics
import SuiteModel
import YAML

/// A rule of `apitest lint`.
public struct LintRule: Sendable, Hashable {
    /// The name of the rule, which is the id of its diagnostics. It never changes.
    public let id: String
    /// A summary of the rule: one sentence without a final period.
    public let summary: String
    /// Whether the rule is checked by default.
    public let isOnByDefault: Bool

    init(_ id: String, _ summary: String, isOnByDefault: Bool = true) {
        self.id = id
        self.summary = summary
        self.isOnByDefault = isOnByDefault
    }
}

/// A check that finds violations of a rule.
protocol LintCheck: SendableMetatype {
    /// The rule.
    static var rule: LintRule { get }

    /// Checks a suite and reports the findings.
    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void)
}

/// A violation of a rule.
struct LintFinding {
    /// The message: one sentence without a final period.
    var message: MessageText
    /// The source range of the violation.
    var range: SourceRange
    /// Related locations.
    var related: [Diagnostic.Related] = []
    /// The suggested fix.
    var suggestion: MessageText?
    /// The edits that remove the violation without changing what the suite accepts; empty if there are none.
    var edits: [TextEdit] = []
    /// A secret value that must be masked in all output.
    var secret: String?

    /// Returns the warning of a rule.
    func diagnostic(_ rule: String) -> Diagnostic {
        Diagnostic(
            id: rule, severity: .warning, message: message, range: range, related: related, suggestion: suggestion)
    }
}

/// The subject of a check: a suite, its document, and its names.
struct LintSubject {
    /// The suite, which has no errors.
    let suite: Suite
    /// The document that the suite was loaded from.
    let root: YAMLNode
    /// The names that the document defines and uses.
    let names: NameTable

    /// Creates the subject for a suite and its document.
    ///
    /// - Parameter settings: The documents of the settings files that the suite extends.
    init(suite: Suite, root: YAMLNode, settings: [YAMLNode] = []) {
        self.suite = suite
        self.root = root
        names = NameTable(root, settings: settings)
    }
}
