/// A request as a transport puts it on the wire: the URL absolute, the header complete but for the transport's framing.
public struct TransportRequest: Sendable {
    /// What is the same for most requests of a session.
    struct Settings: Sendable {
        var timeouts = Timeouts()
        var limits = Limits()
        var connection = ConnectionOptions()
        var allowMalformed = false
        var connectsOnly = false
        var delivery = ResponseDelivery.whole
        var expectContinue: Duration?
        var bytesPerSecond: Int?
        var uploadProgress: (@Sendable (TransferProgress) -> Void)?
        var observer: (@Sendable (SessionEvent) -> Void)?

        /// Whether there are closures of a caller's, which may keep anything alive.
        var hasListeners: Bool { uploadProgress != nil || observer != nil }
    }

    /// Settings in one reference, which many requests share.
    final class SharedSettings: Sendable {
        let values: Settings

        init(_ values: Settings) {
            self.values = values
        }
    }

    /// The method.
    public var method: HTTPMethod
    /// Where to send it.
    public var url: HTTPURL
    /// The header; the transport adds `Host` and the body's framing where they are missing.
    public var headers: HTTPHeaders
    /// The body.
    public var body: RequestBody
    private(set) var settings: SharedSettings

    /// Creates a request.
    public init(
        method: HTTPMethod, url: HTTPURL, headers: HTTPHeaders = .init(), body: RequestBody = .empty,
        timeouts: Timeouts = .init(), limits: Limits = .init(), connection: ConnectionOptions = .init(),
        allowMalformed: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        settings = SharedSettings(
            Settings(timeouts: timeouts, limits: limits, connection: connection, allowMalformed: allowMalformed))
    }

    /// Creates a request with settings that others have too.
    init(method: HTTPMethod, url: HTTPURL, headers: HTTPHeaders, body: RequestBody, settings: SharedSettings) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.settings = settings
    }

    /// Changes several settings at once, of this request only.
    mutating func change(_ body: (inout Settings) -> Void) {
        var values = settings.values
        body(&values)
        settings = SharedSettings(values)
    }

    /// How long each part may take; `total` is what is left of it.
    public var timeouts: Timeouts {
        get { settings.values.timeouts }
        set { change { $0.timeouts = newValue } }
    }

    /// Bounds on the response.
    public var limits: Limits {
        get { settings.values.limits }
        set { change { $0.limits = newValue } }
    }

    /// How the connection is made.
    public var connection: ConnectionOptions {
        get { settings.values.connection }
        set { change { $0.connection = newValue } }
    }

    /// Whether contradictions between header and body are sent as they are.
    public var allowMalformed: Bool {
        get { settings.values.allowMalformed }
        set { change { $0.allowMalformed = newValue } }
    }

    /// Whether only a connection is made, and closed when it is there; nothing is sent.
    var connectsOnly: Bool {
        get { settings.values.connectsOnly }
        set { change { $0.connectsOnly = newValue } }
    }

    /// How the body of the response is handed over.
    public var delivery: ResponseDelivery {
        get { settings.values.delivery }
        set { change { $0.delivery = newValue } }
    }

    /// How long the server's consent to the body is waited for (`Expect: 100-continue`, RFC 9110 section 10.1.1).
    public var expectContinue: Duration? {
        get { settings.values.expectContinue }
        set { change { $0.expectContinue = newValue } }
    }

    /// The most bytes of the body to send in a second; nil for no limit.
    public var bytesPerSecond: Int? {
        get { settings.values.bytesPerSecond }
        set { change { $0.bytesPerSecond = newValue } }
    }

    /// Called on the event loop as the request body is handed to the network.
    public var uploadProgress: (@Sendable (TransferProgress) -> Void)? {
        get { settings.values.uploadProgress }
        set { change { $0.uploadProgress = newValue } }
    }

    /// Called with what happens on the wire: ``SessionEvent/resolved(host:addresses:duration:)``,
    /// ``SessionEvent/connected(address:isReused:duration:)``, ``SessionEvent/secured(_:duration:)``,
    /// ``SessionEvent/sent(_:bytes:)``, ``SessionEvent/informational(_:)`` and ``SessionEvent/headReceived(_:)``.
    public var observer: (@Sendable (SessionEvent) -> Void)? {
        get { settings.values.observer }
        set { change { $0.observer = newValue } }
    }
}
