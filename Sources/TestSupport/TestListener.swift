import Glibc

/// A server that begins to listen at a given port of loopback, and answers each request with "ok".
public final class TestListener: Sendable {
    private let descriptor: CInt

    /// Starts the server; nil if the port is taken.
    public init?(port: Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var reuse: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 16) == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        let number = UnsafeMutableRawPointer(bitPattern: Int(descriptor))
        guard let number else { return }
        FaultyServer.detach(number) { argument in
            let listener = CInt(truncatingIfNeeded: Int(bitPattern: argument))
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return nil }
                var request = [UInt8](repeating: 0, count: 4096)
                if recv(connection, &request, request.count, 0) > 0 {
                    let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".utf8)
                    _ = send(connection, response, response.count, CInt(MSG_NOSIGNAL))
                }
                close(connection)
            }
        }
    }

    deinit {
        shutdown(descriptor, CInt(SHUT_RDWR))
        close(descriptor)
    }
}
