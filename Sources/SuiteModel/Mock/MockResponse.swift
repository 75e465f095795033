public import Diagnostics

/// An answer of a route.
public struct MockResponse: Sendable {
    /// The status code.
    public enum Status: Sendable {
        /// A number from 200 to 599.
        case code(Int)
        /// An expression that gives one for each request.
        case template(Template, range: SourceRange)
    }

    /// What an answer carries.
    public enum Body: Sendable {
        /// Nothing.
        case none
        /// A JSON value.
        case json(ValueTemplate)
        /// Text.
        case text(Template)
        /// Bytes, read when the mock file is loaded.
        case bytes([UInt8])
    }

    /// When the connection is dropped instead of the whole answer being sent.
    public enum Drop: String, Sendable, Hashable, CaseIterable {
        /// Before anything is sent.
        case beforeResponse
        /// After the head and the first half of the body.
        case withinBody
    }

    /// The status code.
    public var status: Status
    /// The answer's headers.
    public var headers: [RequestSpec.Header]
    /// What the answer carries.
    public var body: Body
    /// The body's media type; nil when there is no body or nothing is known of it. A Content-Type header overrides it.
    public var contentType: String?
    /// How long the server waits before it answers, in nanoseconds; nil waits as the defaults say.
    public var delay: Int64?
    /// When the connection is dropped; nil keeps it.
    public var drop: Drop?
    /// The place of the answer.
    public var range: SourceRange

    /// Creates an answer.
    public init(
        status: Status = .code(200), headers: [RequestSpec.Header] = [], body: Body = .none,
        contentType: String? = nil, delay: Int64? = nil, drop: Drop? = nil, range: SourceRange
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.contentType = contentType
        self.delay = delay
        self.drop = drop
        self.range = range
    }
}
