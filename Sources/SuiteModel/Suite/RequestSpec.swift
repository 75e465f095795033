public import Basics
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
    @Indirect public var extras: RequestExtras?
    /// The place of the `request` value.
    public var range: SourceRange

    /// Creates a request.
    public init(
        method: String = "GET", url: Template, urlRange: SourceRange, query: [Parameter] = [],
        queryStyle: QueryStyle = .brackets, headers: [Header] = [], cookies: [Parameter] = [], body: Body? = nil,
        contentType: Template? = nil, timeout: Timeout = Timeout(), maximumRedirects: Int = 10,
        maximumBodySize: Int64? = nil, extras: RequestExtras? = nil, range: SourceRange
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

extension RequestSpec {
    /// A part of a `multipart/form-data` body (RFC 7578).
    public struct Part: Sendable {
        /// What a part holds.
        public enum Content: Sendable {
            /// A value as text.
            case text(Template)
            /// A JSON value, sent as `application/json`.
            case json(ValueTemplate)
            /// A file's bytes; the path resolves against the suite's folder.
            case file(Template, range: SourceRange)
        }

        /// The name of the field.
        public var name: Template
        /// What the part holds.
        public var content: Content
        /// What Content-Type says instead of the content's own.
        public var contentType: Template?
        /// The file name that is sent; without one, a file's own.
        public var fileName: Template?
        /// Further headers of the part.
        public var headers: [Header]

        /// Creates a part.
        public init(
            name: Template, content: Content, contentType: Template? = nil, fileName: Template? = nil,
            headers: [Header] = []
        ) {
            self.name = name
            self.content = content
            self.contentType = contentType
            self.fileName = fileName
            self.headers = headers
        }
    }

    /// A GraphQL request, sent as a JSON object.
    public struct GraphQL: Sendable {
        /// The document.
        public var query: Template
        /// The values of its variables.
        public var variables: ValueTemplate?
        /// The operation that is meant, when the document has several.
        public var operationName: Template?

        /// Creates a request.
        public init(query: Template, variables: ValueTemplate? = nil, operationName: Template? = nil) {
            self.query = query
            self.variables = variables
            self.operationName = operationName
        }
    }
}

/// The parts of a request that few requests have; ``RequestSpec/extras`` keeps them apart.
public struct RequestExtras: Sendable {
    /// How a request's body is compressed (RFC 9110, section 8.4.1).
    public enum Compression: String, Sendable, CaseIterable {
        /// The gzip coding.
        case gzip
        /// The deflate coding: the zlib format.
        case deflate
    }

    /// The version of HTTP.
    public enum HTTPVersion: String, Sendable, CaseIterable {
        /// HTTP/1.0.
        case http10 = "1.0"
        /// HTTP/1.1.
        case http11 = "1.1"
        /// HTTP/2: over TLS by negotiation, otherwise by prior knowledge.
        case http2 = "2"
        /// What the server prefers.
        case auto
    }

    /// How a response that comes in parts is read.
    public enum Stream: String, Sendable, CaseIterable {
        /// Server-sent events (WHATWG HTML, section 9.2).
        case sse
        /// Lines of text.
        case lines
    }

    /// The proxy of a request.
    public enum Proxy: Sendable {
        /// None, whatever the run's is.
        case none
        /// The proxy with this URL.
        case url(Template, range: SourceRange)
    }

    /// An address that stands for what a host name resolves to.
    public struct Resolution: Sendable {
        /// The host and the port, as `api.example.org:443`; `*` may stand for either.
        public var target: Template
        /// The address.
        public var address: Template
        /// The place of the host and the port.
        public var range: SourceRange

        /// Creates a resolution.
        public init(target: Template, address: Template, range: SourceRange) {
            self.target = target
            self.address = address
            self.range = range
        }
    }

    /// The method, when an expression gives it.
    @Indirect public var method: Template?
    /// How the body is compressed.
    public var compression: Compression?
    /// How the request proves who sends it.
    public var authentication: Authentication?
    /// Certificates and versions of TLS.
    public var tls: TLSSpec?
    /// The proxy; nil leaves the run's.
    public var proxy: Proxy?
    /// The path of the socket to connect to in place of a host.
    public var unixSocket: Template?
    /// The place of the socket's path.
    public var unixSocketRange: SourceRange?
    /// Addresses of host names.
    public var resolutions: [Resolution] = []
    /// The version of HTTP; nil leaves the session's choice.
    public var httpVersion: HTTPVersion?
    /// How a response that comes in parts is read.
    public var stream: Stream?
    /// Headers that are left out though they are sent by default, in small letters.
    public var leftOutHeaders: [String] = []

    /// Creates extras without any.
    public init() {}

    /// True when there is none of them.
    public var isEmpty: Bool {
        method == nil && compression == nil && authentication == nil && tls == nil && proxy == nil && unixSocket == nil
            && resolutions.isEmpty && httpVersion == nil && stream == nil && leftOutHeaders.isEmpty
    }
}

/// Certificates and versions of TLS, as a suite writes them under `tls`.
public struct TLSSpec: Sendable {
    /// A version of TLS.
    public enum Version: String, Sendable, CaseIterable, Comparable {
        /// TLS 1.0.
        case tls10 = "1.0"
        /// TLS 1.1.
        case tls11 = "1.1"
        /// TLS 1.2.
        case tls12 = "1.2"
        /// TLS 1.3.
        case tls13 = "1.3"

        /// Whether a version is older than another.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// A path that resolves against the suite's folder.
    public struct File: Sendable {
        /// The path.
        public var path: Template
        /// The place of the path.
        public var range: SourceRange

        /// Creates a path.
        public init(path: Template, range: SourceRange) {
            self.path = path
            self.range = range
        }
    }

    /// PEM files of authorities that are trusted instead of the system's.
    public var authorities: [File] = []
    /// The PEM file of the client's certificate, followed by those that vouch for it.
    public var certificate: File?
    /// The PEM file of the client's key; nil when it stands in the certificate's file.
    public var key: File?
    /// What the key is encrypted with.
    public var passphrase: Template?
    /// SHA-256 digests of public keys, one of which the server's chain must have, as `sha256/` and base64.
    public var pins: [Template] = []
    /// False accepts any certificate; nil leaves the run's choice.
    public var verifies: Bool?
    /// The name that is sent to the server and that its certificate must have, in place of the URL's host.
    public var serverName: Template?
    /// The oldest version that is accepted.
    public var minimumVersion: Version?
    /// The newest version that is offered.
    public var maximumVersion: Version?
    /// The place of the whole.
    public var range: SourceRange

    /// Creates settings without any.
    public init(range: SourceRange) {
        self.range = range
    }
}
