import Diagnostics
import FileSystem
import SuiteLoader
import SuiteModel

extension SuiteLoader {
    /// Returns the suite files of paths, as found by ``load(paths:)``, and the searched directories.
    ///
    /// The files include paths that do not exist, because a file may be created there.
    func suiteFiles(at paths: [String]) -> (files: [SuiteFile], directories: [String]) {
        var finder = SuiteFinder(workingDirectory: options.workingDirectory)
        var missing: [SuiteFile] = []
        for path in paths {
            let absolute = Path.absolute(path, in: options.workingDirectory)
            if File.kind(of: absolute) == nil {
                missing.append(SuiteFile(path: path, absolutePath: absolute))
            } else {
                finder.add(path)
            }
        }
        let files = finder.files.map { SuiteFile(path: $0.path, absolutePath: $0.absolutePath) }
        return (files + missing, finder.directories)
    }

    /// Returns the absolute paths of the files that a suite depends on.
    ///
    /// These are the suite file and all files that it refers to directly or indirectly, such as mock files, data files,
    /// schemas, fragments, snapshots, and file arguments of its server command. Files named by a template while the
    /// suite runs are not included.
    ///
    /// - Returns: All files, and those that are only arguments of the server command, which may write them.
    func files(of suite: SuiteFile) -> (all: Set<String>, served: Set<String>) {
        let (result, paths) = FileLedger.recording {
            FileLedger.note(suite.absolutePath)
            return load(paths: [suite.path])
        }
        // A problem in another file may be fixed there.
        let others = result.diagnostics.compactMap { $0.range?.file.name }
        let read = paths.union(others.map { Path.normalized(Path.absolute($0, in: options.workingDirectory)) })
        let served = Set(result.suites.flatMap(servedFiles))
        return (read.union(served), served.subtracting(read))
    }

    /// Returns the files among the arguments of a server command.
    private func servedFiles(of suite: Suite) -> [String] {
        guard case .command(let command) = suite.serve else { return [] }
        return command.arguments.compactMap { word in
            guard let text = word.constantText, !text.hasPrefix("-") else { return nil }
            let path = Path.absolute(text, in: suite.directory)
            return File.kind(of: path) == .file ? Path.normalized(path) : nil
        }
    }
}

/// A suite file found from the paths on the command line.
struct SuiteFile: Sendable, Hashable {
    /// The path in messages.
    let path: String
    /// The absolute path.
    let absolutePath: String
}
