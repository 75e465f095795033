/// A request as its caller wants it; what is nil comes from the session's configuration.
public struct Request: Sendable {
    /// What most requests leave to the session.
    private struct Options: Sendable {
        var timeouts: Timeouts?
        var redirects: RedirectPolicy?
        var limits: Limits?
        var cookies: CookieJar?
        var connection: ConnectionOptions?
        var cachePolicy: CachePolicy?
        var compression: ContentCoding?
        var expectContinue: Duration?
        var bytesPerSecond: Int?
        var credentialFields: [String] = []
    }

    /// The method.
    public var method: HTTPMethod
    /// An absolute URL, or a reference that the session resolves against its base URL (RFC 3986 section 5).
    public var url: String
    /// The header; takes precedence over the session's default header and the library's own.
    public var headers: HTTPHeaders
    /// The body.
    public var body: RequestBody
    /// Whether gzip and deflate are asked for, and decoded in the response.
    public var decompress: Bool
    /// Whether an invalid method, URL or header is sent as it is; for tests of a server's error handling.
    public var allowMalformed: Bool
    // In one reference, and none for those that have none: a request is passed on often.
    private var options: CopyOnWrite<Options>?

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

    /// Whether everything that has a setting is left to the session.
    var isPlain: Bool { options == nil }

    private mutating func change(isDefault: Bool, _ body: (inout Options) -> Void) {
        if options == nil {
            guard !isDefault else { return }
            options = CopyOnWrite(Options())
        }
        options?.change(body)
    }

    /// How long each part may take.
    public var timeouts: Timeouts? {
        get { options?.value.timeouts }
        set { change(isDefault: newValue == nil) { $0.timeouts = newValue } }
    }

    /// Whether redirects are followed.
    public var redirects: RedirectPolicy? {
        get { options?.value.redirects }
        set { change(isDefault: newValue == nil) { $0.redirects = newValue } }
    }

    /// Bounds on the response.
    public var limits: Limits? {
        get { options?.value.limits }
        set { change(isDefault: newValue == nil) { $0.limits = newValue } }
    }

    /// The jar that gives and takes cookies.
    public var cookies: CookieJar? {
        get { options?.value.cookies }
        set { change(isDefault: newValue == nil) { $0.cookies = newValue } }
    }

    /// How connections are made: TLS, version of HTTP, proxy.
    public var connection: ConnectionOptions? {
        get { options?.value.connection }
        set { change(isDefault: newValue == nil) { $0.connection = newValue } }
    }

    /// Whether and how the cache is used.
    public var cachePolicy: CachePolicy? {
        get { options?.value.cachePolicy }
        set { change(isDefault: newValue == nil) { $0.cachePolicy = newValue } }
    }

    /// The coding that the body is compressed with; it sets `Content-Encoding`.
    public var compression: ContentCoding? {
        get { options?.value.compression }
        set { change(isDefault: newValue == nil) { $0.compression = newValue } }
    }

    /// How long to wait for the server's consent before the body is sent (`Expect: 100-continue`); nil sends it at once.
    public var expectContinue: Duration? {
        get { options?.value.expectContinue }
        set { change(isDefault: newValue == nil) { $0.expectContinue = newValue } }
    }

    /// The most bytes of the body to send in a second; nil for no limit.
    public var bytesPerSecond: Int? {
        get { options?.value.bytesPerSecond }
        set { change(isDefault: newValue == nil) { $0.bytesPerSecond = newValue } }
    }

    /// Fields of the header that are dropped, as `Authorization` and `Cookie` are, when a redirect leads elsewhere.
    ///
    /// An adapter that puts a credential in another field adds the field's name.
    public var credentialFields: [String] {
        get { options?.value.credentialFields ?? [] }
        set { change(isDefault: newValue.isEmpty) { $0.credentialFields = newValue } }
    }
}
