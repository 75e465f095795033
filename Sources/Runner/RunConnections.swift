import HTTPSession
import NIOCore
import NIOPosix

/// Event loops and their connections, which several runs in a row can share.
///
/// A run with few tests takes less time if it needs no new thread and no new connection.
public final class RunConnections: Sendable {
    let transport: NIOTransport
    private let group: MultiThreadedEventLoopGroup

    /// Creates event loops without connections.
    ///
    /// - Parameters:
    ///   - loops: The number of event loops, each on its own thread.
    ///   - settings: The limits of the connections.
    init(loops: Int, settings: NIOTransport.Settings) {
        group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, loops))
        transport = NIOTransport(group: group, settings: settings)
    }

    /// Creates an event loop for runs whose tests are serial, except for some that overlap.
    ///
    /// - Parameter options: The options of the runs.
    public convenience init(forSerialRunsWith options: RunOptions) {
        self.init(loops: 1, settings: options.connectionSettings)
    }

    /// Closes the connections and ends the event loops.
    public func close() async {
        await transport.close()
        await endLoops()
    }

    /// Ends the event loops, whose connections are closed.
    func endLoops() async { try? await group.shutdownGracefully() }
}

extension RunOptions {
    /// The limits of the connections of a run.
    var connectionSettings: NIOTransport.Settings {
        // The tests may be distributed unevenly among the loops.
        var settings = NIOTransport.Settings(connectionsPerOrigin: jobs)
        settings.repeatsAllMethods = repeatsAllMethods
        return settings
    }
}
