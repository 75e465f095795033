/// Why a WebSocket is closed, as a number (RFC 6455 section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number.
    public var rawValue: UInt16

    /// Creates a code of a number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The purpose of the connection is fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// A server goes down, or a client has moved on.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// The other side has broken the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A message was of a type that is not accepted.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// The close frame had no code; never sent.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// There was no close frame; never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// A text was not valid UTF-8.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// A message was against the rules of this side.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message was too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// The server lacks an extension that the client needs.
    public static let mandatoryExtension = WebSocketCloseCode(rawValue: 1010)
    /// The server has met an error of its own.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)

    /// Whether the code may stand in a close frame.
    var isValidOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { String(rawValue) }
}
