import Basics
import Glibc
import RunModel
import Synchronization

/// The unused ports of the loopback interface.
enum FreePort {
    /// The ports that ``find()`` returns, which the kernel does not assign.
    ///
    /// It takes a while until a program listens. In the meantime, the kernel could assign one of its own ports to
    /// another server or to the local end of a connection, and the tests would reach the wrong server.
    static let ports = ports(besides: kernelPorts())

    private static let first = UInt32.random(in: 0..<65_536)
    private static let taken = Atomic<UInt32>(0)

    /// Returns an unused TCP port, a different one each time.
    ///
    /// - Throws: ``ServeError`` if there is none.
    static func find() throws(ServeError) -> Int {
        let count = UInt32(ports.count)
        for _ in 0..<min(count, 256) {
            let location = (first &+ taken.wrappingAdd(1, ordering: .relaxed).oldValue) % count
            if let port = try? bound(ports.lowerBound + Int(location)) { return port }
        }
        return try bound(0)
    }

    /// Returns the ports to use: above the kernel's range, where no services are registered, or otherwise below it.
    static func ports(besides kernel: ClosedRange<Int>) -> Range<Int> {
        let above = min(kernel.upperBound + 1, 65_536)..<65_536
        let below = min(20_000, kernel.lowerBound)..<kernel.lowerBound
        return above.count >= 1_024 ? above : below
    }

    /// Returns the range of ports that the kernel assigns: `net.ipv4.ip_local_port_range`.
    static func kernelPorts() -> ClosedRange<Int> {
        let usual = 32_768...60_999
        guard let file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "re") else { return usual }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 64)
        let read = fread(&line, 1, line.count, file)
        let words = line[..<read].split { $0 < UInt8(ascii: "0") }
        let bounds = words.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard bounds.count == 2, bounds[0] <= bounds[1], 0...65_535 ~= bounds[0], 0...65_535 ~= bounds[1] else {
            return usual
        }
        return bounds[0]...bounds[1]
    }

    /// Returns the port that a socket could be bound to; for port 0, one chosen by the kernel.
    private static func bound(_ port: Int) throws(ServeError) -> Int {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw error("socket") }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(clamping: port).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
            }
        }
        guard result else { throw error("bind") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Returns whether a server accepts connections on a port of the loopback interface.
    ///
    /// If the connection queue of a server is full, the kernel would retry for minutes.
    ///
    /// - Parameter milliseconds: The maximum time to wait.
    static func accepts(_ port: Int, within milliseconds: Int32 = 100) -> Bool {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_INET, type, 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(clamping: port).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return true }
        guard errno == EINPROGRESS else { return false }
        var event = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        guard poll(&event, 1, milliseconds) == 1 else { return false }
        var problem: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &length) == 0 && problem == 0
    }

    private static func error(_ call: String) -> ServeError {
        ServeError(
            kind: .serveCommand,
            message: "no free port was found (\(call): \(MessageText(words: String(cString: strerror(errno)))))")
    }
}
