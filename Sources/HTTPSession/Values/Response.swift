/// A response with its body, the exchange that gave it, and the redirects that led to it.
public struct Response: Sendable {
    /// Status line and header.
    public var head: ResponseHead
    /// The body, decompressed if the request asked for that.
    public var body: [UInt8]
    /// The trailer fields of a chunked body.
    public var trailers: HTTPHeaders
    /// What was sent for this response.
    public var request: SentRequest
    /// The redirect responses that led here, oldest first.
    public var history: [Response]
    /// Where the time went.
    public var metrics: ExchangeMetrics
    /// The server's address and port, as in `127.0.0.1:8080` or `[::1]:8080`.
    public var remoteAddress: String?
    /// The TLS session, or nil over plain TCP.
    public var tls: TLSDetails?

    /// Creates a response.
    public init(
        head: ResponseHead, body: [UInt8] = [], trailers: HTTPHeaders = .init(), request: SentRequest,
        history: [Response] = [], metrics: ExchangeMetrics = .init(), remoteAddress: String? = nil,
        tls: TLSDetails? = nil
    ) {
        self.head = head
        self.body = body
        self.trailers = trailers
        self.request = request
        self.history = history
        self.metrics = metrics
        self.remoteAddress = remoteAddress
        self.tls = tls
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
