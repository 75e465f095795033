import FileSystem
import FoundationEssentials
package import SuiteLoader
package import SuiteModel

/// A directory with files that is removed at the end of the test.
package final class ProjectDirectory {
    /// The absolute path of the directory.
    package let path: String

    /// Creates the directory with files, given by their relative paths.
    package init(_ files: [String: String]) throws {
        let directory = FileManager.default.temporaryDirectory.path
        path = (directory.hasSuffix("/") ? String(directory.dropLast()) : directory) + "/apitest-" + UUID().uuidString
        for (name, text) in files {
            let file = path + "/" + name
            try FileManager.default.createDirectory(
                atPath: Path.parent(of: file), withIntermediateDirectories: true)
            _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Loads suites in the directory, which is the file root.
    package func load(_ paths: String...) -> LoadResult {
        SuiteLoader(options: LoaderOptions(fileRoot: path, workingDirectory: path)).load(paths: paths)
    }

    /// Loads suites without errors, and returns the expectations of their tests.
    package func expectations(_ paths: String...) throws -> [ExpectationSet] {
        let result = SuiteLoader(options: LoaderOptions(fileRoot: path, workingDirectory: path)).load(paths: paths)
        if !result.diagnostics.isEmpty { throw LoadProblems(result) }
        return result.suites.flatMap(\.tests).flatMap(\.steps).map(\.expectations)
    }
}
