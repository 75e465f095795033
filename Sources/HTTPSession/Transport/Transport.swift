public import NIOCore

/// Carries one request to a server and one response back.
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole response.
    ///
    /// Cancelling the calling task ends the exchange at once, and exactly once.
    /// - Throws: ``SessionError`` with the phase and what had arrived.
    nonisolated(nonsending) func send(_ request: TransportRequest) async throws(SessionError) -> TransportResponse

    /// Makes a connection as for a request and closes it; nothing is sent.
    ///
    /// A transport without connections has nothing to do here, which is what happens if this is not implemented.
    /// - Throws: ``SessionError`` if the connection cannot be made.
    func connect(_ request: TransportRequest) async throws(SessionError)

    /// Ends all exchanges with ``SessionError/Reason/sessionClosed`` and closes all connections.
    func close() async
}

extension Transport {
    /// Does nothing: for transports without connections.
    public func connect(_ request: TransportRequest) async throws(SessionError) {}

    /// Does nothing: for transports without connections.
    public func close() async {}
}

/// How a transport hands over a response's body.
public enum ResponseDelivery: Sendable, Hashable {
    /// With the response, once all of it is there.
    case whole
    /// As a stream; the response is given when its head is there.
    case streamed
}

/// A transport that can give a connection to another protocol (RFC 9110 section 7.8).
public protocol UpgradingTransport: Transport {
    /// Asks a server to change the protocol on a connection.
    ///
    /// The request must have its `Connection` and `Upgrade` fields. With status 101 the connection leaves the pool; the
    /// transport closes it only when it is closed itself.
    /// - Parameters:
    ///   - request: The request.
    ///   - configure: Makes something of the channel, on its event loop: it adds its handlers before it returns, at the
    ///     end of the pipeline, which has TLS and no more. They are then given the bytes that have come after the
    ///     response's head, so that none are lost. If it throws, the connection is closed.
    /// - Returns: What was made of the channel, or the response of a server that does not change the protocol.
    /// - Throws: ``SessionError``; ``SessionError/Reason/upgradeRefused`` with the error that `configure` has thrown.
    func upgrade<Value: Sendable>(
        _ request: TransportRequest, configure: @escaping @Sendable (any Channel, ResponseHead) throws -> Value
    ) async throws(SessionError) -> UpgradeResult<Value>
}

/// The outcome of asking a server to change the protocol.
public enum UpgradeResult<Value: Sendable>: Sendable {
    /// The server has changed the protocol; the response has status 101, the value is what was made of the channel.
    case upgraded(TransportResponse, Value)
    /// The server has answered with another status.
    case refused(TransportResponse)
}
