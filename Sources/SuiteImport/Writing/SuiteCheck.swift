import Diagnostics
import FileSystem
import SuiteLoader
import YAML

/// Finds the tests of a written suite that the loader rejects.
struct SuiteCheck {
    /// The errors of the suite.
    let problems: [Diagnostic]
    /// The reasons by the index of the rejected test.
    private(set) var rejected: [Int: String] = [:]

    /// Loads a suite.
    ///
    /// - Parameter name: The name of its file in the output directory.
    init(_ text: [UInt8], as name: String, _ options: ImportOptions) {
        let file = SourceFile(name: name, text: text)
        let loader = SuiteLoader(
            options: LoaderOptions(fileRoot: options.workingDirectory, workingDirectory: options.workingDirectory))
        let loaded = loader.load(file, absolutePath: Path.absolute(name, in: options.outputDirectory))
        problems = loaded.diagnostics.filter { $0.severity == .error }
        if problems.isEmpty { return }
        let root = YAMLStream.parse(file).documents.first
        let starts = (root?["tests"]?.elements ?? []).map { Int($0.range.start.line) }
        for problem in problems {
            guard let line = problem.range.map({ Int($0.start.line) }), let first = starts.first, line >= first,
                problem.range?.file === file
            else { continue }
            let index = starts.count { $0 <= line } - 1
            if rejected[index] == nil { rejected[index] = problem.message }
        }
    }
}
