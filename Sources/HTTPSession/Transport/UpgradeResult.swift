/// The outcome of asking a server to change the protocol.
public enum UpgradeResult<Value: Sendable>: Sendable {
    /// The server has changed the protocol; the response has status 101, the value is what was made of the channel.
    case upgraded(TransportResponse, Value)
    /// The server has answered with another status.
    case refused(TransportResponse)
}
