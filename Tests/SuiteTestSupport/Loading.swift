import Diagnostics
package import SuiteLoader
package import SuiteModel

/// Loads the text of a suite as the file `a.yaml` in a nonexistent directory.
package func load(_ text: String, variables: [String: String] = [:]) -> LoadResult {
    var options = LoaderOptions(fileRoot: "/project", workingDirectory: "/project", variables: variables)
    options.canEvaluateXPath = { true }
    return SuiteLoader(options: options).load(
        SourceFile(name: "a.yaml", text: text), absolutePath: "/project/suites/a.yaml")
}

/// Loads a suite without errors.
package func loadGood(_ text: String, variables: [String: String] = [:]) throws -> Suite {
    let result = load(text, variables: variables)
    guard result.diagnostics.isEmpty, let suite = result.suites.first else { throw LoadProblems(result) }
    return suite
}

/// The unexpected diagnostics of a suite.
package struct LoadProblems: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error from the result of loading.
    package init(_ result: LoadResult) {
        description = TextRenderer(color: false).render(result.diagnostics)
    }
}
