import Diagnostics
import FileSystem
import FoundationEssentials
import SuiteModel
import Testing

@testable import SuiteLoader

/// A folder with files that is removed at the end of the test.
final class ProjectFolder {
    let path: String

    init(_ files: [String: String]) throws {
        let folder = FileManager.default.temporaryDirectory.path
        path = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/apitest-" + UUID().uuidString
        for (name, text) in files {
            let file = path + "/" + name
            try FileManager.default.createDirectory(
                atPath: Path.parent(of: file), withIntermediateDirectories: true)
            _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Loads suites of the folder, which is the file root.
    func load(_ paths: String...) -> LoadResult {
        SuiteLoader(options: LoaderOptions(fileRoot: path, workingDirectory: path)).load(paths: paths)
    }

    /// Loads suites that have no mistake, and gives the expectations of their tests.
    func expectations(_ paths: String...) throws -> [ExpectationSet] {
        let result = SuiteLoader(options: LoaderOptions(fileRoot: path, workingDirectory: path)).load(paths: paths)
        try #require(result.diagnostics.isEmpty, "\(TextRenderer(color: false).render(result.diagnostics))")
        return result.suites.flatMap(\.tests).flatMap(\.steps).map(\.expectations)
    }
}
