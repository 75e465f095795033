public import JSON

/// Details that few exchanges have; ``Exchange/details`` stores them separately.
public struct ExchangeDetails: Sendable {
    /// The reason why reading a stream ended.
    public enum StreamEnd: Sendable, Hashable {
        /// The server closed the stream.
        case closed
        /// All expected events had arrived.
        case complete
        /// The time limit of the step, in nanoseconds, expired.
        case timeout(Int64)
    }

    /// The trailer fields, in order (RFC 9110, section 6.5).
    public var trailers: [HeaderField] = []
    /// The server's certificate; nil without TLS, or if no step checks it.
    public var certificate: CertificateInfo?
    /// The image in the body; nil if the body is not an image, or if no step checks it.
    public var image: ImageMetadata?
    /// Information about a truncated body; nil if the body is complete.
    public var measuredBody: MeasuredBody?
    /// The events of a stream, in order: an object per server-sent event, a string per line.
    public var events: [JSONValue] = []
    /// The number of later events, which are not kept.
    public var omittedEvents = 0
    /// The reason why reading the stream ended; nil if the response was not read as a stream.
    public var streamEnd: StreamEnd?
    /// The transcript of the WebSocket that the exchange opened, if any.
    public var webSocket: WebSocketTranscript?
    /// The program that the step ran instead of sending a request, if any.
    public var command: CommandExecution?

    /// Creates empty details.
    public init() {}

    /// Whether all details are unset.
    public var isEmpty: Bool {
        trailers.isEmpty && certificate == nil && image == nil && events.isEmpty && streamEnd == nil
            && webSocket == nil && measuredBody == nil && command == nil
    }
}

/// Information about the whole of a body that is kept only in part.
public struct MeasuredBody: Sendable, Hashable {
    /// The size in bytes.
    public var size: Int
    /// The SHA-256 digest.
    public var sha256: [UInt8]

    /// Creates information about a body.
    public init(size: Int, sha256: [UInt8]) {
        self.size = size
        self.sha256 = sha256
    }
}

/// A cookie that a response set.
public struct ReceivedCookie: Sendable, Hashable {
    /// The name of the cookie.
    public var name: String
    /// The value of the cookie.
    public var value: String
    /// The whole value of the `Set-Cookie` field, including attributes (RFC 6265, section 4.1).
    public var field: String

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - name: The name of the cookie.
    ///   - value: The value of the cookie.
    ///   - field: The whole value of the `Set-Cookie` field; nil for a cookie without attributes.
    public init(name: String, value: String, field: String? = nil) {
        self.name = name
        self.value = value
        self.field = field ?? "\(name)=\(value)"
    }
}

/// The properties of a server's certificate that expectations can check.
public struct CertificateInfo: Sendable, Hashable {
    /// The distinguished name of the subject, such as `CN=api.example.org,O=Example` (RFC 4514).
    public var subject: String
    /// The distinguished name of the issuer.
    public var issuer: String
    /// The host names and addresses that the certificate is valid for.
    public var names: [String]
    /// The end of the validity period, in seconds since 1970-01-01T00:00:00Z.
    public var notAfter: Int64

    /// Creates the properties of a certificate.
    public init(subject: String, issuer: String, names: [String], notAfter: Int64) {
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.notAfter = notAfter
    }
}

/// The properties of an image that expectations can check.
public struct ImageMetadata: Sendable, Hashable {
    /// The format, in lowercase: `png`, `jpeg`, `gif`, `webp`, `bmp`, `avif`, `heic`, or `ico`.
    public var format: String
    /// The width in pixels; nil if the image header is truncated or invalid.
    public var width: Int?
    /// The height in pixels; nil if the image header is truncated or invalid.
    public var height: Int?

    /// Creates the properties of an image.
    public init(format: String, width: Int? = nil, height: Int? = nil) {
        self.format = format
        self.width = width
        self.height = height
    }
}
