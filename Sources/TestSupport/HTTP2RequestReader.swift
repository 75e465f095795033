import NIOCore
import NIOHPACK

/// A minimal reader of an HTTP/2 client's frames, for a server whose responses are written frame by frame.
public struct HTTP2RequestReader {
    /// An event caused by received frames.
    public enum Event: Sendable {
        /// A settings frame or ping that must be acknowledged with these bytes.
        case reply([UInt8])
        /// The header of a request, with its method, path, and stream.
        case request(line: String, stream: UInt32)
    }

    private var unread: [UInt8] = []
    private var hasPreface = false
    private var block: [UInt8] = []
    // A test server may have allowed a dynamic table larger than the default.
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator(), maxDynamicTableSize: 1 << 20)

    /// Creates a reader for a new connection.
    public init() {}

    /// Returns the bytes of a frame (RFC 9113, section 4.1).
    public static func frame(type: UInt8, flags: UInt8, stream: UInt32, payload: [UInt8]) -> [UInt8] {
        let length = [UInt8(truncatingIfNeeded: payload.count >> 16), UInt8(truncatingIfNeeded: payload.count >> 8)]
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> UInt32($0)) }
        return length + [UInt8(truncatingIfNeeded: payload.count), type, flags] + number + payload
    }

    /// Processes bytes from the client.
    ///
    /// - Returns: The events completed by the bytes, in order.
    public mutating func read(_ bytes: ArraySlice<UInt8>) -> [Event] {
        unread += bytes
        var events: [Event] = []
        var start = 0
        if !hasPreface {
            // "PRI * HTTP/2.0", an empty line, "SM", an empty line (RFC 9113, section 3.4).
            guard unread.count >= 24 else { return [] }
            hasPreface = true
            start = 24
        }
        while unread.count - start >= 9 {
            let length = Int(unread[start]) << 16 | Int(unread[start + 1]) << 8 | Int(unread[start + 2])
            let end = start + 9 + length
            guard unread.count >= end else { break }
            let stream = unread[(start + 5)..<(start + 9)].reduce(0) { $0 << 8 | UInt32($1) }
            if let event = event(
                type: unread[start + 3], flags: unread[start + 4], stream: stream, unread[(start + 9)..<end])
            {
                events.append(event)
            }
            start = end
        }
        unread.removeFirst(start)
        return events
    }

    private mutating func event(type: UInt8, flags: UInt8, stream: UInt32, _ payload: ArraySlice<UInt8>) -> Event? {
        switch type {
        case 4 where flags & 1 == 0: return .reply(Self.frame(type: 4, flags: 1, stream: 0, payload: []))
        case 6 where flags & 1 == 0: return .reply(Self.frame(type: 6, flags: 1, stream: 0, payload: Array(payload)))
        case 1, 9:
            // Test clients neither pad nor prioritize, but skipping a priority is simple.
            block += type == 1 && flags & 0x20 != 0 ? payload.dropFirst(5) : payload
            guard flags & 4 != 0 else { return nil }
            var buffer = ByteBuffer(bytes: block)
            block = []
            guard let headers = try? decoder.decodeHeaders(from: &buffer) else { return nil }
            let method = headers.first(name: ":method") ?? ""
            return .request(line: "\(method) \(headers.first(name: ":path") ?? "")", stream: stream)
        default: return nil
        }
    }
}
