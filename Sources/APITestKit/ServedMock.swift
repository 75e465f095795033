import MockServer
import NIOCore
import NIOPosix
import Runner

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
