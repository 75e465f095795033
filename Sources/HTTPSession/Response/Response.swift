public import FoundationEssentials
public import NIOCore

/// A response with its body, the request that was sent, and the redirects that led to it.
///
/// ```swift
/// let response = try await session.get("books/7").response()
/// print(response.status, response.headers["Content-Type"] ?? "", response.metrics.total)
/// let book = try response.decode(Book.self)
/// ```
public struct Response: Sendable {
    /// The rarely used parts of a response, in a single reference because responses are copied often.
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

        /// Creates storage for a response that a transport received. The response made from it shares the storage.
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

    /// The values of the storage while they are changed.
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

    /// The status line and header.
    public var head: ResponseHead
    /// The body, decompressed if the request asked for that.
    public var body: [UInt8]
    private var storage: Storage

    /// Creates a response, for example for a test or a custom transport.
    /// - Parameters:
    ///   - head: The status line and header.
    ///   - body: The body.
    ///   - trailers: The trailer fields.
    ///   - request: The request that was sent.
    ///   - history: The redirect responses that led to this one, oldest first.
    ///   - metrics: The timing of the last attempt.
    ///   - remoteAddress: The address and port of the server or proxy.
    ///   - tls: The TLS session; nil without TLS.
    ///   - informational: The 1xx responses that came before, oldest first.
    ///   - isFromCache: Whether the body comes from the cache.
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

    /// Creates a response from the transport's response to a request.
    ///
    /// - Parameter isDirect: Whether the transport is a ``NIOTransport``, so that its record of the request is correct.
    ///   Another transport may have changed the request before it passed it on.
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

    /// The request that was sent for this response.
    public var request: SentRequest {
        get { storage.request }
        set { change { $0.request = newValue } }
    }

    /// The redirect responses that led to this one, oldest first.
    public var history: [Response] {
        get { storage.history }
        set { change { $0.history = newValue } }
    }

    /// The timing of the last attempt.
    public var metrics: ExchangeMetrics {
        get { storage.metrics }
        set { change { $0.metrics = newValue } }
    }

    /// The metrics of the attempts before the last one, oldest first; empty without retries.
    public var attempts: [ExchangeMetrics] {
        get { storage.attempts }
        set { change { $0.attempts = newValue } }
    }

    /// The 1xx responses that came before this one, oldest first.
    public var informational: [ResponseHead] {
        get { storage.informational }
        set { change { $0.informational = newValue } }
    }

    /// The address and port of the server or proxy, such as `127.0.0.1:8080` or `[::1]:8080`.
    public var remoteAddress: String? {
        get { storage.remoteAddress }
        set { change { $0.remoteAddress = newValue } }
    }

    /// The TLS session; nil without TLS.
    public var tls: TLSDetails? {
        get { storage.tls }
        set { change { $0.tls = newValue } }
    }

    /// Whether the body comes from the cache.
    public var isFromCache: Bool {
        get { storage.isFromCache }
        set { change { $0.isFromCache = newValue } }
    }

    /// The body of a streamed response.
    var stream: ResponseBodyStream? {
        get { storage.stream }
        set { change { $0.stream = newValue } }
    }

    /// The HTTP status code.
    public var status: Int { head.status }
    /// The reason phrase.
    public var reason: String { head.reason }
    /// The HTTP version in the status line.
    public var version: HTTPVersion { head.version }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }
    /// The URL of the response, after redirects.
    public var url: HTTPURL { request.url }

    /// The body as a string, decoded as ISO 8859-1 if the content type says so, and as UTF-8 otherwise.
    ///
    /// Invalid bytes become U+FFFD. Use ``string(encoding:)`` to detect other encodings.
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

/// The request that was sent for a response, with all fields of the session and the library.
public struct SentRequest: Sendable {
    /// The HTTP method.
    public var method: HTTPMethod
    /// The absolute URL.
    public var url: HTTPURL
    /// The header, including the fields of the session and the library.
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
    /// The body as `Data`.
    public var data: Data { Data(body) }

    /// The body as a `ByteBuffer`.
    public var buffer: ByteBuffer { ByteBuffer(bytes: body) }
}
