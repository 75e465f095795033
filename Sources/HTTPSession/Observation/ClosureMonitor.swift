/// Calls a function for each event.
public struct ClosureMonitor: EventMonitor {
    private let body: @Sendable (SessionEvent, RequestID) -> Void

    /// Creates a monitor of a function, which is called where things happen and must be quick.
    public init(_ body: @escaping @Sendable (_ event: SessionEvent, _ request: RequestID) -> Void) {
        self.body = body
    }

    /// Calls the function.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        body(event, request)
    }
}
