/// An event of a `text/event-stream` (WHATWG HTML section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type; `message` where the stream names none.
    public var type: String
    /// The data: the values of the event's data lines, joined by line feeds.
    public var data: String
    /// The last event ID the stream has given, with this event or an earlier one; empty if none.
    public var id: String
    /// The time to wait before a reconnection, if this event has set it.
    public var retry: Duration?

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }
}
