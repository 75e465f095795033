import Synchronization

/// What adapters and retriers remember of one request from attempt to attempt.
final class RequestMemory: Sendable {
    /// What one of them remembers.
    struct Note: Sendable {
        /// The credential that the request was last given, by its number; nil if it was given none.
        var generation: Int?
        /// How often it has acted on a refusal.
        var count = 0
        /// The trace that the request is of.
        var trace: TraceContext?
    }

    private let notes = Mutex<[ObjectIdentifier: Note]>([:])

    /// What `owner` remembers.
    func note(of owner: AnyObject) -> Note {
        notes.withLock { $0[ObjectIdentifier(owner)] ?? Note() }
    }

    /// Changes what `owner` remembers.
    func change(_ owner: AnyObject, _ body: (inout Note) -> Void) {
        notes.withLock { body(&$0[ObjectIdentifier(owner), default: Note()]) }
    }
}
