import NIOCore
import NIOTLS

/// The last handler of a channel that is being connected and secured; a ``ServerConnection`` takes its place.
final class ConnectingChannel: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Certificates and host name are checked by its handler; nil over plain TCP.
    let security: ConnectionSecurity?
    /// Who waits for the channel; nil once it is no longer wanted.
    weak var attempt: ConnectAttempt?
    private(set) var channel: (any Channel)?
    private var isClosed = false

    init(attempt: ConnectAttempt, security: ConnectionSecurity?) {
        self.attempt = attempt
        self.security = security
    }

    /// Closes the channel, which nobody wants any more.
    func close() {
        attempt = nil
        isClosed = true
        channel?.close(promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
        if isClosed { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
            attempt?.secured(self, negotiatedProtocol: negotiated)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Over plain TCP a server must not speak before it is asked; what it says cannot be an answer.
        close()
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
        attempt.handshakeFailed(self, error)
    }
}
