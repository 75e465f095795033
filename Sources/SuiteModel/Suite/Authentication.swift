public import Diagnostics

/// How a request proves who sends it, as a suite writes it under `auth`.
public struct Authentication: Sendable {
    /// A user's name and password.
    public struct Credentials: Sendable {
        /// The name.
        public var username: Template
        /// The password.
        public var password: Template

        /// Creates credentials.
        public init(username: Template, password: Template) {
            self.username = username
            self.password = password
        }
    }

    /// A key that is sent as a header, in the query or as a cookie.
    public struct APIKey: Sendable {
        /// Where the key is sent.
        public enum Place: String, Sendable, CaseIterable {
            case header, query, cookie
        }

        /// Where the key is sent.
        public var place: Place
        /// The name under which it is sent.
        public var name: Template
        /// The key.
        public var value: Template

        /// Creates a key.
        public init(place: Place, name: Template, value: Template) {
            self.place = place
            self.name = name
            self.value = value
        }
    }

    /// What a token is asked for with (RFC 6749).
    public struct OAuth2: Sendable {
        /// What entitles to a token (RFC 6749, section 1.3).
        public enum Grant: String, Sendable, CaseIterable {
            case clientCredentials, password, refreshToken
        }

        /// Where tokens are asked for.
        public var tokenURL: Template
        /// The place of ``tokenURL``.
        public var tokenURLRange: SourceRange
        /// What entitles to a token.
        public var grant: Grant
        /// The client's identifier.
        public var clientID: Template?
        /// The client's secret.
        public var clientSecret: Template?
        /// What the token is to allow; one text may hold several, separated by spaces.
        public var scopes: [Template]
        /// Whom the token is for.
        public var audience: Template?
        /// The user's name, for the grant `password`.
        public var username: Template?
        /// The user's password, for the grant `password`.
        public var password: Template?
        /// The token by which others are had, for the grant `refreshToken`.
        public var refreshToken: Template?

        /// Creates what a token is asked for with.
        public init(tokenURL: Template, tokenURLRange: SourceRange, grant: Grant) {
            self.tokenURL = tokenURL
            self.tokenURLRange = tokenURLRange
            self.grant = grant
            scopes = []
        }
    }

    /// What a request is signed with (AWS Signature Version 4).
    public struct AWSSignature: Sendable {
        /// The key's identifier.
        public var accessKey: Template
        /// The key.
        public var secretKey: Template
        /// The token of temporary credentials.
        public var sessionToken: Template?
        /// The region, such as `eu-central-1`.
        public var region: Template
        /// The service, such as `s3`.
        public var service: Template

        /// Creates what a request is signed with.
        public init(
            accessKey: Template, secretKey: Template, sessionToken: Template? = nil, region: Template,
            service: Template
        ) {
            self.accessKey = accessKey
            self.secretKey = secretKey
            self.sessionToken = sessionToken
            self.region = region
            self.service = service
        }
    }

    /// A way of proving who sends a request.
    public enum Method: Sendable {
        /// Name and password with every request (RFC 7617).
        case basic(Credentials)
        /// An answer to the server's challenge (RFC 7616).
        case digest(Credentials)
        /// A token (RFC 6750).
        case bearer(Template)
        /// A key.
        case apiKey(APIKey)
        /// A token that is fetched when it is first needed.
        case oauth2(OAuth2)
        /// A signature of the request.
        case awsSigV4(AWSSignature)
    }

    /// The way.
    public var method: Method
    /// The place of the whole.
    public var range: SourceRange

    /// Creates a way of authentication.
    public init(_ method: Method, range: SourceRange) {
        self.method = method
        self.range = range
    }
}
