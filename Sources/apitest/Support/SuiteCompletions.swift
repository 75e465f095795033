import FileSystem
import RunModel
import SuiteLoader
import SuiteModel

/// What a shell completes from the suites that the command line names.
enum SuiteCompletions {
    /// The environments of the suites.
    static func environments(_ words: [String]) -> [String] {
        suites(of: words).flatMap(\.environments)
    }

    /// The tags of the suites' tests.
    static func tags(_ words: [String]) -> [String] {
        suites(of: words).flatMap { $0.tests.flatMap(\.tags) }
    }

    /// The names of the suites' tests.
    static func tests(_ words: [String]) -> [String] {
        suites(of: words).flatMap { suite in suite.tests.filter { $0.kind == .test }.map(\.name) }
    }

    /// The suites among some words of the command line, or those of the current folder; what is wrong with them counts
    /// for nothing here.
    private static func suites(of words: [String]) -> [Suite] {
        let paths = words.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
        let folder = Path.workingDirectory
        let loader = SuiteLoader(options: LoaderOptions(fileRoot: "/", workingDirectory: folder))
        return loader.load(paths: paths.isEmpty ? ["."] : paths).suites
    }
}
