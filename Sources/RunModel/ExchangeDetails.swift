public import JSON

/// What few exchanges have; ``Exchange/details`` keeps it apart.
public struct ExchangeDetails: Sendable {
    /// Why no further event was read from a stream.
    public enum StreamEnd: Sendable, Hashable {
        /// The server ended it.
        case closed
        /// Every event that is expected had come.
        case complete
        /// The step's time was over, in nanoseconds.
        case timeout(Int64)
    }

    /// The trailer fields, in order (RFC 9110, section 6.5).
    public var trailers: [HeaderField] = []
    /// The server's certificate; nil without TLS, and where no step looks at it.
    public var certificate: CertificateFacts?
    /// The image that the body is; nil when it is none, and where no step looks at it.
    public var image: ImageFacts?
    /// What is known of a body of which only the beginning is kept; nil when it is whole.
    public var measuredBody: MeasuredBody?
    /// The events of a stream, in order: objects of server-sent events, texts of lines.
    public var events: [JSONValue] = []
    /// The number of events behind these, which are not kept.
    public var omittedEvents = 0
    /// Why no further event was read; nil when the response was not read as a stream.
    public var streamEnd: StreamEnd?
    /// What went over the WebSocket that the exchange has opened; nil when it has opened none.
    public var webSocket: WebSocketTranscript?

    /// Creates details without any.
    public init() {}

    /// True when there is none of them.
    public var isEmpty: Bool {
        trailers.isEmpty && certificate == nil && image == nil && events.isEmpty && streamEnd == nil
            && webSocket == nil && measuredBody == nil
    }
}

/// A body of which only the beginning is kept: what is known of the whole.
public struct MeasuredBody: Sendable, Hashable {
    /// The number of bytes.
    public var size: Int
    /// The SHA-256 digest.
    public var sha256: [UInt8]

    /// Creates what is known of a body.
    public init(size: Int, sha256: [UInt8]) {
        self.size = size
        self.sha256 = sha256
    }
}

/// A cookie that a response set.
public struct ReceivedCookie: Sendable, Hashable {
    /// The cookie's name.
    public var name: String
    /// The cookie's value.
    public var value: String
    /// The whole value of the `Set-Cookie` field, with the attributes (RFC 6265, section 4.1).
    public var field: String

    /// Creates a cookie.
    ///
    /// - Parameter field: The whole value of the `Set-Cookie` field; nil for a cookie without attributes.
    public init(name: String, value: String, field: String? = nil) {
        self.name = name
        self.value = value
        self.field = field ?? "\(name)=\(value)"
    }
}

/// What expectations look at in a server's certificate.
public struct CertificateFacts: Sendable, Hashable {
    /// The name of whom it is for: `CN=api.example.org,O=Example` (RFC 4514).
    public var subject: String
    /// The name of who signed it.
    public var issuer: String
    /// The host names and addresses that it is for.
    public var names: [String]
    /// The last second at which it is valid, since 1970-01-01T00:00:00Z.
    public var notAfter: Int64

    /// Creates facts.
    public init(subject: String, issuer: String, names: [String], notAfter: Int64) {
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.notAfter = notAfter
    }
}

/// What expectations look at in an image.
public struct ImageFacts: Sendable, Hashable {
    /// The format, in lower case: `png`, `jpeg`, `gif`, `webp`, `bmp`, `avif`, `heic` or `ico`.
    public var format: String
    /// The width in pixels; nil when the header is cut off or broken.
    public var width: Int?
    /// The height in pixels; nil when the header is cut off or broken.
    public var height: Int?

    /// Creates facts.
    public init(format: String, width: Int? = nil, height: Int? = nil) {
        self.format = format
        self.width = width
        self.height = height
    }
}
