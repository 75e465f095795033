public import Diagnostics

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
    public var method: Boxed<Template>?
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
