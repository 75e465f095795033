import Diagnostics
import Expectations
import FileSystem
import Glibc
import Runner
import SuiteModel

/// The baseline of a run, which is read before it and, if requested, written after it.
struct BaselineUse {
    /// A file with its directory.
    private struct Location {
        /// The path as given by the user.
        let path: String
        /// The absolute path of its directory.
        let directory: String

        init(_ path: String) {
            self.path = path
            let absolute = Path.absolute(path, in: Path.workingDirectory)
            directory = absolute.lastIndex(of: "/").map { String(absolute[..<$0]) } ?? "/"
        }

        var isThere: Bool { access(path, F_OK) == 0 }
    }

    /// The known findings.
    let baseline: Baseline
    private let written: Location?
    private let existing: BaselineFile?

    /// Reads the baseline files.
    ///
    /// - Parameters:
    ///   - known: The path of the baseline, or `nil` if there is none.
    ///   - written: The path of the baseline to write, or `nil` to write none.
    ///   - suites: The suites of the run.
    ///   - time: Seconds since 1970-01-01T00:00:00Z.
    ///   - report: Prints problems with the files.
    /// - Throws: ``ExitStatus/invalid`` if a file is missing or invalid. The error is printed.
    init(
        known: String?, written: String?, suites: [Suite], time: Double, report: ([Diagnostic]) -> Void
    ) throws {
        try self.init(known: known, written: written, report: report) { file, path in
            Baseline(known: file, path: path, suites: suites, time: time)
        }
    }

    /// Reads the baseline files of tests that are not written in a suite.
    ///
    /// - Parameters:
    ///   - known: The path of the baseline, or `nil` if there is none.
    ///   - written: The path of the baseline to write, or `nil` to write none.
    ///   - report: Prints problems with the files.
    ///   - make: Creates the baseline from the file that was read, if any, and its path.
    /// - Throws: ``ExitStatus/invalid`` if a file is missing or invalid. The error is printed.
    init(
        known: String?, written: String?, report: ([Diagnostic]) -> Void,
        make: (_ known: BaselineFile?, _ path: String?) -> Baseline
    ) throws {
        self.written = written.map { Location($0) }
        var file: BaselineFile?
        if let known {
            // If each run updates the baseline that it reads, the first one finds no file.
            if known != written || Location(known).isThere {
                file = try Self.read(Location(known), option: "--baseline", report: report)
            }
        }
        existing = try self.written.flatMap { location in
            location.isThere ? try Self.read(location, option: "--write-baseline", report: report) : nil
        }
        if let location = self.written {
            do throws(ReplacedFile.Failure) {
                try ReplacedFile.check(location.path, shown: location.path)
            } catch {
                throw ExitStatus.invalid(error.id, because: "--write-baseline: \(error.message)")
            }
        }
        baseline = make(file, file == nil ? nil : known)
    }

    private static func read(
        _ location: Location, option: String, report: ([Diagnostic]) -> Void
    ) throws -> BaselineFile {
        let text: [UInt8]
        do throws(FileAccess.Failure) {
            text = try FileAccess(root: "/").read(location.path, relativeTo: Path.workingDirectory)
        } catch {
            throw ExitStatus.invalid(error.id, because: "\(option): \(error.message)")
        }
        let (file, diagnostics) = BaselineFile.read(text, path: location.path)
        guard diagnostics.isEmpty else {
            report(diagnostics)
            throw ExitStatus.invalid
        }
        return file.resolved(in: location.directory)
    }

    /// Writes the findings of the run to the baseline if requested, and prints a message.
    ///
    /// - Returns: The exit status of the program.
    func finish(_ status: ExitStatus, mask: SnapshotMask?) -> ExitStatus {
        guard let written else { return status }
        if status == .interrupted {
            StandardError.write("\(written.path) was not written because the run was interrupted\n")
            return status
        }
        let file = baseline.written(existing: existing, mask: mask)
        let count = "\(file.entries.count) \(file.entries.count == 1 ? "finding" : "findings")"
        if let existing, Set(existing.entries) == Set(file.entries) {
            StandardError.write("\(written.path) is up to date, \(count)\n")
            return status
        }
        do throws(ReplacedFile.Failure) {
            let text = file.relative(to: written.directory).text
            try ReplacedFile.write(Array(text.utf8), to: written.path, shown: written.path)
        } catch {
            StandardError.report(error.id, "\(error.message)")
            return .internalError
        }
        StandardError.write("\(written.path) \(existing == nil ? "written" : "updated"), \(count)\n")
        return status
    }
}
