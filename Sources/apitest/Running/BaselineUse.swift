import Diagnostics
import Expectations
import FileSystem
import Glibc
import Runner
import SuiteModel

/// The baseline of a run, which is read before it and, if requested, written after it.
struct BaselineUse {
    /// A file with its directory.
    private struct Place {
        /// The path as given by the user.
        let path: String
        /// The absolute path of its directory.
        let folder: String

        init(_ path: String) {
            self.path = path
            let absolute = Path.absolute(path, in: Path.workingDirectory)
            folder = absolute.lastIndex(of: "/").map { String(absolute[..<$0]) } ?? "/"
        }

        var isThere: Bool { access(path, F_OK) == 0 }
    }

    /// The known findings.
    let baseline: Baseline
    private let written: Place?
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
        self.written = written.map { Place($0) }
        var file: BaselineFile?
        if let known {
            // If each run updates the baseline that it reads, the first one finds no file.
            if known != written || Place(known).isThere {
                file = try Self.read(Place(known), option: "--baseline", report: report)
            }
        }
        existing = try self.written.flatMap { place in
            place.isThere ? try Self.read(place, option: "--write-baseline", report: report) : nil
        }
        if let place = self.written {
            do throws(ReplacedFile.Failure) {
                try ReplacedFile.check(place.path, shown: place.path)
            } catch {
                throw ExitStatus.invalid(because: "--write-baseline: \(error.message)")
            }
        }
        baseline = Baseline(known: file, path: file == nil ? nil : known, suites: suites, time: time)
    }

    private static func read(
        _ place: Place, option: String, report: ([Diagnostic]) -> Void
    ) throws -> BaselineFile {
        let text: [UInt8]
        do throws(FileAccess.Failure) {
            text = try FileAccess(root: "/").read(place.path, relativeTo: Path.workingDirectory)
        } catch {
            throw ExitStatus.invalid(because: "\(option): \(error.message)")
        }
        let (file, diagnostics) = BaselineFile.read(text, path: place.path)
        guard diagnostics.isEmpty else {
            report(diagnostics)
            throw ExitStatus.invalid
        }
        return file.resolved(in: place.folder)
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
            let text = file.relative(to: written.folder).text
            try ReplacedFile.write(Array(text.utf8), to: written.path, shown: written.path)
        } catch {
            StandardError.write("apitest: \(error.message)\n")
            return .internalError
        }
        StandardError.write("\(written.path) \(existing == nil ? "written" : "updated"), \(count)\n")
        return status
    }
}
