public import Basics
import JSON

/// An authenticator that requests OAuth 2.0 access tokens (RFC 6749) and sends them as bearer tokens (RFC 6750).
///
/// ```swift
/// let client = OAuth2Authenticator(
///     tokenURL: "https://id.example.org/token", grant: .clientCredentials, clientID: "books",
///     clientSecret: "secret")
/// configuration.intercept(with: .oauth2(client))
/// ```
///
/// The token is requested once for all requests. It is renewed shortly before it expires, and once for a request that
/// was rejected with 401. If the server issues a refresh token, the authenticator uses it, and replaces it when the
/// server issues another one. If the server rejects it as `invalid_grant`, the original grant is used again. Token
/// requests are sent through the session and do not follow redirects.
public struct OAuth2Authenticator: Authenticator {
    /// The way in which a client authenticates at the token endpoint (RFC 6749, section 2.3.1).
    public enum ClientAuthentication: Sendable, Hashable {
        /// An `Authorization` field, with the client ID and secret form-encoded as the standard requires.
        case basicHeader
        /// The `client_id` and `client_secret` parameters in the body.
        case body
    }

    /// The URL of the token endpoint, which is resolved against the session's base URL if it is relative.
    public var tokenURL: String
    /// The grant that the client presents.
    public var grant: OAuth2Grant
    /// The client ID.
    public var clientID: String
    private var secret: Secret?
    /// The way in which the client authenticates; without a secret, the ID is always in the body.
    public var clientAuthentication: ClientAuthentication
    /// The scopes to request.
    public var scopes: [String]
    /// The service that the token is for; many servers require this parameter in addition to the standard ones.
    public var audience: String?
    /// The additional parameters of token requests.
    public var parameters: [(name: String, value: String)]
    /// The time before its expiration at which a token is renewed, capped at half of its lifetime.
    public var leeway: Duration

    /// The client secret.
    public var clientSecret: String? { secret?.value }

    /// Creates an authenticator.
    /// - Parameters:
    ///   - tokenURL: The URL of the token endpoint.
    ///   - grant: The grant that the client presents.
    ///   - clientID: The client ID.
    ///   - clientSecret: The client secret; nil for a public client.
    ///   - clientAuthentication: The way in which the client authenticates.
    ///   - scopes: The scopes to request.
    ///   - audience: The service that the token is for.
    ///   - parameters: The additional parameters of token requests.
    ///   - leeway: The time before its expiration at which a token is renewed.
    public init(
        tokenURL: String, grant: OAuth2Grant, clientID: String, clientSecret: String? = nil,
        clientAuthentication: ClientAuthentication = .basicHeader, scopes: [String] = [], audience: String? = nil,
        parameters: [(name: String, value: String)] = [], leeway: Duration = .seconds(30)
    ) {
        self.tokenURL = tokenURL
        self.grant = grant
        self.clientID = clientID
        secret = clientSecret.map(Secret.init)
        self.clientAuthentication = clientAuthentication
        self.scopes = scopes
        self.audience = audience
        self.parameters = parameters
        self.leeway = leeway
    }

    // MARK: Authenticator

    /// Sets the `Authorization` field.
    public func apply(_ credential: OAuth2Token, to request: inout Request) {
        request.headers.set(name: "Authorization", value: "Bearer " + credential.accessToken)
    }

    /// Returns whether the request's `Authorization` field contains this token.
    public func isRequest(_ request: Request, authenticatedWith credential: OAuth2Token) -> Bool {
        request.headers["Authorization"] == "Bearer " + credential.accessToken
    }

    /// Requests the first token.
    /// - Throws: ``OAuth2Error`` or ``SessionError``.
    public func obtain(with session: Session) async throws -> OAuth2Token {
        try await token(for: grant, keeping: nil, session)
    }

    /// Requests a new token, with the refresh token if there is one.
    /// - Throws: ``OAuth2Error`` or ``SessionError``.
    public func refresh(_ credential: OAuth2Token, with session: Session) async throws -> OAuth2Token {
        guard let refreshToken = credential.refreshToken else { return try await obtain(with: session) }
        do {
            return try await token(for: .refreshToken(refreshToken), keeping: credential, session)
        } catch OAuth2Error.refused(let code, _, _, _) where code == "invalid_grant" && canRestart(refreshToken) {
            return try await obtain(with: session)
        }
    }

    /// Returns whether the original grant can be used after a refresh token was rejected.
    private func canRestart(_ refused: String) -> Bool {
        if case .refreshToken(let first) = grant { return first != refused }
        return true
    }

    // MARK: Requests for tokens

    private func token(
        for grant: OAuth2Grant, keeping previous: OAuth2Token?, _ session: Session
    ) async throws -> OAuth2Token {
        let response = try await session.send(tokenRequest(for: grant))
        let clock = session.configuration.clock
        return try Self.token(of: response, date: clock.date(), leeway: leeway, keeping: previous)
    }

    /// Returns the request for a token (RFC 6749, sections 4.3.2, 4.4.2 and 6).
    func tokenRequest(for grant: OAuth2Grant) -> Request {
        var fields: [(name: String, value: String)] = []
        switch grant {
        case .clientCredentials:
            fields.append(("grant_type", "client_credentials"))
        case .password(let username, let password):
            fields += [("grant_type", "password"), ("username", username), ("password", password)]
        case .refreshToken(let token):
            fields += [("grant_type", "refresh_token"), ("refresh_token", token)]
        }
        if !scopes.isEmpty { fields.append(("scope", scopes.joined(separator: " "))) }
        if let audience { fields.append(("audience", audience)) }
        fields += parameters
        var request = Request(
            .post, url: tokenURL,
            headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"])
        if let clientSecret, clientAuthentication == .basicHeader {
            let pair = FormPairs.encoded(clientID) + ":" + FormPairs.encoded(clientSecret)
            request.headers.append(name: "Authorization", value: "Basic " + Base64.encode(Array(pair.utf8)))
        } else {
            fields.append(("client_id", clientID))
            if let clientSecret { fields.append(("client_secret", clientSecret)) }
        }
        request.body = .text(FormPairs.text(fields))
        request.redirects = .never
        return request
    }

    /// Returns the token of a response (RFC 6749, section 5.1), or throws the error in it (section 5.2).
    static func token(
        of response: Response, date: Double, leeway: Duration, keeping previous: OAuth2Token?
    ) throws(OAuth2Error) -> OAuth2Token {
        let status = response.status
        let body: JSONValue
        do throws(JSONParseError) {
            body = try JSONParser().parse(response.body)
        } catch {
            throw .invalidResponse("it is not JSON", status: status)
        }
        if let code = body["error"]?.stringValue {
            throw .refused(
                code: code, description: body["error_description"]?.stringValue,
                uri: body["error_uri"]?.stringValue, status: status)
        }
        guard (200..<300).contains(status) else { throw .invalidResponse("it has no \"error\"", status: status) }
        guard let token = body["access_token"]?.stringValue, !token.isEmpty else {
            throw .invalidResponse("it has no \"access_token\"", status: status)
        }
        let type = body["token_type"]?.stringValue ?? "bearer"
        guard ASCII.equalIgnoringCase(type, "bearer") else { throw .unsupportedTokenType(type) }
        let life = lifetime(body["expires_in"])
        let early = leeway.inSeconds
        return OAuth2Token(
            accessToken: token, refreshToken: body["refresh_token"]?.stringValue ?? previous?.refreshToken,
            expires: life.map { date + $0 }, leeway: min(early, (life ?? 0) / 2),
            scopes: body["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? previous?.scopes)
    }

    /// Returns the seconds of `expires_in`, which some servers send as a string.
    private static func lifetime(_ value: JSONValue?) -> Double? {
        let seconds = value?.numberValue?.double ?? value?.stringValue.flatMap { Double($0) }
        guard let seconds, seconds.isFinite, seconds >= 0 else { return nil }
        return seconds
    }
}

extension RequestInterceptor where Self == AuthenticationInterceptor<OAuth2Authenticator> {
    /// Returns an interceptor that requests access tokens and sends them as bearer tokens.
    /// - Parameters:
    ///   - authenticator: The authenticator that requests the tokens.
    ///   - token: The initial token; nil to request one for the first request.
    ///   - scope: The servers that the token is sent to.
    public static func oauth2(
        _ authenticator: OAuth2Authenticator, token: OAuth2Token? = nil, scope: CredentialScope = .everywhere
    ) -> AuthenticationInterceptor<OAuth2Authenticator> {
        AuthenticationInterceptor(authenticator, credential: token, refreshesPerRequest: 1, scope: scope)
    }
}

/// The authorization grant of a client (RFC 6749, section 1.3).
public enum OAuth2Grant: Sendable, Hashable {
    /// The client credentials (RFC 6749, section 4.4).
    case clientCredentials
    /// The user name and password of a resource owner (RFC 6749, section 4.3).
    case password(username: String, password: String)
    /// A refresh token (RFC 6749, section 6).
    case refreshToken(String)
}

extension OAuth2Grant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of grant, without passwords and tokens.
    public var description: String {
        switch self {
        case .clientCredentials: "clientCredentials"
        case .password(let username, _): "password(\(username))"
        case .refreshToken: "refreshToken"
        }
    }

    /// The kind of grant, without passwords and tokens.
    public var debugDescription: String { description }

    /// An empty mirror, which hides passwords and tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An access token with the attributes of the token response (RFC 6749, section 5.1).
public struct OAuth2Token: AuthenticationCredential, Hashable {
    private let access: Secret
    private let refresh: Secret?
    /// The expiration time in seconds since 1970-01-01T00:00:00Z; nil if it is unknown.
    public var expires: Double?
    /// The time before its expiration at which the token is refreshed, in seconds.
    public var leeway: Double
    /// The granted scopes; nil if the server did not return them because they equal the requested ones.
    public var scopes: [String]?

    /// The access token.
    public var accessToken: String { access.value }
    /// The refresh token.
    public var refreshToken: String? { refresh?.value }

    /// Creates a token.
    /// - Parameters:
    ///   - accessToken: The access token.
    ///   - refreshToken: The refresh token.
    ///   - expires: The expiration time in seconds since 1970-01-01T00:00:00Z; nil if it is unknown.
    ///   - leeway: The time before its expiration at which the token is refreshed, in seconds.
    ///   - scopes: The granted scopes.
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

    /// Returns whether the token has expired or is about to expire.
    public func requiresRefresh(at date: Double) -> Bool {
        guard let expires else { return false }
        return date >= expires - leeway
    }
}

/// An error of a token request.
public enum OAuth2Error: MessageError, Sendable, Hashable {
    /// The server refused to issue a token (RFC 6749, section 5.2).
    case refused(code: String, description: String?, uri: String?, status: Int)
    /// The response is neither a token nor a standard error.
    case invalidResponse(MessageText, status: Int)
    /// The token has a type that the library does not support.
    case unsupportedTokenType(String)

    /// A description of the error.
    public var wording: MessageText {
        switch self {
        case .refused(let code, let description, let uri, let status):
            var text: MessageText = "the token server refused the request with status \(status): \(code)"
            if let description { text += " (\(description))" }
            if let uri { text += ", see \(uri)" }
            return text
        case .invalidResponse(let reason, let status):
            return "invalid token response with status \(status): \(reason)"
        case .unsupportedTokenType(let type):
            return "unsupported token type \"\(type)\"; only bearer tokens are supported"
        }
    }
}
