import Basics
import FileSystem
import Glibc
import SuiteModel
import Synchronization

/// The bodies that steps save below the output directory of a run.
final class SavedBodies: Sendable {
    /// The reason why a body cannot be saved.
    struct Failure: Error {
        /// A one-sentence description without a final period.
        var message: MessageText
    }

    /// The path of the output directory.
    private let directory: String
    /// The steps that have saved a body, by the path of its file.
    private let owners = Mutex<[String: String]>([:])

    /// Creates an empty collection; the directory is created with the first body.
    init(directory: String) {
        self.directory = directory
    }

    /// Writes a body atomically.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the output directory.
    ///   - owner: The step of a test. Only the same step may replace its own file, as for a retry.
    /// - Throws: ``Failure`` if the path leaves the directory, belongs to another step, or cannot be written.
    func save(_ bytes: [UInt8], to path: String, owner: String) throws(Failure) {
        if let problem = SavedPath.problem(of: path) { throw Failure(message: problem) }
        let parts = path.split(separator: "/").filter { $0 != "." }
        guard let name = parts.last else { throw Failure(message: "\"\(path)\" is not the path of a file") }
        let file = parts.joined(separator: "/")
        let first = owners.withLock { owners in
            if owners[file] == nil { owners[file] = owner }
            return owners[file]
        }
        if let first, first != owner {
            throw Failure(
                message:
                    "\"\(path)\" was already saved by another step, call or iteration of this run; use a different path"
            )
        }
        try create(directory)
        guard let root = Path.real(directory) else { throw failure(path) }
        var parent = root
        for part in parts.dropLast() {
            parent += "/\(part)"
            if mkdir(parent, 0o777) != 0, errno != EEXIST { throw failure(path) }
            guard let real = Path.real(parent), Path.isInside(real, root) else {
                throw Failure(message: "\"\(path)\" is outside the output directory")
            }
        }
        do {
            try FileReplacement.write(bytes, to: "\(parent)/\(name)")
        } catch {
            throw Failure(message: "\"\(path)\" cannot be written: \(error.message)")
        }
    }

    /// Creates a directory with its parents.
    private func create(_ directory: String) throws(Failure) {
        if mkdir(directory, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, Path.parent(of: directory) != directory else { throw failure(directory) }
        try create(Path.parent(of: directory))
        if mkdir(directory, 0o777) != 0, errno != EEXIST { throw failure(directory) }
    }

    /// Returns the error of the preceding system call.
    private func failure(_ path: String) -> Failure {
        Failure(message: "\"\(path)\" cannot be written: \(MessageText(words: String(cString: strerror(errno))))")
    }
}
