/// A way to prove who sends a request (Security Scheme Object).
public struct SecurityScheme: Sendable {
    /// A flow of OAuth 2.
    public struct Flow: Sendable {
        /// `implicit`, `password`, `clientCredentials`, `authorizationCode` or `deviceAuthorization`.
        public var kind: String
        /// Where the user is sent.
        public var authorizationURL: String?
        /// Where tokens are given.
        public var tokenURL: String?
        /// Where tokens are renewed.
        public var refreshURL: String?
        /// Where a device asks for the code that its user enters elsewhere (3.2).
        public var deviceAuthorizationURL: String?
        /// The scopes with what they allow, in the order of the file.
        public var scopes: [(name: String, description: String)]
        /// Where it stands.
        public var node: DescriptionNode
    }

    /// What is sent.
    public enum Kind: Sendable {
        /// A key in a query parameter, a header or a cookie.
        case apiKey(in: Parameter.Location, name: String)
        /// The header `Authorization` with a scheme such as `basic` or `bearer`, in lower case.
        case http(scheme: String, bearerFormat: String?)
        /// A client certificate.
        case mutualTLS
        /// A token of OAuth 2.
        case oauth2(flows: [Flow])
        /// A token of OpenID Connect.
        case openIDConnect(url: String)
    }

    /// The name by which requirements know it.
    public var name: String
    /// What is sent.
    public var kind: Kind
    /// Whether it should no longer be used.
    public var isDeprecated: Bool
    /// What it is.
    public var description: String?
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
}

/// Security schemes that are required together (Security Requirement Object); none means that nothing is.
public struct SecurityRequirement: Sendable {
    /// The names of the schemes, each with its scopes, in the order of the file.
    public var schemes: [(name: String, scopes: [String])]
    /// Where it stands.
    public var node: DescriptionNode
}
