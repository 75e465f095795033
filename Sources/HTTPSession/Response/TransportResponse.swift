/// What a transport gives for one request: no redirect followed, no content coding undone.
public struct TransportResponse: Sendable {
    /// What is beside head and body, in one reference: a response is passed on often.
    // Unchecked only because a subclass may have more; all that these have is constant.
    class Details: @unchecked Sendable {
        let trailers: HTTPHeaders
        let metrics: ExchangeMetrics
        let informational: [ResponseHead]
        let remoteAddress: String?
        let tls: TLSDetails?
        let stream: ResponseBodyStream?

        init(
            trailers: HTTPHeaders, metrics: ExchangeMetrics, informational: [ResponseHead], remoteAddress: String?,
            tls: TLSDetails?, stream: ResponseBodyStream?
        ) {
            self.trailers = trailers
            self.metrics = metrics
            self.informational = informational
            self.remoteAddress = remoteAddress
            self.tls = tls
            self.stream = stream
        }
    }

    /// The details' values, while they are changed.
    private struct Values {
        var trailers: HTTPHeaders
        var metrics: ExchangeMetrics
        var informational: [ResponseHead]
        var remoteAddress: String?
        var tls: TLSDetails?
        var stream: ResponseBodyStream?
    }

    /// Status line and header.
    public var head: ResponseHead
    /// The body as it was transferred, without chunk framing.
    public var body: [UInt8]
    private(set) var details: Details

    /// Creates a response.
    public init(
        head: ResponseHead, body: [UInt8] = [], trailers: HTTPHeaders = .init(), metrics: ExchangeMetrics = .init(),
        remoteAddress: String? = nil, tls: TLSDetails? = nil, stream: ResponseBodyStream? = nil,
        informational: [ResponseHead] = []
    ) {
        self.head = head
        self.body = body
        details = Details(
            trailers: trailers, metrics: metrics, informational: informational, remoteAddress: remoteAddress, tls: tls,
            stream: stream)
    }

    /// Creates a response of which all but head and body is made already.
    init(head: ResponseHead, body: [UInt8], details: Details) {
        self.head = head
        self.body = body
        self.details = details
    }

    private mutating func change(_ body: (inout Values) -> Void) {
        var values = Values(
            trailers: details.trailers, metrics: details.metrics, informational: details.informational,
            remoteAddress: details.remoteAddress, tls: details.tls, stream: details.stream)
        body(&values)
        details = Details(
            trailers: values.trailers, metrics: values.metrics, informational: values.informational,
            remoteAddress: values.remoteAddress, tls: values.tls, stream: values.stream)
    }

    /// The body as it arrives, if the request asked for that; ``body`` then is empty.
    public var stream: ResponseBodyStream? {
        get { details.stream }
        set { change { $0.stream = newValue } }
    }

    /// The responses of status 1xx that came before, oldest first.
    public var informational: [ResponseHead] {
        get { details.informational }
        set { change { $0.informational = newValue } }
    }

    /// The trailer fields of a chunked body.
    public var trailers: HTTPHeaders {
        get { details.trailers }
        set { change { $0.trailers = newValue } }
    }

    /// Where the time went.
    public var metrics: ExchangeMetrics {
        get { details.metrics }
        set { change { $0.metrics = newValue } }
    }

    /// The server's address and port.
    public var remoteAddress: String? {
        get { details.remoteAddress }
        set { change { $0.remoteAddress = newValue } }
    }

    /// The TLS session, or nil over plain TCP.
    public var tls: TLSDetails? {
        get { details.tls }
        set { change { $0.tls = newValue } }
    }
}
