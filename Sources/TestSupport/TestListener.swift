import Glibc

/// A server that starts to listen on a previously closed port, and responds to each request with "ok".
public final class TestListener: Sendable {
    private let port: ClosedPort

    /// Starts the server without releasing the port, so that no other process can get it in between.
    public init(_ port: ClosedPort) {
        self.port = port
        port.startListening()
        // The thread retains the port, because its descriptor must not be reused while the thread accepts on it.
        FaultyServer.detach(Unmanaged.passRetained(port).toOpaque()) { argument in
            guard let argument else { return nil }
            let port = Unmanaged<ClosedPort>.fromOpaque(argument).takeRetainedValue()
            withExtendedLifetime(port) { TestListener.answerAll(port.descriptor) }
            return nil
        }
    }

    private static func answerAll(_ listener: CInt) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            var request = [UInt8](repeating: 0, count: 4096)
            if recv(connection, &request, request.count, 0) > 0 {
                let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".utf8)
                _ = send(connection, response, response.count, CInt(MSG_NOSIGNAL))
            }
            close(connection)
        }
    }

    deinit {
        shutdown(port.descriptor, CInt(SHUT_RDWR))
    }
}
