import HTTPSession

/// How a request proves who sends it, with all expressions evaluated.
enum RequestAuthentication: Sendable, Hashable {
    case basic(username: String, password: String)
    case digest(username: String, password: String)
    case bearer(String)
    case apiKey(place: APIKeyAuthentication.Place, value: String)
    case oauth2(OAuth2)
    case awsSigV4(AWSCredentials, region: String, service: String)

    /// What a token is asked for with.
    struct OAuth2: Sendable, Hashable {
        /// Where tokens are asked for, absolute.
        var tokenURL: String
        var grant: OAuth2Grant
        var clientID: String
        var clientSecret: String?
        var scopes: [String]
        var audience: String?
    }
}
