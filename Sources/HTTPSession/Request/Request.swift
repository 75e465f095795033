import Basics
public import FoundationEssentials

/// A request as its caller wants it; what it does not set comes from the session's configuration.
public struct Request: Sendable {
    /// What most requests leave to the session.
    private struct Options: Sendable {
        var timeouts = Timeouts()
        var redirects = RedirectPolicy.inherited
        var limits = Limits()
        var cookies = RequestCookies.inherited
        var connection = ConnectionOptions()
        var cachePolicy = CachePolicy.inherited
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
    public init(_ method: HTTPMethod = .get, url: String, headers: HTTPHeaders = .init(), body: RequestBody = .empty) {
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
            options = CopyOnWrite(wrappedValue: Options())
        }
        options?.change(body)
    }

    /// The time limits; those not set are the session's.
    public var timeouts: Timeouts {
        get { options?.wrappedValue.timeouts ?? Timeouts() }
        set { change(isDefault: newValue.fields.isEmpty) { $0.timeouts = newValue } }
    }

    /// The policy of redirects, such as ``RedirectPolicy/never``; what is not set of it is the session's.
    public var redirects: RedirectPolicy {
        get { options?.wrappedValue.redirects ?? .inherited }
        set { change(isDefault: newValue.fields.isEmpty) { $0.redirects = newValue } }
    }

    /// The bounds on the response; those not set are the session's.
    public var limits: Limits {
        get { options?.wrappedValue.limits ?? Limits() }
        set { change(isDefault: newValue.fields.isEmpty) { $0.limits = newValue } }
    }

    /// The cookies: those of the session's jar, of another, or none.
    public var cookies: RequestCookies {
        get { options?.wrappedValue.cookies ?? .inherited }
        set { change(isDefault: newValue.isInherited) { $0.cookies = newValue } }
    }

    /// The TLS settings, version of HTTP and proxy; those not set are the session's.
    public var connection: ConnectionOptions {
        get { options?.wrappedValue.connection ?? ConnectionOptions() }
        set { change(isDefault: newValue.isInherited) { $0.connection = newValue } }
    }

    /// The policy of the session's cache, such as ``CachePolicy/ignore``.
    public var cachePolicy: CachePolicy {
        get { options?.wrappedValue.cachePolicy ?? .inherited }
        set { change(isDefault: newValue == .inherited) { $0.cachePolicy = newValue } }
    }

    /// The coding that the body is compressed with; it sets `Content-Encoding`.
    public var compression: ContentCoding? {
        get { options?.wrappedValue.compression }
        set { change(isDefault: newValue == nil) { $0.compression = newValue } }
    }

    /// How long to wait for the server's consent before the body is sent (`Expect: 100-continue`); nil sends it at once.
    public var expectContinue: Duration? {
        get { options?.wrappedValue.expectContinue }
        set { change(isDefault: newValue == nil) { $0.expectContinue = newValue } }
    }

    /// The most bytes of the body to send in a second; nil for no limit.
    public var bytesPerSecond: Int? {
        get { options?.wrappedValue.bytesPerSecond }
        set { change(isDefault: newValue == nil) { $0.bytesPerSecond = newValue } }
    }

    /// Fields of the header that are dropped, as `Authorization` and `Cookie` are, when a redirect leads elsewhere.
    ///
    /// An adapter that puts a credential in another field adds the field's name.
    public var credentialFields: [String] {
        get { options?.wrappedValue.credentialFields ?? [] }
        set { change(isDefault: newValue.isEmpty) { $0.credentialFields = newValue } }
    }
}

/// Which cookies a request sends, and where those of its response are kept.
public enum RequestCookies: Sendable {
    /// Those of the session's jar, if it has one.
    case inherited
    /// None; a `Cookie` field of the request's own is sent all the same.
    case never
    /// Those of a jar.
    case jar(CookieJar)

    /// Returns the jar that is used in a session with `jar`; nil for none.
    func jar(of session: CookieJar?) -> CookieJar? {
        switch self {
        case .inherited: session
        case .never: nil
        case .jar(let jar): jar
        }
    }

    /// Whether it is left to the session.
    var isInherited: Bool {
        if case .inherited = self { true } else { false }
    }
}

/// How a request uses the session's cache.
public enum CachePolicy: Sendable, Hashable {
    /// The policy of the session, which without one of its own is ``use``.
    case inherited
    /// What the cache has is used while it is fresh, and revalidated when it is stale (RFC 9111).
    case use
    /// The cache is neither read nor written.
    case ignore
    /// What the cache has is used even when it is stale; otherwise the request is sent.
    case cacheElseLoad
    /// What the cache has is used; otherwise the request fails with ``SessionError/Reason/notInCache``.
    case cacheOnly
}

/// A value that a request can be sent to: a text, a `URL` or an ``HTTPURL``.
public protocol URLConvertible {
    /// An absolute URL, or a reference that a session resolves against its base URL.
    var urlText: String { get }
}

extension String: URLConvertible {
    /// The text itself.
    public var urlText: String { self }
}

extension Substring: URLConvertible {
    /// The text itself.
    public var urlText: String { String(self) }
}

extension URL: URLConvertible {
    /// The URL with the base that it may have.
    public var urlText: String { absoluteString }
}

extension HTTPURL: URLConvertible {
    /// The text of the URL.
    public var urlText: String { description }
}

extension Request {
    /// Creates a request to a `URL` or an ``HTTPURL``, with the session's settings.
    public init(
        _ method: HTTPMethod = .get, url: some URLConvertible, headers: HTTPHeaders = .init(),
        body: RequestBody = .empty
    ) {
        self.init(method, url: url.urlText, headers: headers, body: body)
    }
}

extension SessionError {
    /// Creates an error about a request that has no response.
    init(
        _ phase: Phase, _ reason: Reason, _ message: String, request: Request, attempt: Int = 0,
        underlying: (any Error)? = nil
    ) {
        self.init(
            phase: phase, reason: reason, message: message, attempt: attempt, method: request.method,
            url: request.url, underlying: underlying)
    }
}
