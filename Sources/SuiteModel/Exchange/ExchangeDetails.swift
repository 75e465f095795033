public import JSON

/// What few exchanges have; ``Exchange/details`` keeps it apart.
public struct ExchangeDetails: Sendable {
    /// Why no further event was read from a stream.
    public enum StreamEnd: Sendable, Hashable {
        /// The server ended it.
        case closed
        /// Every event that is expected had come.
        case complete
        /// The step's time was over, in nanoseconds.
        case timeout(Int64)
    }

    /// The trailer fields, in order (RFC 9110, section 6.5).
    public var trailers: [HeaderField] = []
    /// The server's certificate; nil without TLS, and where no step looks at it.
    public var certificate: CertificateFacts?
    /// The image that the body is; nil when it is none, and where no step looks at it.
    public var image: ImageFacts?
    /// What is known of a body of which only the beginning is kept; nil when it is whole.
    public var measuredBody: MeasuredBody?
    /// The events of a stream, in order: objects of server-sent events, texts of lines.
    public var events: [JSONValue] = []
    /// The number of events behind these, which are not kept.
    public var omittedEvents = 0
    /// Why no further event was read; nil when the response was not read as a stream.
    public var streamEnd: StreamEnd?
    /// What went over the WebSocket that the exchange has opened; nil when it has opened none.
    public var webSocket: WebSocketTranscript?

    /// Creates details without any.
    public init() {}

    /// True when there is none of them.
    public var isEmpty: Bool {
        trailers.isEmpty && certificate == nil && image == nil && events.isEmpty && streamEnd == nil
            && webSocket == nil && measuredBody == nil
    }
}
