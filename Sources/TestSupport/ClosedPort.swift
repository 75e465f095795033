import Glibc

/// A port on loopback that refuses connections: it is taken, so that nobody else gets it, but nothing listens.
public final class ClosedPort: Sendable {
    /// The port.
    public let port: Int
    let descriptor: CInt

    /// Takes a port; nil if that is not possible.
    public init?() {
        guard let (descriptor, port) = FaultyServer.bind(.version4) else { return nil }
        self.descriptor = descriptor
        self.port = port
    }

    /// Listens from now on, without letting go of the port in between.
    public func startListening() {
        _ = listen(descriptor, 16)
    }

    deinit {
        close(descriptor)
    }
}
