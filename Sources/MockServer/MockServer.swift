public import NIOCore
import NIOPosix
public import SuiteModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The built-in mock server: answers HTTP/1.1 requests as a mock file says, with no state outside of a running server.
public enum MockServer {
    /// Starts a server that answers as a definition says; collections begin with their seeds.
    ///
    /// - Parameters:
    ///   - definition: What the server answers.
    ///   - host: The address to listen on.
    ///   - port: The port to listen on; 0 takes a free one.
    ///   - group: The event loops, one of which the server runs on.
    ///   - options: Limits, the log, the clock.
    /// - Returns: The server, which listens already.
    /// - Throws: ``MockServerError`` when the port cannot be listened on.
    public static func start(
        _ definition: MockDefinition, host: String = "127.0.0.1", port: Int = 0, group: any EventLoopGroup,
        options: MockServerOptions = MockServerOptions()
    ) async throws(MockServerError) -> RunningMockServer {
        // Connections, their tasks and the store stay on one loop, so that a request crosses no thread.
        let loop = group.any()
        let handler = ConnectionHandler(responder: MockResponder(definition, options: options), options: options)
        let connections = Connections(
            handler: handler, executor: EventLoopTaskExecutor(loop))
        do {
            let listener = try await ServerBootstrap(group: loop)
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // A client that has sent its last request still gets the answers.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { connections.add($0) }
                .bind(host: host, port: port).get()
            return RunningMockServer(
                host: host, port: listener.localAddress?.port ?? port, listener: listener, connections: connections)
        } catch {
            throw MockServerError(message: "the mock server cannot listen on \(host):\(port): \(reason(error))")
        }
    }

    /// Why an address cannot be listened on, without the names of functions.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: strerror(error.errnoCode).map { String(cString: $0) } ?? "error \(error.errnoCode)"
        case let error as SocketAddressError.UnknownHost: error.errorDescription
        default: "\(error)"
        }
    }
}
