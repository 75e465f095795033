import NIOCore

/// A mock server that listens; it is stopped by ``stop()``, or when the last reference to it goes.
public final class RunningMockServer: Sendable {
    /// The host that the server listens on.
    public let host: String
    /// The port that the server listens on.
    public let port: Int

    private let listener: any Channel
    private let connections: Connections

    init(host: String, port: Int, listener: any Channel, connections: Connections) {
        self.host = host
        self.port = port
        self.listener = listener
        self.connections = connections
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
        if close() { try? await listener.closeFuture.get() }
        await connections.finish()
    }

    @discardableResult
    private func close() -> Bool {
        // Once stopped, the event loops may be gone, and nothing can be asked of a channel any more.
        guard connections.closeAll() else { return false }
        listener.close(promise: nil)
        return true
    }
}
