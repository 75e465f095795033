import Basics
public import CEL
import MockServer
import NIOCore
import NIOPosix
import RunModel
public import Runner
public import SuiteModel

/// Starts the built-in mock server for suites with `serve: { mock: … }`.
public enum MockStarter {
    /// Starts the mock server of a suite; passed to `Runner` as its mock starter.
    ///
    /// - Parameters:
    ///   - definition: The compiled mock file.
    ///   - context: The functions and limits of the mock's expressions.
    /// - Returns: The running server.
    /// - Throws: `ServeError` when file descriptors run out or no port can be bound.
    public static func start(
        _ definition: MockDefinition, _ context: CELContext
    ) async throws(ServeError) -> any RunningServer {
        guard FileDescriptors.areLeft else {
            throw ServeError(kind: .serveMock, message: FileDescriptors.shortage)
        }
        // The mock gets its own thread: it serves the exchanges that the event loops of the run wait for.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let server = try await MockServer.start(
                definition, group: group, options: MockServerOptions(context: context))
            return ServedMock(server: server, group: group)
        } catch {
            try? await group.shutdownGracefully()
            throw ServeError(kind: .serveMock, message: error.message)
        }
    }
}

/// A running mock server and the event loop group that drives it.
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
