/// The settings of a session.
///
/// A request's own settings take precedence over the session's.
///
/// ```swift
/// var configuration = SessionConfiguration(baseURL: "https://api.example.org/v1/", headers: ["Accept-Language": "en"])
/// configuration.timeouts.total = .seconds(20)
/// configuration.retriers = [RetryPolicy()]
/// configuration.intercept(with: .digest(username: "ada", password: "secret"))
/// let session = Session(configuration: configuration)
/// ```
public struct SessionConfiguration: Sendable {
    /// The base URL that relative request URLs are resolved against.
    ///
    /// A trailing "/" is added to a path that is not empty.
    public var baseURL: String?
    /// The default header fields, added to each request that has no field of the same name.
    public var headers: HTTPHeaders
    /// The default value of the `User-Agent` field; nil sends no such field.
    public var userAgent: String?
    /// The time limits of each phase of an exchange.
    public var timeouts: Timeouts
    /// The default redirect policy.
    public var redirects: RedirectPolicy
    /// The default limits on the size of responses.
    public var limits: Limits
    /// The cookie jar for requests that do not set their own; nil stores and sends no cookies.
    public var cookies: CookieJar?
    /// The default connection options: TLS, HTTP version, proxy.
    public var connection: ConnectionOptions
    /// The adapters that change each request before every attempt, in order.
    public var adapters: [any RequestAdapter]
    /// The retriers that decide whether a failed request is retried, in order.
    public var retriers: [any Retrier]
    /// The monitors that receive all events of the session's requests.
    public var monitors: [any EventMonitor]
    /// The cache that stores responses for later requests; nil caches nothing.
    public var cache: ResponseCache?
    /// The cache policy of requests that do not set their own.
    public var cachePolicy: CachePolicy
    /// Whether identical GET requests that are in flight at the same time are sent only once.
    public var coalescesRequests: Bool
    /// The clock that the session reads the time from.
    public var clock: SessionClock
    /// The source of random numbers, used for jitter, nonces and multipart boundaries.
    public var random: SessionRandom

    /// Creates a configuration.
    /// - Parameters:
    ///   - baseURL: The URL that relative request URLs are resolved against: a `String`, a `URL` or an ``HTTPURL``.
    ///   - headers: The default header fields, added to requests that have no field of the same name.
    ///   - userAgent: The default value of the `User-Agent` field; nil sends no such field.
    ///   - timeouts: The default time limits.
    ///   - redirects: The default redirect policy.
    ///   - limits: The default limits on the size of responses.
    ///   - cookies: The default cookie jar; nil stores and sends no cookies.
    ///   - connection: The default TLS settings, HTTP version and proxy.
    ///   - trust: The trust policy, which replaces the one in `connection`.
    ///   - adapters: The adapters that change each request before every attempt, in order.
    ///   - retriers: The retriers that decide whether a failed request is retried, in order.
    ///   - interceptors: The interceptors, which run after the adapters and retriers.
    ///   - monitors: The monitors that receive all events.
    ///   - cache: The response cache; nil caches nothing.
    ///   - cachePolicy: The default cache policy.
    ///   - coalescesRequests: Whether identical GET requests in flight at the same time are sent only once.
    ///   - clock: The clock that the session reads the time from.
    ///   - random: The source of random numbers, used for jitter, nonces and multipart boundaries.
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

    /// Adds an interceptor, such as one that authenticates requests, after the existing adapters and retriers.
    public mutating func intercept(with interceptor: some RequestInterceptor) {
        adapters.append(interceptor.adapter)
        retriers.append(interceptor.retrier)
    }
}
