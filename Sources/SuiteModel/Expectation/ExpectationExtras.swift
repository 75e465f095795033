public import Diagnostics
public import OpenAPI

/// Expectations that few steps have; ``ExpectationSet/extras`` stores them separately.
public struct ExpectationExtras: Sendable {
    /// The expectations of a redirect.
    public struct Hop: Sendable {
        /// The status of the redirect.
        public var status: ExpectationSet.Status?
        /// The URL that responded with the redirect.
        public var url: Matcher?
        /// The target of the redirect, as an absolute URL.
        public var location: Matcher?
        /// The source range of the value.
        public var range: SourceRange

        /// Creates the expectations of a redirect.
        public init(
            status: ExpectationSet.Status? = nil, url: Matcher? = nil, location: Matcher? = nil, range: SourceRange
        ) {
            self.status = status
            self.url = url
            self.location = location
            self.range = range
        }
    }

    /// The expectations of the redirects that were followed.
    public enum Hops: Sendable {
        /// Each redirect, in order; additional redirects fail.
        case each([Hop], range: SourceRange)
        /// A matcher for the array of redirects.
        case list(Matcher)
    }

    /// A phase of an exchange, in order: from the DNS lookup to the transfer of the response body.
    public enum Phase: String, Sendable, CaseIterable {
        case dns, connect, tls, firstByte, transfer
    }

    /// The expectations of the server's certificate.
    public struct Certificate: Sendable {
        /// The distinguished name of the subject, such as `CN=api.example.org,O=Example`.
        public var subject: Matcher?
        /// The distinguished name of the issuer.
        public var issuer: Matcher?
        /// The array of host names and addresses that the certificate is valid for.
        public var names: Matcher?
        /// The time until the certificate expires; operands are nanoseconds.
        public var expiresIn: Matcher?
        /// The source range of the value.
        public var range: SourceRange

        /// Creates an empty set of expectations.
        public init(range: SourceRange) {
            self.range = range
        }
    }

    /// The expectations of an image.
    public struct Image: Sendable {
        /// The format: `png`, `jpeg`, `gif`, `webp`, `bmp`, `avif`, `heic`, or `ico`.
        public var format: Matcher?
        /// The width in pixels.
        public var width: Matcher?
        /// The height in pixels.
        public var height: Matcher?
        /// The source range of the value.
        public var range: SourceRange

        /// Creates an empty set of expectations.
        public init(range: SourceRange) {
            self.range = range
        }
    }

    /// The expectation of an event of a stream.
    public enum Event: Sendable {
        /// A matcher for the event.
        case value(Matcher)
        /// Matchers for the members of a server-sent event.
        case members([(name: String, matcher: Matcher)], range: SourceRange)

        /// The source range of the expectation.
        public var range: SourceRange {
            switch self {
            case .value(let matcher): matcher.range
            case .members(_, let range): range
            }
        }
    }

    /// An expectation of the result of an XPath expression.
    public struct XPath: Sendable {
        /// The compiled expression.
        public var query: XPathQuery
        /// The source range of the expression.
        public var range: SourceRange
        /// The matcher for the result.
        public var matcher: Matcher

        /// Creates an expectation.
        public init(query: XPathQuery, range: SourceRange, matcher: Matcher) {
            self.query = query
            self.range = range
            self.matcher = matcher
        }
    }

    /// XPath expectations of the body as XML, in order.
    public var xml: [XPath] = []
    /// XPath expectations of the body as HTML, in order.
    public var html: [XPath] = []

    /// A JSON Schema that the body must satisfy, and its location in the suite.
    public struct Schema: Sendable {
        /// The compiled schema.
        public var schema: CompiledSchema
        /// The source range of the schema, or of its path.
        public var range: SourceRange

        /// Creates an expectation.
        public init(_ schema: CompiledSchema, range: SourceRange) {
            self.schema = schema
            self.range = range
        }
    }

    /// The JSON Schema that the body must satisfy.
    public var schema: Schema?
    /// The body as text, whatever its content type.
    public var text: Matcher?
    /// The HTTP version: `1.0`, `1.1`, or `2`.
    public var http: Matcher?
    /// The trailer fields.
    public var trailers: [ExpectationSet.Named] = []
    /// The redirects that were followed.
    public var hops: Hops?
    /// The number of redirects that were followed.
    public var redirects: Matcher?
    /// The durations of phases; operands are nanoseconds.
    public var timings: [(phase: Phase, matcher: Matcher)] = []
    /// The server's certificate.
    public var certificate: Certificate?
    /// The events of a stream, in order; other events may occur between them.
    public var events: [Event] = []
    /// The SHA-256 digest of the body, in lowercase hexadecimal digits.
    public var sha256: Matcher?
    /// The image in the body.
    public var image: Image?
    /// The snapshot that the response is compared with.
    public var snapshot: SnapshotExpectation?
    /// The step's changes to contract validation; nil uses the settings of the suite.
    public var contract: ContractExpectation?
    /// The exit status of a command.
    public var exit: Matcher?
    /// The standard error of a command.
    public var stderr: Matcher?

    /// Creates an empty set of expectations.
    public init() {}

    /// Whether the set is empty.
    public var isEmpty: Bool {
        schema == nil && text == nil && xml.isEmpty && html.isEmpty && http == nil && trailers.isEmpty && hops == nil
            && redirects == nil
            && timings.isEmpty && certificate == nil && events.isEmpty && sha256 == nil && image == nil
            && snapshot == nil && contract == nil && exit == nil && stderr == nil
    }
}

/// An attribute of a cookie (RFC 6265, section 4.1.2), by its key in a suite.
public enum CookieAttribute: String, Sendable, CaseIterable {
    /// The path prefix that the cookie is sent to, as a string.
    case path
    /// The domain whose hosts receive the cookie, as a string.
    case domain
    /// Whether the cookie is sent over HTTPS only.
    case secure
    /// Whether the cookie is hidden from scripts.
    case httpOnly
    /// The cross-site policy: `Strict`, `Lax`, or `None`.
    case sameSite
    /// The lifetime in seconds, as a number.
    case maxAge
    /// The expiration time, as an HTTP date.
    case expires
}

/// The contract validation of one exchange (`expect: { contract: … }`).
public struct ContractExpectation: Sendable {
    /// Whether contract validation is off.
    public var isOff = false
    /// The operation to validate against: an `operationId`, or a method and a path.
    public var operation: String?
    /// Whether the request is validated, too; nil uses the setting of the suite.
    public var checksRequest: Bool?
    /// An expression for whether the exchange is validated, so that rows can differ.
    public var condition: Template?
    /// An expression for whether the request is validated.
    public var requestCondition: Template?
    /// An expression for the name of the operation.
    public var chosenOperation: Template?
    /// Severities that override those of the suite.
    public var severities: [ContractRule: ContractSettings.Severity] = [:]
    /// The source range of the value.
    public var range: SourceRange

    /// Creates an expectation that changes no setting.
    public init(range: SourceRange) {
        self.range = range
    }

    /// Returns the settings of the suite with the overrides of this expectation applied.
    public func applied(to settings: ContractSettings) -> ContractSettings {
        var settings = settings
        if let checksRequest { settings.checksRequests = checksRequest }
        settings.severities.merge(severities) { $1 }
        return settings
    }
}
