import NIOCore

/// Looks at the header of each frame that a server sends, before SwiftNIO decodes it (RFC 9113 section 4.1).
///
/// SwiftNIO's limits are those of a server: they count answers to our own pings, and resets of streams that we have
/// opened. Here only those frames are counted that no exchange needs. It also sees what SwiftNIO drops: the bodies of
/// streams that we have reset, which take from the connection's window all the same.
final class HTTP2FrameGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// More frames that no exchange needs than the server may send.
    struct Flood: Error {
        /// The name of the last of them, as in RFC 9113.
        var frame: String
    }

    private static let headerLength = 9
    private let connection: HTTP2Connection
    private var header: [UInt8] = []
    /// The bytes of the frame's payload that are still to come.
    private var rest = 0

    init(_ connection: HTTP2Connection) {
        self.connection = connection
        header.reserveCapacity(Self.headerLength)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let flood = unwrapInboundIn(data).withUnsafeReadableBytes { scan($0) }
        // What came before the flood, such as the header of a response, is a part of what is reported.
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
        // PUSH_PROMISE is an error, CONTINUATION has a limit of its own, and WINDOW_UPDATE follows what is sent.
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
