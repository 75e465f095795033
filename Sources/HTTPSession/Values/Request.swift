/// A request as its caller wants it; what is nil comes from the session's configuration.
public struct Request: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// An absolute URL, or a reference that the session resolves against its base URL (RFC 3986 section 5).
    public var url: String
    /// The header; takes precedence over the session's default header and the library's own.
    public var headers: HTTPHeaders
    /// The body.
    public var body: RequestBody
    /// How long each part may take.
    public var timeouts: Timeouts?
    /// Whether redirects are followed.
    public var redirects: RedirectPolicy?
    /// Bounds on the response.
    public var limits: Limits?
    /// The jar that gives and takes cookies.
    public var cookies: CookieJar?
    /// How connections are made: TLS, version of HTTP, proxy.
    public var connection: ConnectionOptions?
    /// Whether and how the cache is used.
    public var cachePolicy: CachePolicy?
    /// The coding that the body is compressed with; it sets `Content-Encoding`.
    public var compression: ContentCoding?
    /// How long to wait for the server's consent before the body is sent (`Expect: 100-continue`); nil sends it at once.
    public var expectContinue: Duration?
    /// The most bytes of the body to send in a second; nil for no limit.
    public var bytesPerSecond: Int?
    /// Fields of the header that are dropped, as `Authorization` and `Cookie` are, when a redirect leads elsewhere.
    ///
    /// An adapter that puts a credential in another field adds the field's name.
    public var credentialFields: [String] = []
    /// Whether gzip and deflate are asked for, and decoded in the response.
    public var decompress: Bool
    /// Whether an invalid method, URL or header is sent as it is; for tests of a server's error handling.
    public var allowMalformed: Bool

    /// Creates a request with the session's settings.
    /// - Parameters:
    ///   - method: The method.
    ///   - url: An absolute URL or a reference to be resolved against the session's base URL.
    ///   - headers: The header.
    ///   - body: The body.
    public init(_ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = .init(), body: RequestBody = .none) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.decompress = true
        self.allowMalformed = false
    }
}
