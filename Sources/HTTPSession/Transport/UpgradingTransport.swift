public import NIOCore

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
