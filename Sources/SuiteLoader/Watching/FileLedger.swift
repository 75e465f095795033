import FileSystem
import Synchronization

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
