/// A request as a transport puts it on the wire: the URL absolute, the header complete but for the transport's framing.
public struct TransportRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// Where to send it.
    public var url: HTTPURL
    /// The header; the transport adds `Host` and the body's framing where they are missing.
    public var headers: HTTPHeaders
    /// The body.
    public var body: RequestBody
    /// How long each part may take; `total` is what is left of it.
    public var timeouts: Timeouts
    /// Bounds on the response.
    public var limits: Limits
    /// Which servers are trusted.
    public var trust: TrustPolicy
    /// Whether contradictions between header and body are sent as they are.
    public var allowMalformed: Bool

    /// Creates a request.
    public init(
        method: HTTPMethod, url: HTTPURL, headers: HTTPHeaders = .init(), body: RequestBody = .none,
        timeouts: Timeouts = .init(), limits: Limits = .init(), trust: TrustPolicy = .system,
        allowMalformed: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeouts = timeouts
        self.limits = limits
        self.trust = trust
        self.allowMalformed = allowMalformed
    }
}
