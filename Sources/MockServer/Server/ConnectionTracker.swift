import NIOCore

/// Keeps a connection in the registry for as long as it is open.
final class ConnectionTracker: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let registry: ConnectionRegistry

    /// Creates a tracker for one connection.
    init(registry: ConnectionRegistry) {
        self.registry = registry
    }

    func handlerAdded(context: ChannelHandlerContext) {
        registry.add(context.channel)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        registry.remove(context.channel)
    }
}
