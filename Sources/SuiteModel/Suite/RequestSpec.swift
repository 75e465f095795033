public import Diagnostics

/// A request as a suite writes it, with the defaults merged in.
public struct RequestSpec: Sendable {
    /// How nested values under `query` are spelled.
    public enum QueryStyle: String, Sendable, CaseIterable {
        /// `a[b]=1&c[]=2&c[]=3`.
        case brackets
        /// `c=2&c=3`.
        case `repeat`
        /// `c=2,3`.
        case comma
        /// `c[0]=2&c[1]=3`.
        case indices
    }

    /// A header and the values with which it is sent.
    public struct Header: Sendable {
        /// The name as written.
        public var name: String
        /// One field per value.
        public var values: [Template]

        /// Creates a header.
        public init(name: String, values: [Template]) {
            self.name = name
            self.values = values
        }
    }

    /// A named value of `query`, `form` or `cookies`.
    public struct Parameter: Sendable {
        /// The name; it may hold expressions.
        public var name: Template
        /// The value.
        public var value: ValueTemplate

        /// Creates a parameter.
        public init(name: Template, value: ValueTemplate) {
            self.name = name
            self.value = value
        }
    }

    /// What a request carries.
    public enum Body: Sendable {
        /// A JSON value, sent as `application/json`.
        case json(ValueTemplate)
        /// Fields, sent as `application/x-www-form-urlencoded`.
        case form([Parameter])
        /// Text, sent as `text/plain; charset=utf-8`.
        case text(Template)
        /// A file's bytes; the path resolves against the suite's folder.
        case file(Template, range: SourceRange)
        /// Parts, sent as `multipart/form-data`.
        case multipart([Part])
        /// XML, sent as `application/xml`.
        case xml(Template)
        /// A GraphQL request, sent as `application/json`.
        case graphql(GraphQL)
        /// Bytes that are written in base64, sent as `application/octet-stream`.
        case base64(Template, range: SourceRange)
    }

    /// How long each part of an exchange may take, in nanoseconds; nil leaves the session's default.
    public struct Timeout: Sendable, Hashable {
        /// Until a connection is made.
        public var connect: Int64?
        /// From the request sent to the first byte of the response.
        public var firstByte: Int64?
        /// The whole exchange, redirects included.
        public var total: Int64?

        /// Creates timeouts.
        public init(connect: Int64? = nil, firstByte: Int64? = nil, total: Int64? = nil) {
            self.connect = connect
            self.firstByte = firstByte
            self.total = total
        }
    }

    /// The method; any token.
    public var method: String
    /// The URL, absolute or relative to the suite's `baseURL`.
    public var url: Template
    /// The place of the URL.
    public var urlRange: SourceRange
    /// What is added to the URL's query, always encoded.
    public var query: [Parameter]
    /// How nested query values are spelled.
    public var queryStyle: QueryStyle
    /// Headers, the defaults' included.
    public var headers: [Header]
    /// Cookies that are added to the jar's.
    public var cookies: [Parameter]
    /// The body.
    public var body: Body?
    /// What Content-Type says instead of the body's own.
    public var contentType: Template?
    /// Time limits.
    public var timeout: Timeout
    /// How many redirects are followed; 0 follows none.
    public var maximumRedirects: Int
    /// The most bytes that a response's body may have; nil leaves the session's default.
    public var maximumBodySize: Int64?
    /// What few requests have: authentication, TLS, a proxy and the like.
    public var extras: Boxed<RequestExtras>?
    /// The place of the `request` value.
    public var range: SourceRange

    /// Creates a request.
    public init(
        method: String = "GET", url: Template, urlRange: SourceRange, query: [Parameter] = [],
        queryStyle: QueryStyle = .brackets, headers: [Header] = [], cookies: [Parameter] = [], body: Body? = nil,
        contentType: Template? = nil, timeout: Timeout = Timeout(), maximumRedirects: Int = 10,
        maximumBodySize: Int64? = nil, extras: Boxed<RequestExtras>? = nil, range: SourceRange
    ) {
        self.method = method
        self.url = url
        self.urlRange = urlRange
        self.query = query
        self.queryStyle = queryStyle
        self.headers = headers
        self.cookies = cookies
        self.body = body
        self.contentType = contentType
        self.timeout = timeout
        self.maximumRedirects = maximumRedirects
        self.maximumBodySize = maximumBodySize
        self.extras = extras
        self.range = range
    }
}
