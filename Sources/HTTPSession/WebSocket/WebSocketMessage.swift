/// A message of a WebSocket (RFC 6455 section 5.6).
public enum WebSocketMessage: Sendable, Hashable {
    /// Text.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// The length in bytes.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}
