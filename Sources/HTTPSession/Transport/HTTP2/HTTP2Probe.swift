import NIOCore
import NIOHTTP2

/// A ping that shows whether a server still follows a connection.
///
/// After a stream that did not end as it should, a server that floods the connection, or that is gone, must not get the
/// next request.
struct HTTP2Probe {
    /// How long the answer is waited for.
    struct Limits {
        /// Where a flood has arrived in the meantime.
        var flooded = TimeAmount.milliseconds(250)
        /// Otherwise: the server may be busy, or far away.
        var silent = TimeAmount.seconds(2)
    }

    /// How many frames of no exchange are a flood: more than the windows leave under way of a stream that was reset.
    static let flood = 1_000

    /// Whether the answer is outstanding.
    private(set) var isUnderWay = false
    /// Frames since the ping was sent that belong to no exchange under way.
    var strangeFrames = 0
    private var number: UInt64 = 0
    private var timer: Scheduled<Void>?

    /// Begins, and gives what the ping holds.
    mutating func begin() -> HTTP2PingData {
        isUnderWay = true
        strangeFrames = 0
        number += 1
        return HTTP2PingData(withInteger: number)
    }

    /// Keeps the timer that ends the wait.
    mutating func wait(for timer: Scheduled<Void>) { self.timer = timer }

    /// Whether the answer to a ping is the one that is waited for; then the probe is over.
    mutating func ends(with answer: HTTP2PingData) -> Bool {
        guard isUnderWay, answer == HTTP2PingData(withInteger: number) else { return false }
        end()
        return true
    }

    /// Gives up, or has what it needs.
    mutating func end() {
        isUnderWay = false
        timer?.cancel()
        timer = nil
    }
}

extension HTTP2Connection {
    /// Whether it will be known in a moment if the connection can be used.
    var isProbed: Bool { probe.isUnderWay }

    /// Asks the server for an answer. Exchanges wait for it within ``HTTP2Probe/Limits``, and without one go to another
    /// connection; those that are under way stay.
    func startProbe() {
        guard isOpen, !isDraining, !probe.isUnderWay, let context else { return }
        let ping = HTTP2Frame.FramePayload.ping(probe.begin(), ack: false)
        allowance.sendPing()
        context.write(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: ping)), promise: nil)
        scheduleFlush()
        let limits = connections.pool.settings.probeLimits
        awaitAnswer(limits.flooded) {
            if self.probe.strangeFrames >= HTTP2Probe.flood { return self.drain() }
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
