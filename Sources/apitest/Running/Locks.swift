import Basics
import Diagnostics
import Expectations
import Glibc
import Runner
import SuiteFormat
import SuiteModel

/// Access to the response locks of suites.
struct LockedSuites {
    /// The suites of a file, with the location of its response lock.
    struct File {
        /// The path of the lock in messages.
        var path: String
        /// The file name of the lock.
        var name: String
        /// The absolute path of the directory.
        var directory: String
        /// The name of the suite file.
        var suiteName: String
        /// The indices of the file's suites in the run.
        var indices: [Int]
    }

    /// The result of reading a lock.
    enum Reading {
        case missing
        case lock(SuiteLock, text: [UInt8])
        case problems([Diagnostic])
        case unreadable(FileAccess.Failure)
    }

    /// The absolute path of the directory that must contain the locks.
    let root: String

    /// Returns the files of suites, in their order.
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
                    path: path, name: Self.name(of: path), directory: suite.directory,
                    suiteName: Self.name(of: suite.path),
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
        let path = "\(file.directory)/\(file.name)"
        if lstat(path, &information) != 0, errno == ENOENT || errno == ENOTDIR { return .missing }
        let text: [UInt8]
        do throws(FileAccess.Failure) {
            text = try FileAccess(root: root).read(path, relativeTo: file.directory)
        } catch {
            var error = error
            error.message = error.message.replacing(path, with: file.path)
            return .unreadable(error)
        }
        let (lock, diagnostics) = SuiteLock.read(text, path: file.path)
        let hasErrors = diagnostics.contains { $0.severity == .error }
        return hasErrors ? .problems(diagnostics) : .lock(lock, text: text)
    }

    /// Reads the locks against which the responses of suites are validated.
    ///
    /// - Parameter report: Prints problems with the locks.
    /// - Throws: ``ExitStatus/invalid`` if a lock is missing or invalid. The error is printed.
    func comparison(of suites: [Suite], report: ([Diagnostic]) -> Void) throws -> ResponseLocks {
        var locks: [Int: SuiteLock] = [:]
        var isGood = true
        for file in files(of: suites) {
            switch read(file) {
            case .missing:
                isGood = false
                StandardError.report(
                    .missingFile,
                    "--locked: \"\(file.path)\" does not exist: create it with \"apitest lock\" and the suite's path")
            case .unreadable(let error):
                isGood = false
                StandardError.report(error.id, "--locked: \(error.message)")
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

/// A writer of response locks, used after a run that recorded the responses.
struct LockWriting {
    /// The treatment of existing locks.
    enum Mode {
        /// Compares them with the run and shows the differences, without writing anything.
        case compare
        /// Merges new data into them.
        case update
        /// Replaces them.
        case replace
    }

    /// The responses of the run.
    let responses: ResponseLocks
    private let locked: LockedSuites
    private let mode: Mode
    /// Whether only some of the tests run, so that the locks of others must be kept.
    private let isPartial: Bool
    private let files: [LockedSuites.File]
    private let existing: [(lock: LockFile, text: [UInt8])?]
    private let documents: [Suite]

    /// Reads the existing locks before anything is sent.
    ///
    /// - Parameters:
    ///   - suites: The suites of the run.
    ///   - documents: All loaded suites.
    ///   - environment: The environment of the process, in which `CI` prevents writing new locks.
    ///   - report: Prints problems with the locks.
    /// - Throws: ``ExitStatus/invalid`` if a lock is not writable or is invalid. The error is printed.
    init(
        of suites: [Suite], documents: [Suite], root: String, mode: Mode, isPartial: Bool,
        environment: [String: String], report: ([Diagnostic]) -> Void
    ) throws {
        locked = LockedSuites(root: root)
        self.mode = mode
        self.isPartial = isPartial
        self.documents = documents
        files = locked.files(of: suites)
        responses = ResponseLocks(recording: suites)
        let mayWrite = mode != .compare || SnapshotMode(environment: environment) != .readOnly
        var existing: [(lock: LockFile, text: [UInt8])?] = []
        var isGood = true
        /// Checks that the lock of a file is writable.
        func check(_ file: LockedSuites.File) {
            do throws(ReplacedFile.Failure) {
                try ReplacedFile.check("\(file.directory)/\(file.name)", shown: file.path, root: root)
            } catch {
                isGood = false
                StandardError.report(error.id, error.message.text)
            }
        }
        for file in files {
            switch locked.read(file) {
            case .missing:
                existing.append(nil)
                if mayWrite {
                    check(file)
                    continue
                }
                isGood = false
                StandardError.report(
                    .missingFile, "\"\(file.path)\" does not exist, and CI is set: use --update to create it")
            case .unreadable(let error):
                isGood = false
                StandardError.report(error.id, error.message.text)
            case .problems(let diagnostics):
                // A lock that is replaced need not be valid.
                existing.append(nil)
                if mode == .replace, !isPartial {
                    check(file)
                    continue
                }
                isGood = false
                report(diagnostics)
            case .lock(let lock, let text):
                existing.append((lock.file, text))
                if mode != .compare { check(file) }
            }
        }
        guard isGood else { throw ExitStatus.invalid }
        self.existing = existing
    }

    /// Writes the locks or shows the differences, and prints a message.
    ///
    /// - Parameters:
    ///   - status: The exit status without considering locks.
    ///   - mask: A mask for secrets.
    /// - Returns: The exit status of the program.
    func finish(_ status: ExitStatus, mask: SnapshotMask?) -> ExitStatus {
        if status == .interrupted {
            StandardError.write("no lock was written because the run was interrupted\n")
            return status
        }
        var result = status
        for (index, file) in files.enumerated() {
            let isWritten = finish(file, existing: existing[index], mask: mask, status: &result)
            if !isWritten, result == .passed { result = .failed }
        }
        return result
    }

    /// Writes the lock of a file or shows the differences.
    ///
    /// - Returns: Whether the lock matches the run.
    private func finish(
        _ file: LockedSuites.File, existing: (lock: LockFile, text: [UInt8])?, mask: SnapshotMask?,
        status: inout ExitStatus
    ) -> Bool {
        let lock = responses.lockFile(
            ofSuites: file.indices,
            documents: documents.filter { LockFile.path(ofSuite: $0.path) == file.path }, existing: existing?.lock,
            merges: mode == .update || isPartial, mask: mask)
        let shown = { (text: String) in mask?(text) ?? text }
        let failed = file.indices.flatMap(responses.failedTests)
        if !failed.isEmpty {
            let names = failed.map { "\"\($0)\"" }.joined(separator: ", ")
            StandardError.write("\(file.path): tests that did not pass are not locked: \(shown(names))\n")
        }
        let entries = "\(lock.entries.count) \(lock.entries.count == 1 ? "entry" : "entries")"
        if let existing, existing.lock.entries == lock.entries {
            StandardError.write("\(file.path) is up to date, \(entries)\n")
            return true
        }
        if existing == nil, lock.entries.isEmpty {
            StandardError.write("\(file.path) was not written: no responses to lock\n")
            return true
        }
        let text = Array(lock.text(ofSuite: file.suiteName).utf8)
        let reading = SuiteLock.read(text, path: file.path)
        guard reading.diagnostics.isEmpty, reading.lock.file.entries == lock.entries else {
            StandardError.report(.internalError, "\(file.path) was not written: it could not be read back")
            status = .internalError
            return false
        }
        if let existing, mode == .compare {
            StandardOutput.write(
                shown(UnifiedDifference(before: existing.text, after: text).unified(name: file.path, note: "this run")))
            StandardOutput.flush()
            StandardError.write(
                "\(file.path) differs from this run: use --update to merge the run into it, or --replace to rewrite it\n"
            )
            return false
        }
        do throws(ReplacedFile.Failure) {
            try ReplacedFile.write(text, to: "\(file.directory)/\(file.name)", shown: file.path, root: locked.root)
        } catch {
            StandardError.report(error.id, error.message.text)
            status = .internalError
            return false
        }
        StandardError.write("\(file.path) \(existing == nil ? "written" : "updated"), \(entries)\n")
        return true
    }
}
