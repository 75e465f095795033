import Diagnostics
import SuiteLoader
import SuiteTestSupport
import Testing

/// A suite with mistakes, and what is said about them.
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

    /// The problems of the suite as a terminal shows them.
    var rendered: String { TextRenderer(color: false).render(load(suite).diagnostics) }
}
