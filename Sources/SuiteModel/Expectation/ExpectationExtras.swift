public import Diagnostics
public import OpenAPI

/// Expectations that few steps have; ``ExpectationSet/extras`` keeps them apart.
public struct ExpectationExtras: Sendable {
    /// What is expected of a redirect.
    public struct Hop: Sendable {
        /// The status of the redirect.
        public var status: ExpectationSet.Status?
        /// The URL that answered so.
        public var url: Matcher?
        /// Where it pointed, absolute.
        public var location: Matcher?
        /// The place of the whole.
        public var range: SourceRange

        /// Creates what is expected of a redirect.
        public init(
            status: ExpectationSet.Status? = nil, url: Matcher? = nil, location: Matcher? = nil, range: SourceRange
        ) {
            self.status = status
            self.url = url
            self.location = location
            self.range = range
        }
    }

    /// What is expected of the redirects.
    public enum Hops: Sendable {
        /// Each redirect, in order; there are no others.
        case each([Hop], range: SourceRange)
        /// A matcher on the list of them.
        case list(Matcher)
    }

    /// A phase of an exchange.
    public enum Phase: String, Sendable, CaseIterable {
        case dns, connect, tls, firstByte, transfer
    }

    /// What is expected of the server's certificate.
    public struct Certificate: Sendable {
        /// The name of whom it is for, as `CN=api.example.org,O=Example`.
        public var subject: Matcher?
        /// The name of who signed it.
        public var issuer: Matcher?
        /// The list of the host names and addresses that it is for.
        public var names: Matcher?
        /// The time until it is no longer valid; operands are nanoseconds.
        public var expiresIn: Matcher?
        /// The place of the whole.
        public var range: SourceRange

        /// Creates what is expected of a certificate: nothing.
        public init(range: SourceRange) {
            self.range = range
        }
    }

    /// What is expected of an image.
    public struct Image: Sendable {
        /// The format: `png`, `jpeg`, `gif`, `webp`, `bmp`, `avif`, `heic` or `ico`.
        public var format: Matcher?
        /// The width in pixels.
        public var width: Matcher?
        /// The height in pixels.
        public var height: Matcher?
        /// The place of the whole.
        public var range: SourceRange

        /// Creates what is expected of an image: nothing.
        public init(range: SourceRange) {
            self.range = range
        }
    }

    /// What is expected of an event of a stream.
    public enum Event: Sendable {
        /// A matcher on the event.
        case value(Matcher)
        /// Matchers on members of a server-sent event.
        case members([(name: String, matcher: Matcher)], range: SourceRange)

        /// The place of the whole.
        public var range: SourceRange {
            switch self {
            case .value(let matcher): matcher.range
            case .members(_, let range): range
            }
        }
    }

    /// An expectation on what an XPath gives.
    public struct XPath: Sendable {
        /// The expression.
        public var query: XPathQuery
        /// The place of the expression.
        public var range: SourceRange
        /// What its value must be.
        public var matcher: Matcher

        /// Creates an expectation.
        public init(query: XPathQuery, range: SourceRange, matcher: Matcher) {
            self.query = query
            self.range = range
            self.matcher = matcher
        }
    }

    /// XPath expectations on the body as XML, in order.
    public var xml: [XPath] = []
    /// XPath expectations on the body as HTML, in order.
    public var html: [XPath] = []

    /// The JSON Schema that a body must satisfy.
    public struct Schema: Sendable {
        /// The schema.
        public var schema: CompiledSchema
        /// The place of the schema, or of its path.
        public var range: SourceRange

        /// Creates an expectation.
        public init(_ schema: CompiledSchema, range: SourceRange) {
            self.schema = schema
            self.range = range
        }
    }

    /// The JSON Schema that the body must satisfy.
    public var schema: Schema?
    /// The version of HTTP: `1.0`, `1.1` or `2`.
    public var http: Matcher?
    /// Trailer fields.
    public var trailers: [ExpectationSet.Named] = []
    /// The redirects that were followed.
    public var hops: Hops?
    /// How many redirects were followed.
    public var redirects: Matcher?
    /// How long phases take; operands are nanoseconds.
    public var timings: [(phase: Phase, matcher: Matcher)] = []
    /// The server's certificate.
    public var certificate: Certificate?
    /// The events of a stream, in order; others may come between them.
    public var events: [Event] = []
    /// The SHA-256 digest of the body, in hexadecimal digits of lower case.
    public var sha256: Matcher?
    /// The image that the body is.
    public var image: Image?
    /// The stored response that the response is compared with.
    public var snapshot: SnapshotExpectation?
    /// How the exchange is held against the suite's contract, where that is not as the suite says.
    public var contract: ContractExpectation?

    /// Creates extras without any.
    public init() {}

    /// True when there is none of them.
    public var isEmpty: Bool {
        schema == nil && xml.isEmpty && html.isEmpty && http == nil && trailers.isEmpty && hops == nil
            && redirects == nil
            && timings.isEmpty && certificate == nil && events.isEmpty && sha256 == nil && image == nil
            && snapshot == nil && contract == nil
    }
}

/// What a cookie has besides its name and value (RFC 6265, section 4.1.2), by its key in a suite.
public enum CookieAttribute: String, Sendable, CaseIterable {
    /// The path at and below which it is sent, text.
    case path
    /// The domain whose hosts get it, text.
    case domain
    /// Whether it is sent over https only.
    case secure
    /// Whether scripts do not see it.
    case httpOnly
    /// `Strict`, `Lax` or `None`.
    case sameSite
    /// For how many seconds it is kept, a number.
    case maxAge
    /// Until when it is kept, a date of HTTP.
    case expires
}

/// How one exchange is held against the suite's contract (`expect: { contract: … }`).
public struct ContractExpectation: Sendable {
    /// Whether it is not.
    public var isOff = false
    /// The operation that it is for: an `operationId`, or a method and a path.
    public var operation: String?
    /// Whether the request is held against the contract too; nil for what the suite says.
    public var checksRequest: Bool?
    /// An expression for whether the exchange is held against the contract, so that rows can differ.
    public var condition: Template?
    /// An expression for whether the request is.
    public var requestCondition: Template?
    /// An expression for the name of the operation.
    public var chosenOperation: Template?
    /// Severities that replace the suite's.
    public var severities: [ContractRule: ContractSettings.Severity] = [:]
    /// The place of the whole.
    public var range: SourceRange

    /// Creates an expectation that changes nothing.
    public init(range: SourceRange) {
        self.range = range
    }

    /// The suite's settings with what is said here in their place.
    public func applied(to settings: ContractSettings) -> ContractSettings {
        var settings = settings
        if let checksRequest { settings.checksRequests = checksRequest }
        settings.severities.merge(severities) { $1 }
        return settings
    }
}
