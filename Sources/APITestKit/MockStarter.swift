public import CEL
import MockServer
import NIOCore
import NIOPosix
public import Runner
public import SuiteModel

/// Starts the built-in mock server for suites with `serve: { mock: … }`.
public enum MockStarter {
    /// Starts the mock server of a suite; a `Runner.MockStarter`.
    ///
    /// - Throws: `ServeError` when no port can be listened on.
    public static func start(
        _ definition: MockDefinition, _ context: CELContext
    ) async throws(ServeError) -> any RunningServer {
        guard FileDescriptors.areLeft else {
            throw ServeError(kind: "serve-mock", message: FileDescriptors.shortage)
        }
        // A thread of its own: the mock answers the exchanges that the run's event loops wait for.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let server = try await MockServer.start(
                definition, group: group, options: MockServerOptions(context: context))
            return ServedMock(server: server, group: group)
        } catch {
            try? await group.shutdownGracefully()
            throw ServeError(kind: "serve-mock", message: error.message)
        }
    }
}

/// A mock server with the thread that it runs on.
struct ServedMock: RunningServer {
    let server: RunningMockServer
    let group: MultiThreadedEventLoopGroup

    var baseURL: String { server.baseURL }
    var port: Int { server.port }

    func stop() async -> RunningServerReport? {
        await server.stop()
        try? await group.shutdownGracefully()
        return nil
    }
}
