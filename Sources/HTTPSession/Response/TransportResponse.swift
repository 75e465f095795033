/// The response of a transport to a single request, before redirects and content codings are handled.
public struct TransportResponse: Sendable {
    /// The rarely used parts of a response, in a single reference because responses are copied often.
    // Unchecked only because a subclass may add properties. All properties here are constants.
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

    /// The values of the details while they are changed.
    private struct Values {
        var trailers: HTTPHeaders
        var metrics: ExchangeMetrics
        var informational: [ResponseHead]
        var remoteAddress: String?
        var tls: TLSDetails?
        var stream: ResponseBodyStream?
    }

    /// The status line and header.
    public var head: ResponseHead
    /// The body as transferred, without chunk framing.
    public var body: [UInt8]
    private(set) var details: Details

    /// Creates a response.
    /// - Parameters:
    ///   - head: The status line and header.
    ///   - body: The body as transferred, without chunk framing.
    ///   - trailers: The trailer fields.
    ///   - metrics: The timing of the exchange.
    ///   - remoteAddress: The address and port of the server.
    ///   - tls: The TLS session; nil without TLS.
    ///   - stream: The body as a stream, if the request asked for that.
    ///   - informational: The 1xx responses that came before, oldest first.
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

    /// Creates a response from existing details.
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

    /// The body as a stream, if the request asked for that. ``body`` is then empty.
    public var stream: ResponseBodyStream? {
        get { details.stream }
        set { change { $0.stream = newValue } }
    }

    /// The 1xx responses that came before, oldest first.
    public var informational: [ResponseHead] {
        get { details.informational }
        set { change { $0.informational = newValue } }
    }

    /// The trailer fields of a chunked body.
    public var trailers: HTTPHeaders {
        get { details.trailers }
        set { change { $0.trailers = newValue } }
    }

    /// The timing of the exchange.
    public var metrics: ExchangeMetrics {
        get { details.metrics }
        set { change { $0.metrics = newValue } }
    }

    /// The address and port of the server.
    public var remoteAddress: String? {
        get { details.remoteAddress }
        set { change { $0.remoteAddress = newValue } }
    }

    /// The TLS session; nil without TLS.
    public var tls: TLSDetails? {
        get { details.tls }
        set { change { $0.tls = newValue } }
    }
}
