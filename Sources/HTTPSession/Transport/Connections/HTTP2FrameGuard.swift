import NIOCore

/// A handler that inspects the header of each incoming frame before SwiftNIO decodes it (RFC 9113, section 4.1).
///
/// SwiftNIO's limits are designed for servers: they count responses to the client's own pings, and resets of streams
/// that the client opened. This handler counts only the frames that no exchange needs. It also sees the frames that
/// SwiftNIO drops: the bodies of reset streams, which still consume the connection's window.
final class HTTP2FrameGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The error of a server that exceeded its budget of unnecessary frames.
    struct Flood: Error {
        /// The name of the last such frame in RFC 9113.
        var frame: String
    }

    private static let headerLength = 9
    private let connection: HTTP2Connection
    private var header: [UInt8] = []
    /// The number of payload bytes of the current frame that are still missing.
    private var rest = 0

    init(_ connection: HTTP2Connection) {
        self.connection = connection
        header.reserveCapacity(Self.headerLength)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let flood = unwrapInboundIn(data).withUnsafeReadableBytes { scan($0) }
        // Frames before the flood, such as a response header, still have to be processed.
        context.fireChannelRead(data)
        if let flood { connection.end(because: flood) }
    }

    private func scan(_ bytes: UnsafeRawBufferPointer) -> Flood? {
        var position = 0
        while position < bytes.count {
            if rest > 0 {
                let step = min(rest, bytes.count - position)
                rest -= step
                position += step
                continue
            }
            let step = min(Self.headerLength - header.count, bytes.count - position)
            header.append(contentsOf: bytes[position..<(position + step)])
            position += step
            guard header.count == Self.headerLength else { return nil }
            rest = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
            let number = header[5...].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
            let flood = take(type: header[3], flags: header[4], stream: number, length: rest)
            header.removeAll(keepingCapacity: true)
            if let flood { return flood }
        }
        return nil
    }

    private func take(type: UInt8, flags: UInt8, stream: Int, length: Int) -> Flood? {
        let isAcknowledgment = flags & 1 != 0
        switch type {
        case 0:
            connection.receivedBody(length)
            if length > 0 || flags & 1 != 0 { connection.allowance.earn() } else { return spend("DATA") }
        case 1: connection.allowance.earn()
        case 2: return spend("PRIORITY")
        case 3: if !connection.hasStream(stream) { return spend("RST_STREAM") }
        case 4:
            if isAcknowledgment, connection.allowance.takeSettingsAcknowledgment() { return nil }
            return spend("SETTINGS")
        case 6:
            if isAcknowledgment, connection.allowance.takePong() { return nil }
            return spend("PING")
        case 7: return spend("GOAWAY")
        // PUSH_PROMISE is an error, CONTINUATION has its own limit, and WINDOW_UPDATE corresponds to sent data.
        case 5, 8, 9: break
        case 10: return spend("ALTSVC")
        case 12: return spend("ORIGIN")
        default: return spend("unknown")
        }
        return nil
    }

    private func spend(_ frame: String) -> Flood? {
        connection.allowance.spend(at: MonotonicClock.now()) ? nil : Flood(frame: frame)
    }
}

/// The budget of frames that no exchange needs and that a server may still send on a connection.
///
/// A flood of such frames would block the event loop for other connections, so it closes the connection. Frames that
/// exchanges need increase the budget: a server that pings with every window of an upload, or resets each stream after
/// its response, is healthy.
struct HTTP2Allowance {
    /// The maximum and initial budget.
    static let maximum = 1_000
    /// The increase per second, for connections with little traffic.
    static let perSecond = 50

    private var left = maximum
    private var filledAt: UInt64 = 0
    /// The number of unanswered pings of this client.
    private(set) var pings = 0
    /// The number of unacknowledged SETTINGS frames of this client.
    private(set) var settings = 1

    /// Adds one frame to the budget, for a frame of an exchange in either direction.
    mutating func earn() {
        if left < Self.maximum { left += 1 }
    }

    /// Counts a ping, so that its response is not charged.
    mutating func sendPing() { pings += 1 }

    /// Matches a ping response with a ping.
    /// - Returns: Whether the response was requested.
    mutating func takePong() -> Bool {
        guard pings > 0 else { return false }
        pings -= 1
        return true
    }

    /// Matches an acknowledgment with a SETTINGS frame.
    /// - Returns: Whether the acknowledgment was expected.
    mutating func takeSettingsAcknowledgment() -> Bool {
        guard settings > 0 else { return false }
        settings -= 1
        return true
    }

    /// Charges a frame that no exchange needs.
    /// - Parameter now: The current time in nanoseconds of ``MonotonicClock``.
    /// - Returns: Whether the frame is within the budget.
    mutating func spend(at now: UInt64) -> Bool {
        if filledAt == 0 { filledAt = now }
        let step = 1_000_000_000 / UInt64(Self.perSecond)
        let steps = now > filledAt ? (now - filledAt) / step : 0
        left = min(Self.maximum, left + Int(clamping: min(steps, UInt64(Self.maximum))))
        filledAt += steps * step
        left -= 1
        return left >= 0
    }
}
