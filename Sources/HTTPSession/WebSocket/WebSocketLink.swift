import NIOCore
import NIOWebSocket

/// An open WebSocket as other threads see it.
final class WebSocketLink: Sendable {
    let inbox: WebSocketInbox
    let subprotocol: String?
    private let eventLoop: any EventLoop
    private let connection: NIOLoopBound<WebSocketConnection>

    /// Adds the handlers of a WebSocket to a channel; on its event loop.
    init(
        _ channel: any Channel, subprotocol: String?, _ makeConnection: (WebSocketInbox) -> WebSocketConnection,
        maximumFrame: Int
    ) throws {
        inbox = WebSocketInbox()
        self.subprotocol = subprotocol
        eventLoop = channel.eventLoop
        let connection = makeConnection(inbox)
        self.connection = NIOLoopBound(connection, eventLoop: eventLoop)
        // Small frames are looked at as a whole, to tell what is wrong with them; the decoder takes limits of 32 bits.
        let frame = min(max(maximumFrame, 65535), Int(UInt32.max))
        try channel.pipeline.syncOperations.addHandlers([
            WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: frame)), connection,
        ])
    }

    /// Does something on the event loop.
    func perform(_ body: @escaping @Sendable (WebSocketConnection) -> Void) {
        let connection = connection
        eventLoop.execute { body(connection.value) }
    }
}
