import Diagnostics
import Expectations
import FileSystem
import Glibc
import Runner
import SuiteModel

/// The known findings of a run: read before it, and written after it where that is asked for.
struct BaselineUse {
    /// A file by its path.
    private struct Place {
        /// The path as the user gave it.
        let path: String
        /// The folder that it is in, absolute.
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

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - known: The path of the file of known findings; nil without one.
    ///   - written: The path of the file that is written; nil to write none.
    ///   - suites: The suites of the run.
    ///   - time: Seconds since 1970-01-01T00:00:00Z.
    ///   - report: Prints problems of files.
    /// - Throws: ``ExitStatus/invalid`` when a file is missing or wrong, which is printed.
    init(
        known: String?, written: String?, suites: [Suite], time: Double, report: ([Diagnostic]) -> Void
    ) throws {
        self.written = written.map { Place($0) }
        var file: BaselineFile?
        if let known {
            // The first run of those that write what the next one knows finds nothing.
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

    /// Writes the findings of the run, if that is asked for, and says so.
    ///
    /// - Returns: How the program ends.
    func finish(_ status: ExitStatus, mask: SnapshotMask?) -> ExitStatus {
        guard let written else { return status }
        if status == .interrupted {
            StandardError.write("\(written.path) is not written, as the run was interrupted\n")
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
