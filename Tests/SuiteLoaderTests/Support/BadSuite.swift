import Diagnostics
import SuiteLoader
import SuiteTestSupport
import Testing

/// A suite with errors, and the expected diagnostics.
struct BadSuite: CustomTestStringConvertible, Sendable {
    let name: String
    let suite: String
    let expected: String

    init(_ name: String, suite: String, expected: String) {
        self.name = name
        self.suite = suite.isEmpty ? "" : suite + "\n"
        self.expected = expected + "\n"
    }

    var testDescription: String { name }

    /// The diagnostics of the suite as displayed on a terminal.
    var rendered: String { TextRenderer(color: false).render(load(suite).diagnostics) }
}
