import Synchronization

/// Collects what a reporter writes.
final class TextSink: Sendable {
    private let parts = Mutex<[String]>([])

    /// Everything written, as it would arrive.
    var text: String { parts.withLock { $0.joined() } }
    /// Each write by itself.
    var writes: [String] { parts.withLock { $0 } }

    func write(_ text: String) { parts.withLock { $0.append(text) } }
}
