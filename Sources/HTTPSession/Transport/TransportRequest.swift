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
    /// How the connection is made.
    public var connection: ConnectionOptions
    /// Whether contradictions between header and body are sent as they are.
    public var allowMalformed: Bool
    /// Whether only a connection is made, and closed when it is there; nothing is sent.
    var connectsOnly = false
    /// How the body of the response is handed over.
    public var delivery = ResponseDelivery.whole
    /// How long the server's consent to the body is waited for (`Expect: 100-continue`, RFC 9110 section 10.1.1).
    public var expectContinue: Duration?
    /// The most bytes of the body to send in a second; nil for no limit.
    public var bytesPerSecond: Int?
    /// Called on the event loop as the request body is handed to the network.
    public var uploadProgress: (@Sendable (TransferProgress) -> Void)?
    /// Called with what happens on the wire: ``SessionEvent/resolved(host:addresses:duration:)``,
    /// ``SessionEvent/connected(address:isReused:duration:)``, ``SessionEvent/secured(_:duration:)``,
    /// ``SessionEvent/sent(_:bytes:)``, ``SessionEvent/informational(_:)`` and ``SessionEvent/headReceived(_:)``.
    public var observer: (@Sendable (SessionEvent) -> Void)?

    /// Creates a request.
    public init(
        method: HTTPMethod, url: HTTPURL, headers: HTTPHeaders = .init(), body: RequestBody = .none,
        timeouts: Timeouts = .init(), limits: Limits = .init(), connection: ConnectionOptions = .init(),
        allowMalformed: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeouts = timeouts
        self.limits = limits
        self.connection = connection
        self.allowMalformed = allowMalformed
    }
}
