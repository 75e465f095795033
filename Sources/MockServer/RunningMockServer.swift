import NIOCore

/// A mock server that listens; it is stopped by ``stop()``, or when the last reference to it goes.
public final class RunningMockServer: Sendable {
    /// The host that the server listens on.
    public let host: String
    /// The port that the server listens on.
    public let port: Int

    private let listener: any Channel
    private let registry: ConnectionRegistry
    private let task: Task<Void, Never>

    init(host: String, port: Int, listener: any Channel, registry: ConnectionRegistry, task: Task<Void, Never>) {
        self.host = host
        self.port = port
        self.listener = listener
        self.registry = registry
        self.task = task
    }

    deinit {
        close()
    }

    /// The URL of the server's root without a final slash: `http://127.0.0.1:49152`.
    public var baseURL: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }

    /// Stops listening, closes every connection at once, and returns when nothing of the server runs any more.
    public func stop() async {
        close()
        await task.value
    }

    private func close() {
        // Once stopped, the event loops may be gone, and nothing can be asked of a channel any more.
        guard registry.closeAll() else { return }
        listener.close(promise: nil)
        task.cancel()
    }
}
