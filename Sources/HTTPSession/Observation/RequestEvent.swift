/// An event with the number of the request that it is of.
public struct RequestEvent: Sendable {
    /// The request's number.
    public var request: RequestID
    /// What happened.
    public var event: SessionEvent

    /// Creates a pair.
    public init(request: RequestID, event: SessionEvent) {
        self.request = request
        self.event = event
    }
}
