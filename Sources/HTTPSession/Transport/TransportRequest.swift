/// A request in the form that a transport sends: an absolute URL and a header that is complete except for framing.
public struct TransportRequest: Sendable {
    /// The redirects that led to a request.
    struct Redirection: Sendable {
        /// The number of redirects.
        let count: Int
        /// The configured time limit of the whole exchange. The request itself has only the remaining time.
        let total: Duration
    }

    /// The settings that most requests of a session share.
    struct Settings: Sendable {
        var timeouts = Timeouts()
        var redirection: Redirection?
        var limits = Limits()
        var connection = ConnectionOptions()
        var allowMalformed = false
        var connectsOnly = false
        var delivery = ResponseDelivery.whole
        var expectContinue: Duration?
        var bytesPerSecond: Int?
        var uploadProgress: (@Sendable (TransferProgress) -> Void)?
        var observer: (@Sendable (SessionEvent) -> Void)?

        /// Whether there are closures from the caller, which may retain other objects.
        var hasListeners: Bool { uploadProgress != nil || observer != nil }
    }

    /// A shared reference to the settings of many requests.
    final class SharedSettings: Sendable {
        let values: Settings

        init(_ values: Settings) {
            self.values = values
        }
    }

    /// The request method.
    public var method: HTTPMethod
    /// The absolute URL.
    public var url: HTTPURL
    /// The header; the transport adds `Host` and the framing of the body if they are missing.
    public var headers: HTTPHeaders
    /// The request body.
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

    /// Creates a request with shared settings.
    init(method: HTTPMethod, url: HTTPURL, headers: HTTPHeaders, body: RequestBody, settings: SharedSettings) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.settings = settings
    }

    /// Changes several settings of this request at once.
    mutating func change(_ body: (inout Settings) -> Void) {
        var values = settings.values
        body(&values)
        settings = SharedSettings(values)
    }

    /// The time limits of each phase; `total` is the remaining time.
    public var timeouts: Timeouts {
        get { settings.values.timeouts }
        set { change { $0.timeouts = newValue } }
    }

    /// The limits on the response.
    public var limits: Limits {
        get { settings.values.limits }
        set { change { $0.limits = newValue } }
    }

    /// The connection options.
    public var connection: ConnectionOptions {
        get { settings.values.connection }
        set { change { $0.connection = newValue } }
    }

    /// Whether contradictions between header and body are sent unchanged.
    public var allowMalformed: Bool {
        get { settings.values.allowMalformed }
        set { change { $0.allowMalformed = newValue } }
    }

    /// Whether a connection is only opened and then closed, without sending anything.
    var connectsOnly: Bool {
        get { settings.values.connectsOnly }
        set { change { $0.connectsOnly = newValue } }
    }

    /// The way in which the body of the response is delivered.
    public var delivery: ResponseDelivery {
        get { settings.values.delivery }
        set { change { $0.delivery = newValue } }
    }

    /// The time to wait for `100 Continue` before the body is sent (`Expect: 100-continue`, RFC 9110, section 10.1.1).
    public var expectContinue: Duration? {
        get { settings.values.expectContinue }
        set { change { $0.expectContinue = newValue } }
    }

    /// The maximum rate of the request body in bytes per second; nil for no limit.
    public var bytesPerSecond: Int? {
        get { settings.values.bytesPerSecond }
        set { change { $0.bytesPerSecond = newValue } }
    }

    /// The function that is called on the event loop as the request body is handed to the network.
    public var uploadProgress: (@Sendable (TransferProgress) -> Void)? {
        get { settings.values.uploadProgress }
        set { change { $0.uploadProgress = newValue } }
    }

    /// The function that is called with network events.
    ///
    /// The events are ``SessionEvent/resolved(host:addresses:duration:)``,
    /// ``SessionEvent/connected(address:isReused:duration:)``, ``SessionEvent/secured(_:duration:)``,
    /// ``SessionEvent/sent(_:bytes:)``, ``SessionEvent/informational(_:)`` and ``SessionEvent/headReceived(_:)``.
    public var observer: (@Sendable (SessionEvent) -> Void)? {
        get { settings.values.observer }
        set { change { $0.observer = newValue } }
    }
}
