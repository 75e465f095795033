/// The number of frames that no exchange needs and that a server may still send on a connection.
///
/// A flood of them keeps the event loop from other connections, so it ends the connection. Frames that exchanges need
/// earn others: a server that pings with every window of an upload, or resets each stream after its response, is healthy.
struct HTTP2Allowance {
    /// The most frames that are saved up, and the number to begin with.
    static let most = 1_000
    /// The number that is added each second, for connections that carry little.
    static let perSecond = 50

    private var left = most
    private var filledAt: UInt64 = 0
    /// Pings of ours that are not answered yet.
    private(set) var pings = 0
    /// Settings of ours that are not acknowledged yet.
    private(set) var settings = 1

    /// Adds one for a frame of an exchange, in either direction.
    mutating func earn() {
        if left < Self.most { left += 1 }
    }

    /// Counts a ping that is sent, as its answer is asked for.
    mutating func sendPing() { pings += 1 }

    /// Matches an answer with a ping.
    /// - Returns: Whether it was asked for.
    mutating func takePong() -> Bool {
        guard pings > 0 else { return false }
        pings -= 1
        return true
    }

    /// Matches an acknowledgment with settings.
    /// - Returns: Whether it was waited for.
    mutating func takeSettingsAcknowledgment() -> Bool {
        guard settings > 0 else { return false }
        settings -= 1
        return true
    }

    /// Charges a frame that no exchange needs.
    /// - Parameter now: The time, in the nanoseconds of ``MonotonicClock``.
    /// - Returns: Whether the server may send it.
    mutating func spend(at now: UInt64) -> Bool {
        if filledAt == 0 { filledAt = now }
        let step = 1_000_000_000 / UInt64(Self.perSecond)
        let steps = now > filledAt ? (now - filledAt) / step : 0
        left = min(Self.most, left + Int(clamping: min(steps, UInt64(Self.most))))
        filledAt += steps * step
        left -= 1
        return left >= 0
    }
}
