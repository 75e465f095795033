/// What a transport gives for one request: no redirect followed, no content coding undone.
public struct TransportResponse: Sendable {
    /// Status line and header.
    public var head: ResponseHead
    /// The body as it was transferred, without chunk framing.
    public var body: [UInt8]
    /// The body as it arrives, if the request asked for that; ``body`` then is empty.
    public var stream: ResponseBodyStream?
    /// The responses of status 1xx that came before, oldest first.
    public var informational: [ResponseHead]
    /// The trailer fields of a chunked body.
    public var trailers: HTTPHeaders
    /// Where the time went.
    public var metrics: ExchangeMetrics
    /// The server's address and port.
    public var remoteAddress: String?
    /// The TLS session, or nil over plain TCP.
    public var tls: TLSDetails?

    /// Creates a response.
    public init(
        head: ResponseHead, body: [UInt8] = [], trailers: HTTPHeaders = .init(), metrics: ExchangeMetrics = .init(),
        remoteAddress: String? = nil, tls: TLSDetails? = nil, stream: ResponseBodyStream? = nil,
        informational: [ResponseHead] = []
    ) {
        self.head = head
        self.body = body
        self.trailers = trailers
        self.metrics = metrics
        self.remoteAddress = remoteAddress
        self.tls = tls
        self.stream = stream
        self.informational = informational
    }
}
