import Glibc

/// A loopback port that refuses connections.
///
/// It is bound, so that no other process gets it, but nothing listens on it.
public final class ClosedPort: Sendable {
    /// The port.
    public let port: Int
    let descriptor: CInt

    /// Binds a port, or returns `nil` if that fails.
    ///
    /// - Parameters:
    ///   - family: The address family.
    ///   - port: The port, or 0 for a free one.
    public init?(_ family: FaultyServer.Family = .version4, port: Int = 0) {
        guard let (descriptor, port) = FaultyServer.bind(family, port: port) else { return nil }
        self.descriptor = descriptor
        self.port = port
    }

    /// Starts to listen without releasing the port in between.
    public func startListening() {
        _ = listen(descriptor, 16)
    }

    deinit {
        close(descriptor)
    }
}
