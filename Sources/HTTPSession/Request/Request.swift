import Basics
public import FoundationEssentials

/// An HTTP request.
///
/// A setting that the request does not have comes from the session's configuration.
///
/// ```swift
/// var request = Request(.put, url: "books/7", body: .text("A title"))
/// request.headers.set(name: "Content-Type", value: "text/plain")
/// request.timeouts.total = .seconds(5)
/// let response = try await session.send(request)
/// ```
public struct Request: Sendable {
    /// The settings that most requests inherit from the session.
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

    /// The HTTP method.
    public var method: HTTPMethod
    /// An absolute URL, or a reference that the session resolves against its base URL (RFC 3986, section 5).
    public var url: String
    /// The header fields, which take precedence over the defaults of the session and the library.
    public var headers: HTTPHeaders
    /// The body.
    public var body: RequestBody
    /// Whether the request offers gzip and deflate, and the response is decoded if its content codings are known.
    public var decompress: Bool
    /// Whether an invalid method, URL or header is sent unchanged, to test the error handling of a server.
    public var allowMalformed: Bool
    // A single reference, which is nil without settings, because requests are copied often.
    private var options: CopyOnWrite<Options>?

    /// Creates a request that inherits the session's settings.
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - url: An absolute URL, or a reference that is resolved against the session's base URL.
    ///   - headers: The header fields.
    ///   - body: The body.
    public init(_ method: HTTPMethod = .get, url: String, headers: HTTPHeaders = .init(), body: RequestBody = .empty) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.decompress = true
        self.allowMalformed = false
    }

    /// Whether the request inherits every setting from the session.
    var isPlain: Bool { options == nil }

    private mutating func change(isDefault: Bool, _ body: (inout Options) -> Void) {
        if options == nil {
            guard !isDefault else { return }
            options = CopyOnWrite(wrappedValue: Options())
        }
        options?.change(body)
    }

    /// The time limits; unset limits are inherited from the session.
    public var timeouts: Timeouts {
        get { options?.wrappedValue.timeouts ?? Timeouts() }
        set { change(isDefault: newValue.fields.isEmpty) { $0.timeouts = newValue } }
    }

    /// The redirect policy, such as ``RedirectPolicy/never``; unset parts are inherited from the session.
    public var redirects: RedirectPolicy {
        get { options?.wrappedValue.redirects ?? .inherited }
        set { change(isDefault: newValue.fields.isEmpty) { $0.redirects = newValue } }
    }

    /// The limits on the size of the response; unset limits are inherited from the session.
    public var limits: Limits {
        get { options?.wrappedValue.limits ?? Limits() }
        set { change(isDefault: newValue.fields.isEmpty) { $0.limits = newValue } }
    }

    /// The source of the request's cookies: the session's jar, another jar, or none.
    public var cookies: RequestCookies {
        get { options?.wrappedValue.cookies ?? .inherited }
        set { change(isDefault: newValue.isInherited) { $0.cookies = newValue } }
    }

    /// The TLS settings, HTTP version and proxy; unset options are inherited from the session.
    public var connection: ConnectionOptions {
        get { options?.wrappedValue.connection ?? ConnectionOptions() }
        set { change(isDefault: newValue.isInherited) { $0.connection = newValue } }
    }

    /// The cache policy, such as ``CachePolicy/ignore``.
    public var cachePolicy: CachePolicy {
        get { options?.wrappedValue.cachePolicy ?? .inherited }
        set { change(isDefault: newValue == .inherited) { $0.cachePolicy = newValue } }
    }

    /// The coding to compress the body with, which also sets `Content-Encoding`.
    public var compression: ContentCoding? {
        get { options?.wrappedValue.compression }
        set { change(isDefault: newValue == nil) { $0.compression = newValue } }
    }

    /// The time to wait for the server's `100 Continue` before the body is sent; nil sends the body at once.
    ///
    /// Setting a value adds `Expect: 100-continue` to the header (RFC 9110, section 10.1.1).
    public var expectContinue: Duration? {
        get { options?.wrappedValue.expectContinue }
        set { change(isDefault: newValue == nil) { $0.expectContinue = newValue } }
    }

    /// The maximum upload rate in bytes per second; nil for no limit.
    public var bytesPerSecond: Int? {
        get { options?.wrappedValue.bytesPerSecond }
        set { change(isDefault: newValue == nil) { $0.bytesPerSecond = newValue } }
    }

    /// The names of fields that are removed when a redirect leads to another origin, like `Authorization` and `Cookie`.
    ///
    /// An adapter that puts a credential in another field adds that field's name.
    public var credentialFields: [String] {
        get { options?.wrappedValue.credentialFields ?? [] }
        set { change(isDefault: newValue.isEmpty) { $0.credentialFields = newValue } }
    }
}

/// The source of a request's cookies, and the destination of its response's cookies.
public enum RequestCookies: Sendable {
    /// The session's cookie jar, if it has one.
    case inherited
    /// No cookie jar; a `Cookie` field that the request sets itself is still sent.
    case never
    /// The given cookie jar, or a selection of its cookies.
    case jar(CookieJar, CookieSelection = CookieSelection())

    /// Returns the jar to use in a session with the given jar; nil for none.
    func jar(of session: CookieJar?) -> CookieJar? {
        switch self {
        case .inherited: session
        case .never: nil
        case .jar(let jar, _): jar
        }
    }

    /// The cookies of the jar that are sent.
    var selection: CookieSelection {
        if case .jar(_, let selection) = self { selection } else { CookieSelection() }
    }

    /// Whether the session's jar is used.
    var isInherited: Bool {
        if case .inherited = self { true } else { false }
    }
}

/// The use of the session's cache for a request.
public enum CachePolicy: Sendable, Hashable {
    /// Uses the session's policy, which is ``use`` by default.
    case inherited
    /// Uses a stored response while it is fresh, and revalidates it when it is stale (RFC 9111).
    case use
    /// Neither reads nor writes the cache.
    case ignore
    /// Uses a stored response even if it is stale; sends the request if there is none.
    case cacheElseLoad
    /// Uses a stored response, or fails with ``SessionError/Reason/notInCache`` if there is none.
    case cacheOnly
}

/// A type that can be used as the URL of a request, such as `String`, `URL` or ``HTTPURL``.
public protocol URLConvertible {
    /// An absolute URL, or a reference that a session resolves against its base URL.
    var urlText: String { get }
}

extension String: URLConvertible {
    /// The string itself.
    public var urlText: String { self }
}

extension Substring: URLConvertible {
    /// The substring as a string.
    public var urlText: String { String(self) }
}

extension URL: URLConvertible {
    /// The absolute string of the URL.
    public var urlText: String { absoluteString }
}

extension HTTPURL: URLConvertible {
    /// The URL as a string.
    public var urlText: String { description }
}

extension Request {
    /// Creates a request to a `URL` or an ``HTTPURL`` that inherits the session's settings.
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - url: The URL.
    ///   - headers: The header fields.
    ///   - body: The body.
    public init(
        _ method: HTTPMethod = .get, url: some URLConvertible, headers: HTTPHeaders = .init(),
        body: RequestBody = .empty
    ) {
        self.init(method, url: url.urlText, headers: headers, body: body)
    }
}

extension SessionError {
    /// Creates an error for a request without a response.
    init(
        _ phase: Phase, _ reason: Reason, _ message: MessageText, request: Request, attempt: Int = 0,
        underlying: (any Error)? = nil
    ) {
        self.init(
            phase: phase, reason: reason, message: message, attempt: attempt, method: request.method,
            url: request.url, underlying: underlying)
    }
}
