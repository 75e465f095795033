import Diagnostics
import SuiteModel
import YAML

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
