import HTTPTypes
import HummingbirdCore
import Logging
public import NIOCore
public import SuiteModel

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
        let registry = ConnectionRegistry()
        let handler = ConnectionHandler(responder: MockResponder(definition, options: options), options: options)
        let channel = HTTP1Channel(
            responder: { request, writer, channel in
                try await handler.respond(to: request, writer: writer, channel: channel)
            },
            configuration: .init(additionalChannelHandlers: [ConnectionTracker(registry: registry)]))
        let (listening, listener) = AsyncThrowingStream<any Channel, any Error>.makeStream()
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: .hostname(host, port: port), serverName: nil, backlog: 1024),
            onServerRunning: { channel in
                listener.yield(channel)
                listener.finish()
            },
            eventLoopGroup: loop,
            logger: Logger(label: "apitest.mock") { _ in SwiftLogNoOpLogHandler() })
        let task = Task(executorPreference: EventLoopTaskExecutor(loop)) {
            do {
                try await server.run()
                listener.finish()
            } catch {
                listener.finish(throwing: error)
            }
        }
        do {
            for try await channel in listening {
                return RunningMockServer(
                    host: host, port: channel.localAddress?.port ?? port, listener: channel, registry: registry,
                    task: task)
            }
            throw MockServerError(message: "the mock server was stopped before it listened")
        } catch {
            task.cancel()
            if let error = error as? MockServerError { throw error }
            throw MockServerError(message: "the mock server cannot listen on \(host):\(port): \(error)")
        }
    }
}
