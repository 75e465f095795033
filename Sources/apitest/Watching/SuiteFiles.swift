import Diagnostics
import FileSystem
import SuiteLoader
import SuiteModel

extension SuiteLoader {
    /// The suite files that paths stand for, as ``load(paths:)`` finds them, and the folders that were searched.
    ///
    /// A path without a file is among the files all the same, as one may come to be there.
    func suiteFiles(at paths: [String]) -> (files: [SuiteFile], folders: [String]) {
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
        return (files + missing, finder.folders)
    }

    /// The files that a suite file is made of, as absolute paths: itself, and what it names and names that in turn, such
    /// as mock files, data files, schemas, fragments, snapshots, and the files that its server's command is given.
    ///
    /// Files that are named only while the suite runs, by a template, are not among them.
    ///
    /// - Returns: all files, and those of them that only the server's command is given, which it may write.
    func files(of suite: SuiteFile) -> (all: Set<String>, served: Set<String>) {
        let (result, paths) = FileLedger.recording {
            FileLedger.note(suite.absolutePath)
            return load(paths: [suite.path])
        }
        // What is wrong in another file may be mended there.
        let others = result.diagnostics.compactMap { $0.range?.file.name }
        let read = paths.union(others.map { Path.normalized(Path.absolute($0, in: options.workingDirectory)) })
        let served = Set(result.suites.flatMap(servedFiles))
        return (read.union(served), served.subtracting(read))
    }

    /// The files among the words of a server's command.
    private func servedFiles(of suite: Suite) -> [String] {
        guard case .command(let command) = suite.serve else { return [] }
        return command.arguments.compactMap { word in
            guard let text = word.constantText, !text.hasPrefix("-") else { return nil }
            let path = Path.absolute(text, in: suite.folder)
            return File.kind(of: path) == .file ? Path.normalized(path) : nil
        }
    }
}

/// A suite file that paths on the command line stand for.
struct SuiteFile: Sendable, Hashable {
    /// The path as the user is shown it.
    let path: String
    /// The absolute path.
    let absolutePath: String
}
