public import Basics
public import CEL
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

/// The built-in mock server, which serves HTTP/1.1 from a mock file and keeps no state after it stops.
public enum MockServer {
    /// Starts a server for a mock definition. Collections start with their seed items.
    ///
    /// - Parameters:
    ///   - definition: The routes and collections to serve.
    ///   - host: The address to listen on.
    ///   - port: The port to listen on, or 0 for any free port.
    ///   - group: The event loop group. The server runs on a single loop of it.
    ///   - options: The limits, the log, and the clock.
    /// - Returns: The running server, which is already listening.
    /// - Throws: ``MockServerError`` if the server cannot listen on the port.
    public static func start(
        _ definition: MockDefinition, host: String = "127.0.0.1", port: Int = 0, group: any EventLoopGroup,
        options: MockServerOptions = MockServerOptions()
    ) async throws(MockServerError) -> RunningMockServer {
        try await start(
            MockResponder(definition, options: options), host: host, port: port, group: group, options: options)
    }

    /// Starts a server with any source of responses.
    ///
    /// - Throws: ``MockServerError`` if the server cannot listen on the port.
    package static func start(
        _ responder: any Responder, host: String, port: Int, group: any EventLoopGroup, options: MockServerOptions
    ) async throws(MockServerError) -> RunningMockServer {
        // Connections, their tasks, and the store stay on one loop, so a request never crosses threads.
        let loop = group.any()
        let handler = ConnectionHandler(responder: responder, options: options)
        let connections = Connections(
            handler: handler, executor: EventLoopTaskExecutor(loop))
        do {
            let listener = try await ServerBootstrap(group: loop)
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // A client that closed its sending side still receives the responses.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { connections.add($0) }
                .bind(host: host, port: port).get()
            return RunningMockServer(
                host: host, port: listener.localAddress?.port ?? port, listener: listener, connections: connections)
        } catch {
            throw MockServerError(message: "the mock server cannot listen on \(host):\(port): \(reason(error))")
        }
    }

    /// Returns the reason that the server cannot listen, without names of system calls.
    private static func reason(_ error: any Error) -> MessageText {
        switch error {
        case let error as IOError: MessageText(words: String(cString: strerror(error.errnoCode)))
        case let error as SocketAddressError.UnknownHost: MessageText(error.errorDescription)
        default: "\(error)"
        }
    }
}

/// The limits of a mock server and its dependencies on the environment.
public struct MockServerOptions: Sendable {
    /// The maximum size of a request body in bytes. A larger body gets a 413 response.
    public var maximumBodySize: Int
    /// The environment of expressions. Its random source also generates the identifiers of collections.
    public var context: CELContext
    /// The function that waits for a `delay`.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A closure that is called for each request on the server's event loop, before the response is sent.
    public var log: (@Sendable (MockLogEntry) -> Void)?

    /// Creates options.
    public init(
        maximumBodySize: Int = 16 << 20, context: CELContext = CELContext(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        log: (@Sendable (MockLogEntry) -> Void)? = nil
    ) {
        self.maximumBodySize = maximumBodySize
        self.context = context
        self.sleep = sleep
        self.log = log
    }
}

/// An error that prevents a mock server from starting.
public struct MockServerError: Error, Sendable, CustomStringConvertible {
    /// The description of the error, without a period.
    public let message: MessageText

    /// The same as ``message``.
    public var description: String { message.text }
}

/// A request to a mock server and its result.
public struct MockLogEntry: Sendable, Hashable, CustomStringConvertible {
    /// The request method.
    public var method: String
    /// The request target as sent, with path and query.
    public var target: String
    /// The status of the response, or `nil` if the connection was dropped before one.
    public var status: Int?
    /// The matching route or collection, such as `GET /books/{id}` or `collection books`, or `nil` if nothing matched.
    public var route: String?

    /// Creates an entry.
    public init(method: String, target: String, status: Int?, route: String?) {
        self.method = method
        self.target = target
        self.status = status
        self.route = route
    }

    /// The entry on one line: `GET /books/7 → 200 (collection books)`.
    public var description: String {
        "\(method) \(target) → \(status.map(String.init) ?? "connection dropped") (\(route ?? "no route"))"
    }
}

/// A running mock server, which stops on ``stop()`` or when it is deallocated.
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

    /// The root URL of the server without a trailing slash: `http://127.0.0.1:49152`.
    public var baseURL: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }

    /// Stops the server, closes all connections immediately, and waits until all tasks of the server finish.
    public func stop() async {
        if close() { try? await listener.closeFuture.get() }
        await connections.finish()
    }

    @discardableResult
    private func close() -> Bool {
        // After the first stop, the event loops may be shut down, so the channels must not be used.
        guard connections.closeAll() else { return false }
        listener.close(promise: nil)
        return true
    }
}
