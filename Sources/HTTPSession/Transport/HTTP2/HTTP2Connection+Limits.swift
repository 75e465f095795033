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
