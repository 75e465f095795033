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
    public var adapters: [any RequestAdapter]
    /// Are asked in order whether a failed request is sent again.
    public var retriers: [any Retrier]
    /// See what happens.
    public var monitors: [any EventMonitor]
    /// Keeps responses for later requests; nil keeps none.
    public var cache: ResponseCache?
    /// How the cache is used by requests that do not say.
    public var cachePolicy: CachePolicy
    /// Whether GET requests that are equal and under way at the same time are sent once.
    public var coalescesRequests: Bool
    /// The time.
    public var clock: SessionClock
    /// Random numbers, for jitter, nonces and boundaries.
    public var random: SessionRandom

    /// Creates a configuration.
    /// - Parameters:
    ///   - baseURL: The URL that relative request URLs are resolved against: a text, a `URL` or an ``HTTPURL``.
    ///   - headers: The fields of requests that have none of that name.
    ///   - userAgent: The `User-Agent` field; nil sends none.
    ///   - timeouts: The time limits of requests that have none of their own.
    ///   - redirects: The policy of redirects.
    ///   - limits: The bounds on responses.
    ///   - cookies: The jar of requests that have none of their own; nil keeps no cookies.
    ///   - connection: The TLS settings, version of HTTP and proxy.
    ///   - trust: The trust policy in place of that of `connection`.
    ///   - adapters: The stages that change requests before each attempt, in order.
    ///   - retriers: The stages that decide whether a failed request is sent again, in order.
    ///   - interceptors: The stages that do both, after the adapters and retriers.
    ///   - monitors: The observers of all events.
    ///   - cache: The cache of responses; nil keeps none.
    ///   - cachePolicy: The policy of requests that have none of their own.
    ///   - coalescesRequests: Whether equal GET requests under way at the same time are sent once.
    ///   - clock: The time.
    ///   - random: The random numbers, for jitter, nonces and boundaries.
    public init(
        baseURL: (any URLConvertible)? = nil, headers: HTTPHeaders = .init(), userAgent: String? = "HTTPSession",
        timeouts: Timeouts = .init(), redirects: RedirectPolicy = .follow, limits: Limits = .init(),
        cookies: CookieJar? = nil, connection: ConnectionOptions = .init(), trust: TrustPolicy? = nil,
        adapters: [any RequestAdapter] = [], retriers: [any Retrier] = [],
        interceptors: [any RequestInterceptor] = [], monitors: [any EventMonitor] = [], cache: ResponseCache? = nil,
        cachePolicy: CachePolicy = .use, coalescesRequests: Bool = false, clock: SessionClock = .system,
        random: SessionRandom = .system
    ) {
        self.baseURL = baseURL?.urlText
        self.headers = headers
        self.userAgent = userAgent
        self.timeouts = timeouts
        self.redirects = redirects
        self.limits = limits
        self.cookies = cookies
        self.connection = connection
        if let trust { self.connection.tls.trust = trust }
        self.adapters = adapters
        self.retriers = retriers
        self.monitors = monitors
        self.cache = cache
        self.cachePolicy = cachePolicy
        self.coalescesRequests = coalescesRequests
        self.clock = clock
        self.random = random
        for interceptor in interceptors { intercept(with: interceptor) }
    }

    /// Adds what both adapts and retries requests, such as what authenticates them, after the adapters and retriers
    /// that are there.
    public mutating func intercept(with interceptor: some RequestInterceptor) {
        adapters.append(interceptor.adapter)
        retriers.append(interceptor.retrier)
    }
}
