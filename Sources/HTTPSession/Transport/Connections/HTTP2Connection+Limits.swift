import Basics
import NIOCore
import NIOHTTP2

/// The limits of a client connection.
extension HTTP2Connection {
    /// The maximum number of concurrent streams, regardless of the server's limit.
    static let maximumOpenStreams = 4_096

    /// The maximum number of streams that SwiftNIO remembers after a reset, because frames may still arrive on them.
    ///
    /// All open streams can be reset while the server's response to the last ping is in transit, and once more after
    /// that (RFC 9113, section 5.1).
    private static let rememberedResets = 2 * maximumOpenStreams

    /// Adds the HTTP/2 handlers to a channel.
    func install(in pipeline: ChannelPipeline.SynchronousOperations, after position: any ChannelHandler) throws {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .initialWindowSize, value: Window.stream),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 1 << 20),
        ]
        // As many as a header list of maximum size needs; a longer sequence closes the connection.
        configuration.maximumSequentialContinuationFrames = 64
        // Fields and lengths are validated when the response is assembled, in a single pass and with better messages.
        // Outgoing fields were validated when the request was prepared.
        configuration.contentLengthValidation = .disabled
        configuration.headerBlockValidation = .disabled
        configuration.maximumRecentlyResetStreams = Self.rememberedResets
        // These limits also count what healthy servers do: `HTTP2FrameGuard` replaces them. With a negative window, no
        // event is recent enough to be counted.
        configuration.maximumSequentialEmptyDataFrames = .max
        configuration.maximumConnectionGlitches = .max
        configuration.controlFrameRateLimit.windowLength = .nanoseconds(-1)
        var streams = NIOHTTP2Handler.StreamConfiguration()
        streams.streamResetFrameRateLimit.windowLength = .nanoseconds(-1)
        streams.streamErrorRateLimit.windowLength = .nanoseconds(-1)
        let frames = NIOHTTP2Handler(
            mode: .client, connectionConfiguration: configuration, streamConfiguration: streams)
        let gate = FlushGate()
        self.gate = gate
        let frameGuard = HTTP2FrameGuard(self)
        try pipeline.addHandler(gate, position: .after(position))
        try pipeline.addHandler(frameGuard, position: .after(gate))
        try pipeline.addHandler(frames, position: .after(frameGuard))
        try pipeline.addHandler(self, position: .after(frames))
    }

    /// Returns whether a stream with this number is open.
    func hasStream(_ number: Int) -> Bool { streams[HTTP2StreamID(number)] != nil }

    /// Counts body bytes of any stream, and enlarges the connection's window before it is exhausted.
    func receivedBody(_ count: Int) {
        unacknowledged += count
        guard unacknowledged >= Window.connection / 2 else { return }
        grow(.rootStream, by: unacknowledged)
        unacknowledged = 0
    }

    /// Closes a connection whose server floods it with unnecessary frames.
    func end(because flood: HTTP2FrameGuard.Flood) {
        guard isOpen, let context else { return }
        let goodbye = HTTP2Frame.FramePayload.goAway(
            lastStreamID: .rootStream, errorCode: .enhanceYourCalm, opaqueData: nil)
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: goodbye)), promise: nil)
        errorCaught(context: context, error: flood)
    }
}

/// The server's flow control for request bodies (RFC 9113, section 6.9).
///
/// SwiftNIO holds back the data that exceeds a window; this extension keeps track of when it does.
extension HTTP2Connection {
    /// The message for a server that allows no streams.
    static let noStreams: MessageText =
        "the server does not allow any HTTP/2 streams (SETTINGS_MAX_CONCURRENT_STREAMS is 0)"

    /// Whether the server currently accepts no requests.
    var forbidsStreams: Bool { isUsable && maximumStreams == 0 }

    /// Applies a new initial window size, which also changes the windows of open streams.
    func beginSendWindows(with size: Int) {
        let change = size - initialSendWindow
        initialSendWindow = size
        // A fully sent request needs no more window, so only a reduction matters.
        for stream in streams.values where change < 0 || !stream.exchange.isRequestSent {
            stream.sendWindow += change
        }
    }

    /// Enlarges the window of a stream or of the connection.
    ///
    /// SwiftNIO validates this for the connection, and for streams with pending data.
    func growSendWindow(of id: HTTP2StreamID, by increment: Int) {
        guard id != .rootStream else {
            sendWindow += increment
            return
        }
        guard let stream = streams[id] else { return }
        guard increment > 0 else {
            let message: MessageText = "the server increased the window of an HTTP/2 stream by 0 bytes"
            return broken(stream, HTTP1ParseFailure(message), .protocolError)
        }
        stream.sendWindow += increment
        guard stream.sendWindow > Int(Int32.max) else { return }
        let message: MessageText = "the server increased the window of an HTTP/2 stream beyond 2147483647 bytes"
        broken(stream, HTTP1ParseFailure(message), .flowControlError)
    }

    func obstacle(for exchange: TransportExchange) -> MessageText? {
        guard let stream = stream(of: exchange) else { return nil }
        if maximumStreams == 0 { return Self.noStreams }
        guard exchange.step == .sending, min(stream.sendWindow, sendWindow) < 0 else { return nil }
        return "the server's HTTP/2 flow-control window has no room for the body"
    }
}

extension HTTP2Connection: RequestBodySink {
    var allocator: ByteBufferAllocator { channel?.allocator ?? ByteBufferAllocator() }

    func writeBody(_ piece: ByteBuffer, of exchange: TransportExchange, promise: EventLoopPromise<Void>) {
        guard let stream = stream(of: exchange), context != nil else {
            return promise.fail(ChannelError.ioOnClosedChannel)
        }
        write(piece, of: stream, isLast: false, promise: promise)
        scheduleFlush()
    }

    func endBody(_ last: ByteBuffer?, of exchange: TransportExchange) {
        guard let stream = stream(of: exchange) else { return }
        write(last ?? ByteBuffer(), of: stream, isLast: true, promise: nil)
        scheduleFlush()
    }
}

/// A handler that holds back the first bytes of a new HTTP/2 connection until its first request: all leave in one
/// write.
///
/// Over TLS 1.3, a server rejects the client's certificate only after the client's handshake. A client with several
/// writes would fail on the closed connection and never read the reason.
final class FlushGate: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = ByteBuffer

    private var isOpen = false
    private var isFlushWanted = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // A connection without a request starts in the next turn of the event loop.
        context.eventLoop.assumeIsolated().execute { self.open() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func flush(context: ChannelHandlerContext) {
        if isOpen { context.flush() } else { isFlushWanted = true }
    }

    /// Releases the held bytes and removes the handler.
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
