import Synchronization

/// A record of the files that are read, or searched for, during an operation.
package final class FileLedger: Sendable {
    /// The ledger of the current task, if any.
    @TaskLocal private static var current: FileLedger?

    private let noted = Mutex<Set<String>>([])

    private init() {}

    /// Runs an operation, and returns the absolute paths of the files that it read or searched for.
    package static func recording<Result>(_ body: () -> Result) -> (result: Result, paths: Set<String>) {
        let ledger = FileLedger()
        let result = $current.withValue(ledger, operation: body)
        return (result, ledger.noted.withLock { $0 })
    }

    /// Records a path in the current ledger, if any.
    package static func note(_ path: String) {
        guard let current else { return }
        let path = Path.normalized(path)
        guard path.hasPrefix("/") else { return }
        current.noted.withLock { _ = $0.insert(path) }
    }
}
