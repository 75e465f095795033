import Glibc

/// A server that begins to listen at a port that was closed so far, and answers each request with "ok".
public final class TestListener: Sendable {
    private let port: ClosedPort

    /// Starts the server, which never lets go of the port: nobody else can get it in between.
    public init(_ port: ClosedPort) {
        self.port = port
        port.startListening()
        // The thread keeps the port: its number must not be another descriptor's while it is accepted on.
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
