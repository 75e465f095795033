import Synchronization

/// Notes which files are read, or looked for, while something is done.
package final class FileLedger: Sendable {
    /// The ledger of what the current task does, if it is wanted.
    @TaskLocal private static var current: FileLedger?

    private let noted = Mutex<Set<String>>([])

    private init() {}

    /// Does something, and tells the files that were read or looked for, as absolute paths.
    package static func recording<Result>(_ body: () -> Result) -> (result: Result, paths: Set<String>) {
        let ledger = FileLedger()
        let result = $current.withValue(ledger, operation: body)
        return (result, ledger.noted.withLock { $0 })
    }

    /// Notes a path in the current ledger, if there is one.
    package static func note(_ path: String) {
        guard let current else { return }
        let path = Path.normalized(path)
        guard path.hasPrefix("/") else { return }
        current.noted.withLock { _ = $0.insert(path) }
    }
}
