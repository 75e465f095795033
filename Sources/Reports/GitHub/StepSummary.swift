#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file to which a step of GitHub Actions appends what the page of its run shows.
struct StepSummary {
    /// The most bytes of a step's summary: of a larger one GitHub shows nothing.
    static let limit = 1 << 20

    private let path: String

    /// Makes sure that the file can be appended to.
    init(path: String) throws(ReportError) {
        self.path = path
        do { _ = try FileHandle(path: path, flags: O_WRONLY | O_APPEND | O_CREAT) } catch {
            throw Self.error(path, error.number)
        }
    }

    /// The bytes that may still be appended.
    var room: Int {
        var status = stat()
        // A line break comes before what is appended.
        return stat(path, &status) == 0 ? max(0, Self.limit - Int(status.st_size) - 2) : Self.limit - 2
    }

    /// Appends a text.
    func append(_ text: String) throws(ReportError) {
        do {
            let file = try FileHandle(path: path, flags: O_WRONLY | O_APPEND | O_CREAT)
            // In one piece, as other programs of the step may write too.
            try file.write(Array("\n".utf8) + Array(text.utf8))
        } catch {
            throw Self.error(path, error.number)
        }
    }

    private static func error(_ path: String, _ number: Int32) -> ReportError {
        ReportError(
            path: path, message: "cannot write the step's summary \(path): \(SystemFacts.message(of: number))")
    }
}
