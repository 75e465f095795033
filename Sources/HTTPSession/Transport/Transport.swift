/// Carries one request to a server and one response back.
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole response.
    ///
    /// Cancelling the calling task ends the exchange at once, and exactly once.
    /// - Throws: ``SessionError`` with the phase and what had arrived.
    func send(_ request: TransportRequest) async throws(SessionError) -> TransportResponse

    /// Ends all exchanges with ``SessionError/Reason/sessionClosed`` and closes all connections.
    func close() async
}

extension Transport {
    /// Does nothing: for transports without connections.
    public func close() async {}
}
