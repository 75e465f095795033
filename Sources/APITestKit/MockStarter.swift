import Diagnostics
import MockServer
import NIOPosix
public import Runner
import SuiteLoader
public import SuiteModel

/// Starts the built-in mock server for suites with `serve: { mock: … }`.
public enum MockStarter {
    /// Starts the mock server of a suite; a ``Runner/Runner/MockStarter``.
    ///
    /// - Throws: `ServeError` when the mock file is wrong or no port can be listened on.
    public static func start(_ suite: Suite, _ serve: Serve) async throws(ServeError) -> any RunningServer {
        guard case .mock(let path, let range) = serve else {
            throw ServeError(kind: "serve-mock", message: "the suite names no mock file")
        }
        let (definition, diagnostics) = MockLoader.load(path: path)
        guard let definition, !diagnostics.contains(where: { $0.severity == .error }) else {
            throw ServeError(
                kind: "serve-mock", message: "the mock file \(path) is wrong",
                details: TextRenderer(color: false).render(diagnostics).split(separator: "\n").map(String.init),
                range: range)
        }
        // A thread of its own: the mock answers the exchanges that the run's event loops wait for.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let server = try await MockServer.start(definition, group: group)
            return ServedMock(server: server, group: group)
        } catch {
            try? await group.shutdownGracefully()
            throw ServeError(kind: "serve-mock", message: error.message, range: range)
        }
    }
}
