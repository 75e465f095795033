import Diagnostics
package import SuiteLoader
package import SuiteModel

/// Loads the text of a suite as the file `a.yaml` in a folder that does not exist.
package func load(_ text: String, variables: [String: String] = [:]) -> LoadResult {
    var options = LoaderOptions(fileRoot: "/project", workingDirectory: "/project", variables: variables)
    options.canEvaluateXPath = { true }
    return SuiteLoader(options: options).load(
        SourceFile(name: "a.yaml", text: text), absolutePath: "/project/suites/a.yaml")
}

/// Loads a suite that has no mistake.
package func loadGood(_ text: String, variables: [String: String] = [:]) throws -> Suite {
    let result = load(text, variables: variables)
    guard result.diagnostics.isEmpty, let suite = result.suites.first else { throw LoadProblems(result) }
    return suite
}

/// The problems of a suite that should have none.
package struct LoadProblems: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error from what was loaded.
    package init(_ result: LoadResult) {
        description = TextRenderer(color: false).render(result.diagnostics)
    }
}
