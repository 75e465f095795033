/// The settings of a session; a request's own settings come before them.
public struct SessionConfiguration: Sendable {
    /// The URL that relative request URLs are resolved against; a path that is not empty gains a "/" at its end.
    public var baseURL: String?
    /// Fields that are added to a request's header where it has none of that name.
    public var headers: HTTPHeaders
    /// The `User-Agent` field, unless one is given otherwise; nil sends none.
    public var userAgent: String?
    /// How long each part of an exchange may take.
    public var timeouts: Timeouts
    /// Whether redirects are followed.
    public var redirects: RedirectPolicy
    /// Bounds on responses.
    public var limits: Limits
    /// The jar of requests that have none of their own; nil keeps no cookies.
    public var cookies: CookieJar?
    /// Which servers are trusted over TLS.
    public var trust: TrustPolicy

    /// Creates a configuration.
    public init(
        baseURL: String? = nil, headers: HTTPHeaders = .init(), userAgent: String? = "HTTPSession",
        timeouts: Timeouts = .init(), redirects: RedirectPolicy = .follow, limits: Limits = .init(),
        cookies: CookieJar? = nil, trust: TrustPolicy = .system
    ) {
        self.baseURL = baseURL
        self.headers = headers
        self.userAgent = userAgent
        self.timeouts = timeouts
        self.redirects = redirects
        self.limits = limits
        self.cookies = cookies
        self.trust = trust
    }
}
