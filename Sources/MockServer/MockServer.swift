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

/// Limits of a mock server, and what it takes from its surroundings.
public struct MockServerOptions: Sendable {
    /// The most bytes that a request's body may have; a longer one is answered with 413.
    public var maximumBodySize: Int
    /// What expressions use of the world outside; its random source also makes the identifiers of collections.
    public var context: CELContext
    /// Waits for a `delay`.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// Called for each request before its answer is sent, on the server's event loop.
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

/// Why a mock server could not be started.
public struct MockServerError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as one sentence without a final full stop.
    public let message: String

    /// The message.
    public var description: String { message }
}

/// A request to a mock server, and how it is answered.
public struct MockLogEntry: Sendable, Hashable, CustomStringConvertible {
    /// The method.
    public var method: String
    /// The request target as sent: path and query.
    public var target: String
    /// The status of the answer; nil when the connection was dropped before one.
    public var status: Int?
    /// The route or collection that answered: `GET /books/{id}`, `collection books`; nil when nothing matched.
    public var route: String?

    /// Creates an entry.
    public init(method: String, target: String, status: Int?, route: String?) {
        self.method = method
        self.target = target
        self.status = status
        self.route = route
    }

    /// One line: `GET /books/7 → 200 (collection books)`.
    public var description: String {
        "\(method) \(target) → \(status.map(String.init) ?? "connection dropped") (\(route ?? "no route"))"
    }
}

/// A mock server that listens; it is stopped by ``stop()``, or when the last reference to it goes.
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

    /// The URL of the server's root without a final slash: `http://127.0.0.1:49152`.
    public var baseURL: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }

    /// Stops listening, closes every connection at once, and returns when nothing of the server runs any more.
    public func stop() async {
        if close() { try? await listener.closeFuture.get() }
        await connections.finish()
    }

    @discardableResult
    private func close() -> Bool {
        // Once stopped, the event loops may be gone, and nothing can be asked of a channel any more.
        guard connections.closeAll() else { return false }
        listener.close(promise: nil)
        return true
    }
}
