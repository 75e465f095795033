import Synchronization

/// A collector of a reporter's output.
final class TextSink: Sendable {
    private let parts = Mutex<[String]>([])

    /// The entire output, concatenated.
    var text: String { parts.withLock { $0.joined() } }
    /// The individual writes.
    var writes: [String] { parts.withLock { $0 } }

    func write(_ text: String) { parts.withLock { $0.append(text) } }
}
