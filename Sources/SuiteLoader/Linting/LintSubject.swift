import SuiteModel
import YAML

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
