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
