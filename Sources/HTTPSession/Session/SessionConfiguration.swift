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
    /// How connections are made: TLS, version of HTTP, proxy.
    public var connection: ConnectionOptions
    /// Change requests before each attempt, in order.
    public var adapters: [any RequestAdapter] = []
    /// Are asked in order whether a failed request is sent again.
    public var retriers: [any Retrier] = []
    /// See what happens.
    public var monitors: [any EventMonitor] = []
    /// Keeps responses for later requests; nil keeps none.
    public var cache: ResponseCache?
    /// How the cache is used by requests that do not say.
    public var cachePolicy = CachePolicy.use
    /// Whether GET requests that are equal and under way at the same time are sent once.
    public var coalescesRequests = false
    /// The time.
    public var clock = SessionClock.system
    /// Random numbers, for jitter, nonces and boundaries.
    public var random = SessionRandom.system

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
        connection = ConnectionOptions()
        if trust != .system { connection.tls.trust = trust }
    }

    /// Adds what both adapts and retries requests, such as what authenticates them, after the adapters and retriers
    /// that are there.
    public mutating func intercept(with interceptor: some RequestInterceptor) {
        adapters.append(interceptor.adapter)
        retriers.append(interceptor.retrier)
    }
}
