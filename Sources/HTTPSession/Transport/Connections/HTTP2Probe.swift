import NIOCore
import NIOHTTP2

/// A ping that checks whether a server still responds on a connection.
///
/// It follows an abnormally ended stream: a server that floods the connection, or is gone, must not get the next
/// request.
struct HTTP2Probe {
    /// The time limits for the response to the ping.
    struct Limits {
        /// The limit if a flood has arrived in the meantime.
        var flooded = TimeAmount.milliseconds(250)
        /// The limit otherwise: the server may be busy or far away.
        var silent = TimeAmount.seconds(2)
    }

    /// The number of stray frames that count as a flood: more than the windows allow in transit for a reset stream.
    static let flood = 1_000

    /// Whether the response is outstanding.
    private(set) var isUnderWay = false
    /// The number of frames since the ping that belong to no open exchange.
    var unexpectedFrames = 0
    private var number: UInt64 = 0
    private var timer: Scheduled<Void>?

    /// Starts the probe and returns the payload of its ping.
    mutating func begin() -> HTTP2PingData {
        isUnderWay = true
        unexpectedFrames = 0
        number += 1
        return HTTP2PingData(withInteger: number)
    }

    /// Stores the timer that limits the wait.
    mutating func wait(for timer: Scheduled<Void>) { self.timer = timer }

    /// Ends the probe if a ping response matches it, and returns whether it does.
    mutating func ends(with answer: HTTP2PingData) -> Bool {
        guard isUnderWay, answer == HTTP2PingData(withInteger: number) else { return false }
        end()
        return true
    }

    /// Ends the probe, successfully or not.
    mutating func end() {
        isUnderWay = false
        timer?.cancel()
        timer = nil
    }
}

extension HTTP2Connection {
    /// Whether a probe of the connection is in progress.
    var isProbed: Bool { probe.isUnderWay }

    /// Pings the server.
    ///
    /// Exchanges wait for the response within ``HTTP2Probe/Limits``. Without a response they move to another
    /// connection; those in flight stay.
    func startProbe() {
        guard isOpen, !isDraining, !probe.isUnderWay, let context else { return }
        let ping = HTTP2Frame.FramePayload.ping(probe.begin(), ack: false)
        allowance.sendPing()
        context.write(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: ping)), promise: nil)
        scheduleFlush()
        let limits = connections.pool.settings.probeLimits
        awaitAnswer(limits.flooded) {
            if self.probe.unexpectedFrames >= HTTP2Probe.flood { return self.drain() }
            self.awaitAnswer(limits.silent - limits.flooded) { self.drain() }
        }
    }

    private func awaitAnswer(_ time: TimeAmount, otherwise: @escaping () -> Void) {
        guard let context else { return }
        probe.wait(
            for: context.eventLoop.assumeIsolated().scheduleTask(in: time) {
                if self.probe.isUnderWay { otherwise() }
            })
    }
}
