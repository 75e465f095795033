import NIOCore

/// Keeps what a new HTTP/2 connection has to say first until its first request is written: all of it leaves in one write.
///
/// A server that refuses the client's certificate over TLS 1.3 does so after the client's handshake: whoever writes
/// again and again meets a closed connection there, and never reads why.
final class FlushGate: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = ByteBuffer

    private var isOpen = false
    private var isFlushWanted = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // A connection without a request begins with the next turn of the event loop.
        context.eventLoop.assumeIsolated().execute { self.open() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func flush(context: ChannelHandlerContext) {
        if isOpen { context.flush() } else { isFlushWanted = true }
    }

    /// Lets through what was kept, and is no longer needed.
    func open() {
        guard !isOpen else { return }
        isOpen = true
        guard let context else { return }
        if isFlushWanted { context.flush() }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        open()
        context.close(mode: mode, promise: promise)
    }
}
