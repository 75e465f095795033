/// A mechanism for authenticating requests (Security Scheme Object).
public struct SecurityScheme: Sendable {
    /// An OAuth 2.0 flow.
    public struct Flow: Sendable {
        /// The type: `implicit`, `password`, `clientCredentials`, `authorizationCode`, or `deviceAuthorization`.
        public var kind: String
        /// The URL of the authorization endpoint, which users visit.
        public var authorizationURL: String?
        /// The URL of the token endpoint.
        public var tokenURL: String?
        /// The URL for refreshing tokens.
        public var refreshURL: String?
        /// The URL of the device authorization endpoint (OpenAPI 3.2).
        public var deviceAuthorizationURL: String?
        /// The scopes with their descriptions, in file order.
        public var scopes: [(name: String, description: String)]
        /// The location in the description.
        public var node: DescriptionNode
    }

    /// The kind of credentials.
    public enum Kind: Sendable {
        /// A key in a query parameter, a header, or a cookie.
        case apiKey(in: Parameter.Location, name: String)
        /// The `Authorization` header with a lowercase scheme such as `basic` or `bearer`.
        case http(scheme: String, bearerFormat: String?)
        /// A client certificate.
        case mutualTLS
        /// An OAuth 2.0 token.
        case oauth2(flows: [Flow])
        /// An OpenID Connect token.
        case openIDConnect(url: String)
    }

    /// The name that security requirements refer to.
    public var name: String
    /// The kind of credentials.
    public var kind: Kind
    /// A Boolean value that indicates whether the scheme is deprecated.
    public var isDeprecated: Bool
    /// The description of the scheme.
    public var description: String?
    /// The location in the description, after resolving `$ref`.
    public var node: DescriptionNode
}

/// The security schemes that a request must satisfy together (Security Requirement Object).
///
/// An empty requirement permits requests without credentials.
public struct SecurityRequirement: Sendable {
    /// The names of the schemes with the required scopes, in file order.
    public var schemes: [(name: String, scopes: [String])]
    /// The location in the description.
    public var node: DescriptionNode
}
