public import Basics
public import Diagnostics

/// A request as written in a suite, merged with the defaults.
public struct RequestSpec: Sendable {
    /// The encoding of nested values under `query`.
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

    /// A header name and its values. A value that is null is not sent.
    public struct Header: Sendable {
        /// The name as written.
        public var name: String
        /// The values. Each becomes a separate field.
        public var values: [Template]

        /// Creates a header.
        public init(name: String, values: [Template]) {
            self.name = name
            self.values = values
        }
    }

    /// A named value of `query`, `form`, or `cookies`.
    public struct Parameter: Sendable {
        /// The name; it may contain expressions.
        public var name: Template
        /// The value.
        public var value: ValueTemplate

        /// Creates a parameter.
        public init(name: Template, value: ValueTemplate) {
            self.name = name
            self.value = value
        }
    }

    /// The body of a request.
    public enum Body: Sendable {
        /// A JSON value, sent as `application/json`.
        case json(ValueTemplate)
        /// Form fields, sent as `application/x-www-form-urlencoded`.
        case form(Templated<[Parameter]>)
        /// Text, sent as `text/plain; charset=utf-8`.
        case text(Template)
        /// The contents of a file; the path resolves against the directory of the suite.
        case file(Template, range: SourceRange)
        /// Multipart parts, sent as `multipart/form-data`.
        case multipart([Part])
        /// XML, sent as `application/xml`.
        case xml(Template)
        /// A GraphQL request, sent as `application/json`.
        case graphql(GraphQL)
        /// Base64-encoded bytes, sent as `application/octet-stream`.
        case base64(Template, range: SourceRange)
    }

    /// The time limits of an exchange, in nanoseconds; nil uses the session's default.
    public struct Timeout: Sendable, Equatable {
        /// The time limit for establishing a connection.
        public var connect: Templated<Int64>?
        /// The time from the end of the request to the first byte of the response.
        public var firstByte: Templated<Int64>?
        /// The time of the whole exchange, including redirects.
        public var total: Templated<Int64>?

        /// Creates timeouts.
        public init(
            connect: Templated<Int64>? = nil, firstByte: Templated<Int64>? = nil, total: Templated<Int64>? = nil
        ) {
            self.connect = connect
            self.firstByte = firstByte
            self.total = total
        }
    }

    /// The method, which may be any token (RFC 9110, section 9.1).
    public var method: String
    /// The URL, absolute or relative to the suite's `baseURL`.
    public var url: Template
    /// The source range of the URL.
    public var urlRange: SourceRange
    /// Parameters that are appended to the query of the URL, always percent-encoded.
    public var query: Templated<[Parameter]>
    /// The encoding of nested query values.
    public var queryStyle: QueryStyle
    /// The headers, including those of the defaults.
    public var headers: Templated<[Header]>
    /// Cookies that are sent in addition to those of the cookie jar; a null withholds those of the jar with its name.
    public var cookies: Templated<[Parameter]>
    /// The body.
    public var body: Body?
    /// The Content-Type header, which overrides the default of the body.
    public var contentType: Template?
    /// Time limits.
    public var timeout: Timeout
    /// The maximum number of redirects; 0 disables them.
    public var maximumRedirects: Int
    /// The maximum size of a response body in bytes; nil uses the session's default.
    public var maximumBodySize: Templated<Int64>?
    /// Settings that few requests have, such as authentication, TLS, and a proxy.
    @Indirect public var extras: RequestExtras?
    /// The source range of the `request` value.
    public var range: SourceRange

    /// Creates a request.
    public init(
        method: String = "GET", url: Template, urlRange: SourceRange, query: Templated<[Parameter]> = .constant([]),
        queryStyle: QueryStyle = .brackets, headers: Templated<[Header]> = .constant([]),
        cookies: Templated<[Parameter]> = .constant([]), body: Body? = nil, contentType: Template? = nil,
        timeout: Timeout = Timeout(), maximumRedirects: Int = 10,
        maximumBodySize: Templated<Int64>? = nil, extras: RequestExtras? = nil, range: SourceRange
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
        /// The content of a part.
        public enum Content: Sendable {
            /// A text value.
            case text(Template)
            /// A JSON value, sent as `application/json`.
            case json(ValueTemplate)
            /// The contents of a file; the path resolves against the directory of the suite.
            case file(Template, range: SourceRange)
        }

        /// The name of the field.
        public var name: Template
        /// The content of the part.
        public var content: Content
        /// The Content-Type header, which overrides the default of the content.
        public var contentType: Template?
        /// The file name to send; defaults to the name of the file.
        public var fileName: Template?
        /// Additional headers of the part.
        public var headers: Templated<[Header]>

        /// Creates a part.
        public init(
            name: Template, content: Content, contentType: Template? = nil, fileName: Template? = nil,
            headers: Templated<[Header]> = .constant([])
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
        /// The values of the document's variables.
        public var variables: ValueTemplate?
        /// The operation to execute, if the document contains several.
        public var operationName: Template?

        /// Creates a request.
        public init(query: Template, variables: ValueTemplate? = nil, operationName: Template? = nil) {
            self.query = query
            self.variables = variables
            self.operationName = operationName
        }
    }
}

/// Settings that few requests have; ``RequestSpec/extras`` stores them separately.
public struct RequestExtras: Sendable {
    /// The content coding of a request body (RFC 9110, section 8.4.1).
    public enum Compression: String, Sendable, CaseIterable {
        /// The gzip coding.
        case gzip
        /// The deflate coding, which is the zlib format.
        case deflate
    }

    /// An HTTP version.
    public enum HTTPVersion: String, Sendable, CaseIterable {
        /// HTTP/1.0.
        case http10 = "1.0"
        /// HTTP/1.1.
        case http11 = "1.1"
        /// HTTP/2, negotiated over TLS or with prior knowledge over plain TCP.
        case http2 = "2"
        /// The version that the server prefers.
        case auto
    }

    /// The format of a streaming response.
    public enum Stream: String, Sendable, CaseIterable {
        /// Server-sent events (WHATWG HTML, section 9.2).
        case sse
        /// Lines of text.
        case lines
    }

    /// The proxy of a request.
    public enum Proxy: Sendable {
        /// No proxy, even if the run has one.
        case none
        /// The proxy with a URL.
        case url(Template, range: SourceRange)
    }

    /// An address, with an optional port, that replaces the DNS lookup of a host.
    public struct Resolution: Sendable {
        /// The host and port, such as `api.example.org:443`; either may be `*`.
        public var target: Template
        /// The address to connect to, with an optional port.
        public var address: Template
        /// The source range of the host and port.
        public var range: SourceRange

        /// Creates a resolution.
        public init(target: Template, address: Template, range: SourceRange) {
            self.target = target
            self.address = address
            self.range = range
        }
    }

    /// The method, if it is an expression.
    @Indirect public var method: Template?
    /// The content coding of the body.
    public var compression: Compression?
    /// The authentication of the request.
    public var authentication: Authentication?
    /// The TLS settings.
    public var tls: TLSSpec?
    /// The proxy; nil uses the proxy of the run.
    public var proxy: Proxy?
    /// The path of the Unix domain socket to connect to instead of a host.
    public var unixSocket: Template?
    /// The source range of the socket path.
    public var unixSocketRange: SourceRange?
    /// Addresses that replace DNS lookups.
    public var resolutions: [Resolution] = []
    /// The HTTP version; nil uses the session's default.
    public var httpVersion: HTTPVersion?
    /// The format of a streaming response; nil reads the response as a whole.
    public var stream: Stream?
    /// Whether the request starts a trace; nil sends no trace context (W3C Trace Context).
    public var isTraced: Bool?
    /// Default headers that are not sent, in lowercase.
    public var leftOutHeaders: [String] = []
    /// Whether neither cookies of the jar nor those of the defaults are sent.
    public var sendsNoCookies = false

    /// Creates an empty set of settings.
    public init() {}

    /// Whether all settings are unset.
    public var isEmpty: Bool {
        method == nil && compression == nil && authentication == nil && tls == nil && proxy == nil && unixSocket == nil
            && resolutions.isEmpty && httpVersion == nil && stream == nil && isTraced == nil
            && leftOutHeaders.isEmpty && !sendsNoCookies
    }
}

/// The TLS settings of a request, as written under `tls` in a suite.
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

        /// Returns whether a version is older than another.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// A file path that resolves against the directory of the suite.
    public struct File: Sendable {
        /// The path.
        public var path: Template
        /// The source range of the path.
        public var range: SourceRange

        /// Creates a path.
        public init(path: Template, range: SourceRange) {
            self.path = path
            self.range = range
        }
    }

    /// PEM files with certificate authorities to trust instead of those of the system.
    public var authorities: [File] = []
    /// The PEM file with the client certificate, followed by its intermediate certificates.
    public var certificate: File?
    /// The PEM file with the client's private key; nil if the certificate file contains it.
    public var key: File?
    /// The passphrase of the private key.
    public var passphrase: Template?
    /// SHA-256 pins (`sha256/` and base64) of public keys. The server's certificate chain must contain at least one of
    /// the keys.
    public var pins: [Template] = []
    /// Whether certificates are verified; nil uses the setting of the run.
    public var verifies: Bool?
    /// The server name to send (SNI) and to verify, instead of the host of the URL.
    public var serverName: Template?
    /// The minimum TLS version.
    public var minimumVersion: Version?
    /// The maximum TLS version.
    public var maximumVersion: Version?
    /// The source range of the value.
    public var range: SourceRange

    /// Creates an empty set of settings.
    public init(range: SourceRange) {
        self.range = range
    }
}
