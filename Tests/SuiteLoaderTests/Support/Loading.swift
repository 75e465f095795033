import Diagnostics
import SuiteLoader
import SuiteModel
import Testing

/// Loads the text of a suite as the file `a.yaml` in a folder that does not exist.
func load(_ text: String, variables: [String: String] = [:]) -> LoadResult {
    var options = LoaderOptions(fileRoot: "/project", workingDirectory: "/project", variables: variables)
    options.canEvaluateXPath = { true }
    return SuiteLoader(options: options).load(
        SourceFile(name: "a.yaml", text: text), absolutePath: "/project/suites/a.yaml")
}

/// Loads a suite that has no mistake.
func loadGood(_ text: String, variables: [String: String] = [:]) throws -> Suite {
    let result = load(text, variables: variables)
    try #require(result.diagnostics.isEmpty, "\(TextRenderer(color: false).render(result.diagnostics))")
    return try #require(result.suites.first)
}

/// Loads a suite with one test that has one exchange, and gives its step.
func loadStep(_ lines: String) throws -> SuiteStep {
    let indented = lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    let suite = try loadGood(
        "baseURL: http://localhost\nvariables: { x: 1, y: two }\ntests:\n  - name: a\n"
            + indented.joined(separator: "\n") + "\n")
    return try #require(suite.tests.first?.steps.first)
}

/// The request of the only step of a suite that has nothing else.
func loadRequest(_ lines: String) throws -> RequestSpec {
    try #require(loadStep(lines).request)
}
