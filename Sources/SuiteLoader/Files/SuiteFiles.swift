import Diagnostics
import FileSystem
import SuiteModel
import Synchronization

extension SuiteLoader {
    /// The suite files that paths stand for, as ``load(paths:)`` finds them, and the folders that were searched.
    ///
    /// A path without a file is among the files all the same, as one may come to be there.
    public func suiteFiles(at paths: [String]) -> (files: [SuiteFile], folders: [String]) {
        var finder = SuiteFinder(workingDirectory: options.workingDirectory)
        var missing: [SuiteFile] = []
        for path in paths {
            let absolute = Path.absolute(path, in: options.workingDirectory)
            if FileSystem.kind(of: absolute) == nil {
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
    public func files(of suite: SuiteFile) -> (all: Set<String>, served: Set<String>) {
        let ledger = FileLedger()
        let result = FileLedger.$current.withValue(ledger) {
            FileLedger.note(suite.absolutePath)
            return load(paths: [suite.path])
        }
        let servers = FileLedger()
        FileLedger.$current.withValue(servers) {
            for suite in result.suites { noteServedFiles(of: suite) }
        }
        // What is wrong in another file may be mended there.
        let others = result.diagnostics.compactMap { $0.range?.file.name }
        let read = ledger.paths.union(
            others.map { Path.normalized(Path.absolute($0, in: options.workingDirectory)) })
        return (read.union(servers.paths), servers.paths.subtracting(read))
    }

    /// Notes the files among the words of a server's command.
    private func noteServedFiles(of suite: Suite) {
        guard case .command(let command) = suite.serve else { return }
        for word in command.arguments {
            guard let text = word.constantText, !text.hasPrefix("-") else { continue }
            let path = Path.absolute(text, in: suite.folder)
            if FileSystem.kind(of: path) == .file { FileLedger.note(path) }
        }
    }
}

/// A suite file that paths on the command line stand for.
public struct SuiteFile: Sendable, Hashable {
    /// The path as the user is shown it.
    public let path: String
    /// The absolute path.
    public let absolutePath: String
}

/// Notes which files are read, or looked for, while something is loaded.
final class FileLedger: Sendable {
    /// The ledger of the load that the current task makes, if it is wanted.
    @TaskLocal static var current: FileLedger?

    private let noted = Mutex<Set<String>>([])

    /// The paths that were noted, absolute.
    var paths: Set<String> { noted.withLock { $0 } }

    /// Notes a path in the current ledger, if there is one.
    static func note(_ path: String) {
        guard let current else { return }
        let path = Path.normalized(path)
        guard path.hasPrefix("/") else { return }
        current.noted.withLock { _ = $0.insert(path) }
    }
}
