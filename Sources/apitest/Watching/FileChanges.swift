import Glibc
import Runner

/// Waits until something has changed, and then until it has not changed any more for a while.
///
/// An editor writes a file in several steps, and a checkout writes many: what is read meanwhile is neither the old nor the
/// new state.
struct SettledChange<State: Equatable> {
    /// The clock that is waited by.
    let clock: RunClock
    /// How often is looked, in nanoseconds.
    var interval: Int64 = 50_000_000
    /// How long nothing may change before a change counts, in nanoseconds.
    var quiet: Int64 = 100_000_000
    /// Whether something may have changed since it was asked last.
    let hasHint: () -> Bool
    /// What is looked at.
    let state: () -> State
    /// Whether waiting is over.
    let isStopped: () -> Bool

    /// The state that something has changed to, once it has settled; nil when waiting was stopped.
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

/// The state of watched files at one time.
struct FileSnapshot: Equatable {
    private(set) var signatures: [String: FileSignature] = [:]

    /// Adds the state of files that are not in it yet.
    mutating func add(_ paths: some Sequence<String>) {
        for path in paths where signatures[path] == nil { signatures[path] = FileSignature(ofFile: path) }
    }

    /// Sets the state of files to what it is now.
    mutating func renew(_ paths: some Sequence<String>) {
        for path in paths { signatures[path] = FileSignature(ofFile: path) }
    }

    /// The state of files now.
    static func now(of paths: some Sequence<String>) -> FileSnapshot {
        var snapshot = FileSnapshot()
        snapshot.add(paths)
        return snapshot
    }

    /// The files that are not as they were: changed, new, or gone; files that only this snapshot has are not compared.
    func changes(since earlier: FileSnapshot) -> Set<String> {
        var changes: Set<String> = []
        for (path, signature) in signatures {
            if let before = earlier.signatures[path], before != signature { changes.insert(path) }
        }
        return changes
    }
}

/// What tells that a file has changed: its place on the disk, its size and its times; equal for files that are not there.
struct FileSignature: Hashable {
    private var device: UInt64 = 0
    private var number: UInt64 = 0
    private var size: Int64 = -1
    private var modified: [Int] = []

    /// The signature of what is at a path now.
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
