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
