import Glibc
import Runner

/// A wait for a change, followed by a wait until the state is stable.
///
/// An editor writes a file in several steps, and a checkout writes many files. A state read in between is neither the
/// old nor the new one.
struct StableChange<State: Equatable> {
    /// The clock for delays.
    let clock: RunClock
    /// The polling interval in nanoseconds.
    var interval: Int64 = 50_000_000
    /// The time in nanoseconds without changes after which the state is stable.
    var quiet: Int64 = 100_000_000
    /// Returns whether something may have changed since the last call.
    let hasHint: () -> Bool
    /// Returns the current state.
    let state: () -> State
    /// Returns whether to stop waiting.
    let isStopped: () -> Bool

    /// Returns the next stable state that differs from a base state, or `nil` if waiting was stopped.
    func next(after base: State) async -> State? {
        while !isStopped() {
            if hasHint() {
                var last = state()
                if last != base {
                    var since = clock.now()
                    while clock.now() - since < quiet {
                        guard await pause() else { return nil }
                        let current = state()
                        if current != last {
                            last = current
                            since = clock.now()
                        }
                    }
                    if last != base { return last }
                }
            }
            guard await pause() else { return nil }
        }
        return nil
    }

    private func pause() async -> Bool {
        do {
            try await clock.sleep(interval)
            return !isStopped()
        } catch {
            return false
        }
    }
}

/// The state of watched files at a point in time.
struct FileSnapshot: Equatable {
    private(set) var signatures: [String: FileSignature] = [:]

    /// Adds the current state of files that are not in the snapshot.
    mutating func add(_ paths: some Sequence<String>) {
        for path in paths where signatures[path] == nil { signatures[path] = FileSignature(ofFile: path) }
    }

    /// Updates the state of files to the current one.
    mutating func renew(_ paths: some Sequence<String>) {
        for path in paths { signatures[path] = FileSignature(ofFile: path) }
    }

    /// Returns a snapshot of the current state of files.
    static func now(of paths: some Sequence<String>) -> FileSnapshot {
        var snapshot = FileSnapshot()
        snapshot.add(paths)
        return snapshot
    }

    /// Returns the files that were changed, created, or deleted since an earlier snapshot.
    ///
    /// Files that are only in this snapshot are ignored.
    func changes(since previous: FileSnapshot) -> Set<String> {
        var changes: Set<String> = []
        for (path, signature) in signatures {
            if let before = previous.signatures[path], before != signature { changes.insert(path) }
        }
        return changes
    }
}

/// The metadata by which file changes are detected: inode, size, and times.
///
/// All files that do not exist have equal signatures.
struct FileSignature: Hashable {
    private var device: UInt64 = 0
    private var number: UInt64 = 0
    private var size: Int64 = -1
    private var modified: [Int] = []

    /// Creates the signature of the file that is currently at a path.
    init(ofFile path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return }
        device = UInt64(information.st_dev)
        number = UInt64(information.st_ino)
        size = Int64(information.st_size)
        modified = [
            Int(information.st_mtim.tv_sec), Int(information.st_mtim.tv_nsec), Int(information.st_ctim.tv_sec),
            Int(information.st_ctim.tv_nsec),
        ]
    }
}
