import MockServer
import NIOCore
import NIOWebSocket
import Synchronization

/// A WebSocket that passes through the proxy: the frames of each side go to the other one, and messages are recorded.
final class WebSocketRelay: Upgrade {
    /// The maximum size of a frame in bytes. A larger one closes both connections.
    private static let maximumFrame = 16 << 20

    let conversation = Conversation()
    private let client: RelayEnd
    private let server: RelayEnd

    init() {
        client = RelayEnd(isServer: false, conversation)
        server = RelayEnd(isServer: true, conversation)
        client.join(server)
        server.join(client)
    }

    /// Adds the handlers of the connection to the server, on its event loop.
    func attach(server channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandlers([
            WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: Self.maximumFrame)),
            RelayHandler(server),
        ])
        server.open()
    }

    func prepare(_ channel: any Channel) async throws {
        try await channel.eventLoop.submit { [client] in
            // Frames no longer reach the HTTP handlers, which still write the response.
            try channel.pipeline.syncOperations.addHandlers(
                [ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: Self.maximumFrame)), RelayHandler(client)],
                position: .first)
        }.get()
    }

    func run(_ channel: any Channel) async throws {
        try await channel.eventLoop.submit { [client] in
            try channel.pipeline.syncOperations.addHandler(WebSocketFrameEncoder(), position: .first)
            client.open()
        }.get()
        await client.ended()
    }
}

/// One connection of a relayed WebSocket.
///
/// Its state is used from the event loops of both connections.
private final class RelayEnd: Sendable {
    private struct State {
        /// The place in the pipeline from which frames are written; nil before the connection is known.
        var context: NIOLoopBound<ChannelHandlerContext>?
        var channel: (any Channel)?
        /// Whether frames can be written.
        var isOpen = false
        /// The frames that arrived from the other side before.
        var waiting: [WebSocketFrame] = []
        /// Whether the other side has closed its connection.
        var isClosing = false
        /// Whether this connection is closed.
        var isOver = false
        var ended: CheckedContinuation<Void, Never>?
        weak var other: RelayEnd?
    }

    private let isServer: Bool
    private let conversation: Conversation
    private let state = Mutex(State())

    init(isServer: Bool, _ conversation: Conversation) {
        self.isServer = isServer
        self.conversation = conversation
    }

    /// Sets the other side.
    func join(_ other: RelayEnd) { state.withLock { $0.other = other } }

    /// Writes the frames that are waiting, and from now on all others at once. Must be called on the event loop.
    func open() {
        let (waiting, context, isClosing) = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return (state.waiting, state.context, state.isClosing)
        }
        guard let context = context?.value else { return }
        for frame in waiting { context.writeAndFlush(RelayHandler.wrapOutboundOut(frame), promise: nil) }
        if isClosing { Self.close(context.channel) }
    }

    /// Waits until the connection is closed, or the other side has closed its own one.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isOver || state.isClosing { return true }
                state.ended = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    // MARK: Events of this connection

    fileprivate func added(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let channel = context.channel
        state.withLock { ($0.context, $0.channel) = (bound, channel) }
    }

    fileprivate func removed() { state.withLock { ($0.context, $0.channel) = (nil, nil) } }

    fileprivate func received(_ frame: WebSocketFrame, on channel: any Channel) {
        conversation.add(frame, isSent: !isServer)
        guard let other = state.withLock({ $0.other }) else { return }
        // Only the frames of a client are masked (RFC 6455, section 5.1).
        let passed = WebSocketFrame(
            fin: frame.fin, rsv1: frame.rsv1, rsv2: frame.rsv2, rsv3: frame.rsv3, opcode: frame.opcode,
            maskKey: isServer ? nil : frame.maskKey, data: frame.unmaskedData)
        if !other.write(passed) {
            channel.setOption(.autoRead, value: false).whenComplete { _ in
                // It may have become writable in the meantime.
                if other.isWritable { channel.setOption(.autoRead, value: true).whenComplete { _ in } }
            }
        }
    }

    fileprivate func becameWritable() {
        let other = state.withLock { $0.other }
        let channel = other?.state.withLock { $0.channel }
        channel?.setOption(.autoRead, value: true).whenComplete { _ in }
    }

    fileprivate func lost() {
        let (other, ended) = state.withLock { state in
            state.isOver = true
            defer { state.ended = nil }
            return (state.other, state.ended)
        }
        ended?.resume()
        other?.finish()
    }

    // MARK: Events of the other connection

    /// Writes a frame, or keeps it until the connection is open.
    ///
    /// - Returns: Whether more frames can be written at once.
    private func write(_ frame: WebSocketFrame) -> Bool {
        let (context, channel) = state.withLock { state in
            if !state.isOpen { state.waiting.append(frame) }
            return state.isOpen ? (state.context, state.channel) : (nil, nil)
        }
        guard let context, let channel else { return true }
        channel.eventLoop.execute {
            context.value.writeAndFlush(RelayHandler.wrapOutboundOut(frame), promise: nil)
        }
        return channel.isWritable
    }

    private var isWritable: Bool { state.withLock { $0.channel }?.isWritable ?? true }

    /// Closes the connection after everything was written.
    private func finish() {
        let (channel, ended) = state.withLock { state in
            state.isClosing = true
            defer { state.ended = nil }
            return (state.isOpen ? state.channel : nil, state.ended)
        }
        // After the frames that are being written.
        if let channel { channel.eventLoop.execute { Self.close(channel) } }
        ended?.resume()
    }

    private static func close(_ channel: any Channel) {
        channel.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
    }
}

/// Passes the frames and the end of a connection to its side of the relay.
private final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let end: RelayEnd

    init(_ end: RelayEnd) { self.end = end }

    func handlerAdded(context: ChannelHandlerContext) { end.added(context) }

    func handlerRemoved(context: ChannelHandlerContext) { end.removed() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        end.received(unwrapInboundIn(data), on: context.channel)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { end.becameWritable() }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { end.lost() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end.lost()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end.lost()
        context.close(promise: nil)
    }
}
