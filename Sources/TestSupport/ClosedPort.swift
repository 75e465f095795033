import Glibc

/// A port on loopback that refuses connections: it is taken, so that nobody else gets it, but nothing listens.
public final class ClosedPort: Sendable {
    /// The port.
    public let port: Int
    let descriptor: CInt

    /// Takes a port; nil if that is not possible.
    /// - Parameters:
    ///   - family: The address family.
    ///   - port: The port; 0 for one that is free.
    public init?(_ family: FaultyServer.Family = .version4, port: Int = 0) {
        guard let (descriptor, port) = FaultyServer.bind(family, port: port) else { return nil }
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
