public import NIOCore

/// A transport, which sends a single request and returns its response.
public protocol Transport: Sendable {
    /// Sends a request and waits for the complete response.
    ///
    /// Cancelling the calling task ends the exchange immediately, and exactly once.
    /// - Throws: ``SessionError`` with the phase and the received part of the response.
    nonisolated(nonsending) func send(_ request: TransportRequest) async throws(SessionError) -> TransportResponse

    /// Opens a connection as for a request and closes it without sending anything.
    ///
    /// The default implementation does nothing, for transports without connections.
    /// - Throws: ``SessionError`` if the connection cannot be established.
    func connect(_ request: TransportRequest) async throws(SessionError)

    /// Fails all exchanges with ``SessionError/Reason/sessionClosed`` and closes all connections.
    func close() async
}

extension Transport {
    /// Does nothing; for transports without connections.
    public func connect(_ request: TransportRequest) async throws(SessionError) {}

    /// Does nothing; for transports without connections.
    public func close() async {}
}

/// The way in which a transport delivers a response's body.
public enum ResponseDelivery: Sendable, Hashable {
    /// In memory, with the complete response.
    case whole
    /// As a stream; the response is returned when its head has arrived.
    case streamed
}

/// A transport that supports protocol upgrades (RFC 9110, section 7.8).
public protocol UpgradingTransport: Transport {
    /// Requests a protocol upgrade from a server.
    ///
    /// The request must include its `Connection` and `Upgrade` fields. With status 101, the connection leaves the pool;
    /// the transport closes it only when the transport itself is closed.
    /// - Parameters:
    ///   - request: The request.
    ///   - configure: Configures the channel, on its event loop. It must add its handlers synchronously, at the end of
    ///     the pipeline, which contains only TLS. The handlers then receive the bytes that followed the response's
    ///     head, so none are lost. If it throws, the connection is closed.
    /// - Returns: The result of `configure`, or the response of a server that does not switch protocols.
    /// - Throws: ``SessionError``; ``SessionError/Reason/upgradeRefused`` with the error thrown by `configure`.
    func upgrade<Value: Sendable>(
        _ request: TransportRequest, configure: @escaping @Sendable (any Channel, ResponseHead) throws -> Value
    ) async throws(SessionError) -> UpgradeResult<Value>
}

/// The result of a protocol upgrade request.
public enum UpgradeResult<Value: Sendable>: Sendable {
    /// The server switched protocols; includes the response of status 101 and the result of the configuration.
    case upgraded(TransportResponse, Value)
    /// The server responded with another status.
    case refused(TransportResponse)
}
