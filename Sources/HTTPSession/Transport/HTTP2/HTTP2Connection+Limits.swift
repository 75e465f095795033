import NIOCore
import NIOHTTP2

/// The limits of a client's connection.
extension HTTP2Connection {
    /// The most streams that are open at a time, whatever the server allows.
    static let mostStreams = 4_096

    /// The streams that we have reset and on which frames may still arrive (RFC 9113 section 5.1), as many as SwiftNIO
    /// remembers: all that are open can be reset while the server's answer to the last ping is on its way, and once more
    /// after that.
    private static let rememberedResets = 2 * mostStreams

    /// Adds what HTTP/2 needs to a channel.
    func install(in pipeline: ChannelPipeline.SynchronousOperations, after position: any ChannelHandler) throws {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .initialWindowSize, value: Window.stream),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 1 << 20),
        ]
        // As many as the header list may take; a longer one ends the connection.
        configuration.maximumSequentialContinuationFrames = 64
        // Fields and lengths are checked where the response is put together, in one pass and with better words; what is
        // sent was checked when the request was prepared.
        configuration.contentLengthValidation = .disabled
        configuration.headerBlockValidation = .disabled
        configuration.maximumRecentlyResetStreams = Self.rememberedResets
        // These count what healthy servers do, too: `HTTP2FrameGuard` takes their place. No event is younger than a
        // window of less than nothing, so that none is counted.
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

    /// Whether the stream of a number is open.
    func hasStream(_ number: Int) -> Bool { streams[HTTP2StreamID(number)] != nil }

    /// Counts a part of a body, whichever stream it is for, and enlarges the connection's window by it in time.
    func receivedBody(_ count: Int) {
        unacknowledged += count
        guard unacknowledged >= Window.connection / 2 else { return }
        grow(.rootStream, by: unacknowledged)
        unacknowledged = 0
    }

    /// Ends a connection whose server sends too much that no exchange needs.
    func end(because flood: HTTP2FrameGuard.Flood) {
        guard isOpen, let context else { return }
        let goodbye = HTTP2Frame.FramePayload.goAway(
            lastStreamID: .rootStream, errorCode: .enhanceYourCalm, opaqueData: nil)
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: goodbye)), promise: nil)
        errorCaught(context: context, error: flood)
    }
}

/// The server's flow control of what is sent (RFC 9113 section 6.9): SwiftNIO holds back what there is no room for, and
/// here it is known that it does.
extension HTTP2Connection {
    /// Why no request is sent, in words.
    static let noStreams = "the server allows no HTTP/2 streams (SETTINGS_MAX_CONCURRENT_STREAMS is 0)"

    /// Whether the server takes no requests for now.
    var forbidsStreams: Bool { isUsable && maximumStreams == 0 }

    /// Takes note of how much the server takes of each stream at first, which changes those that have begun too.
    func beginSendWindows(with size: Int) {
        let change = size - initialSendWindow
        initialSendWindow = size
        // What has been sent wholly needs no more room, so only less of it counts.
        for stream in streams.values where change < 0 || !stream.exchange.isRequestSent {
            stream.sendWindow += change
        }
    }

    /// Takes note that the server takes more, of a stream or in all.
    ///
    /// SwiftNIO checks this for the connection, and for streams on which something is still sent.
    func growSendWindow(of id: HTTP2StreamID, by increment: Int) {
        guard id != .rootStream else {
            sendWindow += increment
            return
        }
        guard let stream = streams[id] else { return }
        guard increment > 0 else {
            let message = "the server enlarged the window of an HTTP/2 stream by nothing"
            return broken(stream, HTTP1ParseFailure(message), .protocolError)
        }
        stream.sendWindow += increment
        guard stream.sendWindow > Int(Int32.max) else { return }
        let message = "the server enlarged the window of an HTTP/2 stream beyond 2147483647 bytes"
        broken(stream, HTTP1ParseFailure(message), .flowControlError)
    }

    func obstacle(for exchange: TransportExchange) -> String? {
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
