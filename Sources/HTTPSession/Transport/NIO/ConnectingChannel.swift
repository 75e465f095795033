import NIOCore
import NIOSSL
import NIOTLS

/// The last handler of a channel that is being connected and secured; a ``ServerConnection`` takes its place.
final class ConnectingChannel: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Who waits for the channel; nil once it is no longer wanted.
    weak var attempt: ConnectAttempt?
    private(set) var channel: (any Channel)?
    private var context: ChannelHandlerContext?
    private var isClosed = false

    init(attempt: ConnectAttempt) {
        self.attempt = attempt
    }

    /// Closes the channel, which nobody wants any more.
    func close() {
        attempt = nil
        isClosed = true
        channel?.close(promise: nil)
    }

    /// Sends bytes, such as to a proxy.
    func send(_ bytes: [UInt8]) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// Begins TLS over what the channel is connected to so far.
    func add(_ handler: NIOSSLClientHandler) {
        guard let context else { return }
        do {
            try context.pipeline.syncOperations.addHandler(handler, position: .before(self))
        } catch {
            lost(error)
            close()
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        channel = context.channel
        if isClosed { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
            attempt?.secured(self, negotiatedProtocol: negotiated)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        attempt?.received(self, unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        lost(error)
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        lost(nil)
        context.fireChannelInactive()
    }

    private func lost(_ error: (any Error)?) {
        guard let attempt else { return }
        self.attempt = nil
        attempt.lost(self, error)
    }
}
