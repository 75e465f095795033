import HTTPSession
import Synchronization

/// The connection options of a run's requests, equal ones kept once, so that connections are found by identity.
final class SharedConnections: Sendable {
    private let known = Mutex<Set<ConnectionOptions>>([])

    /// The options that are equal to these and were there first.
    func shared(_ options: ConnectionOptions) -> ConnectionOptions {
        known.withLock { known in
            let (_, first) = known.insert(options)
            return first
        }
    }
}
