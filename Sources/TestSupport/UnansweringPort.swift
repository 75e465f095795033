import Glibc

/// A loopback port on which connecting neither succeeds nor fails, because its queue is full and nothing accepts.
public final class UnansweringPort: Sendable {
    /// The port.
    public let port: Int
    private let descriptors: [CInt]

    /// Binds a port and fills its queue, or returns `nil` if that fails.
    public init?() {
        guard let (listener, port) = FaultyServer.listen(.version4, backlog: 0) else { return nil }
        var descriptors = [listener]
        for _ in 0..<4 {
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            descriptors.append(descriptor)
        }
        self.port = port
        self.descriptors = descriptors
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
