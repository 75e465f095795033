import NIOHTTP2

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
