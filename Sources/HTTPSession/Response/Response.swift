public import FoundationEssentials
public import NIOCore

/// A response with its body, the exchange that gave it, and the redirects that led to it.
public struct Response: Sendable {
    /// What most readers of a response never look at, in one reference: a response is passed on often.
    final class Storage: TransportResponse.Details, @unchecked Sendable {
        let request: SentRequest
        let history: [Response]
        let attempts: [ExchangeMetrics]
        let isFromCache: Bool

        fileprivate init(_ values: Values) {
            request = values.request
            history = values.history
            attempts = values.attempts
            isFromCache = values.isFromCache
            super.init(
                trailers: values.trailers, metrics: values.metrics, informational: values.informational,
                remoteAddress: values.remoteAddress, tls: values.tls, stream: values.stream)
        }

        /// What a transport has received; the response that is made of it has it too.
        init(
            request: SentRequest, trailers: HTTPHeaders, metrics: ExchangeMetrics, informational: [ResponseHead],
            remoteAddress: String?, tls: TLSDetails?, stream: ResponseBodyStream?
        ) {
            self.request = request
            history = []
            attempts = []
            isFromCache = false
            super.init(
                trailers: trailers, metrics: metrics, informational: informational, remoteAddress: remoteAddress,
                tls: tls, stream: stream)
        }
    }

    /// The storage's values, while they are changed.
    fileprivate struct Values {
        var trailers: HTTPHeaders
        var request: SentRequest
        var history: [Response]
        var metrics: ExchangeMetrics
        var attempts: [ExchangeMetrics]
        var informational: [ResponseHead]
        var remoteAddress: String?
        var tls: TLSDetails?
        var isFromCache: Bool
        var stream: ResponseBodyStream?
    }

    /// Status line and header.
    public var head: ResponseHead
    /// The body, decompressed if the request asked for that.
    public var body: [UInt8]
    private var storage: Storage

    /// Creates a response.
    public init(
        head: ResponseHead, body: [UInt8] = [], trailers: HTTPHeaders = .init(), request: SentRequest,
        history: [Response] = [], metrics: ExchangeMetrics = .init(), remoteAddress: String? = nil,
        tls: TLSDetails? = nil, informational: [ResponseHead] = [], isFromCache: Bool = false
    ) {
        self.head = head
        self.body = body
        storage = Storage(
            Values(
                trailers: trailers, request: request, history: history, metrics: metrics, attempts: [],
                informational: informational, remoteAddress: remoteAddress, tls: tls, isFromCache: isFromCache))
    }

    /// Creates a response of what a transport has given for a request.
    ///
    /// - Parameter isDirect: Whether the transport is a ``NIOTransport``, and what it has noted of the request is so. What
    ///   another one hands on may be the response to a request that it has made of this one.
    init(_ result: TransportResponse, request: @autoclosure () -> SentRequest, isDirect: Bool) {
        head = result.head
        body = result.body
        let details = result.details
        if isDirect, let noted = details as? Storage {
            storage = noted
        } else {
            storage = Storage(
                request: request(), trailers: details.trailers, metrics: details.metrics,
                informational: details.informational, remoteAddress: details.remoteAddress, tls: details.tls,
                stream: details.stream)
        }
    }

    private mutating func change(_ body: (inout Values) -> Void) {
        var values = Values(
            trailers: storage.trailers, request: storage.request, history: storage.history, metrics: storage.metrics,
            attempts: storage.attempts, informational: storage.informational, remoteAddress: storage.remoteAddress,
            tls: storage.tls, isFromCache: storage.isFromCache, stream: storage.stream)
        body(&values)
        storage = Storage(values)
    }

    /// The trailer fields.
    public var trailers: HTTPHeaders {
        get { storage.trailers }
        set { change { $0.trailers = newValue } }
    }

    /// What was sent for this response.
    public var request: SentRequest {
        get { storage.request }
        set { change { $0.request = newValue } }
    }

    /// The redirect responses that led here, oldest first.
    public var history: [Response] {
        get { storage.history }
        set { change { $0.history = newValue } }
    }

    /// Where the time went in the last attempt.
    public var metrics: ExchangeMetrics {
        get { storage.metrics }
        set { change { $0.metrics = newValue } }
    }

    /// The measurements of the attempts before the last one, oldest first; empty without retries.
    public var attempts: [ExchangeMetrics] {
        get { storage.attempts }
        set { change { $0.attempts = newValue } }
    }

    /// The responses of status 1xx that came before this one, oldest first.
    public var informational: [ResponseHead] {
        get { storage.informational }
        set { change { $0.informational = newValue } }
    }

    /// The address and port of the server, or of the proxy, as in `127.0.0.1:8080` or `[::1]:8080`.
    public var remoteAddress: String? {
        get { storage.remoteAddress }
        set { change { $0.remoteAddress = newValue } }
    }

    /// The TLS session, or nil over plain TCP.
    public var tls: TLSDetails? {
        get { storage.tls }
        set { change { $0.tls = newValue } }
    }

    /// Whether the body is one that the cache has kept.
    public var isFromCache: Bool {
        get { storage.isFromCache }
        set { change { $0.isFromCache = newValue } }
    }

    /// The body as it arrives, for a response that is streamed.
    var stream: ResponseBodyStream? {
        get { storage.stream }
        set { change { $0.stream = newValue } }
    }

    /// The status code.
    public var status: Int { head.status }
    /// The reason phrase.
    public var reason: String { head.reason }
    /// The version in the status line.
    public var version: HTTPVersion { head.version }
    /// The header.
    public var headers: HTTPHeaders { head.headers }
    /// The URL this response came from, after redirects.
    public var url: HTTPURL { request.url }

    /// The body as text: ISO 8859-1 if the content type says so, else UTF-8, invalid bytes as U+FFFD.
    public var text: String {
        if let type = headers["Content-Type"], Self.isLatin1(type) {
            var text = ""
            for byte in body { text.unicodeScalars.append(Unicode.Scalar(byte)) }
            return text
        }
        return String(decoding: body, as: UTF8.self)
    }

    /// Whether a redirect led from https to http.
    public var leftSecureTransport: Bool {
        var wasSecure = false
        for hop in history {
            if hop.url.isSecure { wasSecure = true } else if wasSecure { return true }
        }
        return wasSecure && !url.isSecure
    }

    private static func isLatin1(_ contentType: String) -> Bool {
        let lowered = contentType.lowercased()
        return lowered.contains("charset=iso-8859-1") || lowered.contains("charset=\"iso-8859-1\"")
            || lowered.contains("charset=latin1")
    }
}

/// What was put on the wire for a response.
public struct SentRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute URL.
    public var url: HTTPURL
    /// The header with the session's and the library's fields.
    public var headers: HTTPHeaders
    /// The body.
    public var body: RequestBody

    /// Creates a record of a request.
    public init(method: HTTPMethod, url: HTTPURL, headers: HTTPHeaders, body: RequestBody) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension Response {
    /// The body as a `Data`.
    public var data: Data { Data(body) }

    /// The body as a buffer.
    public var buffer: ByteBuffer { ByteBuffer(bytes: body) }
}
