public import Diagnostics

/// The authentication of a request, as written under `auth` in a suite.
public struct Authentication: Sendable {
    /// A username and a password.
    public struct Credentials: Sendable {
        /// The username.
        public var username: Template
        /// The password.
        public var password: Template

        /// Creates credentials.
        public init(username: Template, password: Template) {
            self.username = username
            self.password = password
        }
    }

    /// An API key that is sent as a header, a query parameter, or a cookie.
    public struct APIKey: Sendable {
        /// The part of the request that carries the key.
        public enum Location: String, Sendable, CaseIterable {
            case header, query, cookie
        }

        /// The part of the request that carries the key.
        public var location: Location
        /// The name of the header, query parameter, or cookie.
        public var name: Template
        /// The value of the key.
        public var value: Template

        /// Creates a key.
        public init(location: Location, name: Template, value: Template) {
            self.location = location
            self.name = name
            self.value = value
        }
    }

    /// The parameters of an OAuth 2.0 token request (RFC 6749).
    public struct OAuth2: Sendable {
        /// The type of the authorization grant (RFC 6749, section 1.3).
        public enum Grant: String, Sendable, CaseIterable {
            case clientCredentials, password, refreshToken
        }

        /// The URL of the token endpoint.
        public var tokenURL: Template
        /// The source range of ``tokenURL``.
        public var tokenURLRange: SourceRange
        /// The type of the authorization grant.
        public var grant: Grant
        /// The client identifier.
        public var clientID: Template?
        /// The client secret.
        public var clientSecret: Template?
        /// The requested scopes; one string may contain several, separated by spaces.
        public var scopes: [Template]
        /// The audience of the token.
        public var audience: Template?
        /// The username, for the `password` grant.
        public var username: Template?
        /// The password, for the `password` grant.
        public var password: Template?
        /// The refresh token, for the `refreshToken` grant.
        public var refreshToken: Template?

        /// Creates the parameters of a token request.
        public init(tokenURL: Template, tokenURLRange: SourceRange, grant: Grant) {
            self.tokenURL = tokenURL
            self.tokenURLRange = tokenURLRange
            self.grant = grant
            scopes = []
        }
    }

    /// The parameters of an AWS Signature Version 4.
    public struct AWSSignature: Sendable {
        /// The access key ID.
        public var accessKey: Template
        /// The secret access key.
        public var secretKey: Template
        /// The session token of temporary credentials.
        public var sessionToken: Template?
        /// The region, such as `eu-central-1`.
        public var region: Template
        /// The service, such as `s3`.
        public var service: Template

        /// Creates the parameters of a signature.
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

    /// An authentication method.
    public enum Method: Sendable {
        /// Basic authentication with a username and a password (RFC 7617).
        case basic(Credentials)
        /// Digest authentication, in response to the server's challenge (RFC 7616).
        case digest(Credentials)
        /// A bearer token (RFC 6750).
        case bearer(Template)
        /// An API key.
        case apiKey(APIKey)
        /// An OAuth 2.0 token that is requested on first use.
        case oauth2(OAuth2)
        /// An AWS Signature Version 4 of the request.
        case awsSigV4(AWSSignature)
    }

    /// The authentication method.
    public var method: Method
    /// The source range of the value.
    public var range: SourceRange

    /// Creates the authentication of a request.
    public init(_ method: Method, range: SourceRange) {
        self.method = method
        self.range = range
    }
}
