import Diagnostics
import Glibc
import Runner
import SuiteModel

/// Finds and reads the locks of suites.
struct LockedSuites {
    /// The suites of one file, and where its lock is.
    struct File {
        /// The lock's path that people are shown.
        var path: String
        /// The lock's name in the folder.
        var name: String
        /// The folder, absolute.
        var folder: String
        /// The name of the suite's file.
        var suiteName: String
        /// The suites of the file among those of a run.
        var indices: [Int]
    }

    /// What was read of a file.
    enum Reading {
        case missing
        case lock(SuiteLock, text: [UInt8])
        case problems([Diagnostic])
        case unreadable(String)
    }

    /// The folder that the locks must be in, absolute.
    let root: String

    /// The files of some suites, in their order.
    func files(of suites: [Suite]) -> [File] {
        var files: [File] = []
        for (index, suite) in suites.enumerated() {
            let path = LockFile.path(ofSuite: suite.path)
            if let known = files.firstIndex(where: { $0.path == path }) {
                files[known].indices.append(index)
                continue
            }
            files.append(
                File(
                    path: path, name: Self.name(of: path), folder: suite.folder, suiteName: Self.name(of: suite.path),
                    indices: [index]))
        }
        return files
    }

    private static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Reads the lock of a file.
    func read(_ file: File) -> Reading {
        var information = stat()
        let path = "\(file.folder)/\(file.name)"
        if lstat(path, &information) != 0, errno == ENOENT || errno == ENOTDIR { return .missing }
        let text: [UInt8]
        do throws(FileAccess.Failure) {
            text = try FileAccess(root: root).read(path, relativeTo: file.folder)
        } catch {
            return .unreadable(error.message.replacing(path, with: file.path))
        }
        let (lock, diagnostics) = SuiteLock.read(text, path: file.path)
        let hasErrors = diagnostics.contains { $0.severity == .error }
        return hasErrors ? .problems(diagnostics) : .lock(lock, text: text)
    }

    /// What holds the responses of suites against their locks.
    ///
    /// - Parameter report: Prints problems of locks.
    /// - Throws: ``ExitStatus/invalid`` when a lock is missing or wrong, which is printed.
    func comparison(of suites: [Suite], report: ([Diagnostic]) -> Void) throws -> ResponseLocks {
        var locks: [Int: SuiteLock] = [:]
        var isGood = true
        for file in files(of: suites) {
            switch read(file) {
            case .missing:
                isGood = false
                StandardError.write(
                    "apitest: --locked: there is no lock \(file.path); \"apitest lock\" with the suite's path writes it\n"
                )
            case .unreadable(let message):
                isGood = false
                StandardError.write("apitest: --locked: \(message)\n")
            case .problems(let diagnostics):
                isGood = false
                report(diagnostics)
            case .lock(let lock, _):
                for index in file.indices { locks[index] = lock }
            }
        }
        guard isGood else { throw ExitStatus.invalid }
        return ResponseLocks(comparing: suites, with: suites.indices.compactMap { locks[$0] })
    }
}
