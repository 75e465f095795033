/// An access token and what the server has said of it (RFC 6749 section 5.1).
public struct OAuth2Token: AuthenticationCredential, Hashable {
    private let access: Secret
    private let refresh: Secret?
    /// When the token expires, in seconds since 1970-01-01T00:00:00Z; nil if that is not known.
    public var expires: Double?
    /// How long before that it is refreshed, in seconds.
    public var leeway: Double
    /// What the token allows; nil if the server did not say, and it is what was asked for.
    public var scopes: [String]?

    /// The access token.
    public var accessToken: String { access.value }
    /// The token that a new access token can be had for.
    public var refreshToken: String? { refresh?.value }

    /// Creates a token.
    public init(
        accessToken: String, refreshToken: String? = nil, expires: Double? = nil, leeway: Double = 0,
        scopes: [String]? = nil
    ) {
        access = Secret(accessToken)
        refresh = refreshToken.map(Secret.init)
        self.expires = expires
        self.leeway = leeway
        self.scopes = scopes
    }

    /// Whether the token has expired or is about to.
    public func requiresRefresh(at date: Double) -> Bool {
        guard let expires else { return false }
        return date >= expires - leeway
    }
}
