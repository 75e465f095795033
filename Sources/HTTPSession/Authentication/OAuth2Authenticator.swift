import Basics
import JSON

/// Gets access tokens from a token server (RFC 6749) and sends them as bearer tokens (RFC 6750).
///
/// ```swift
/// let client = OAuth2Authenticator(
///     tokenURL: "https://id.example.org/token", grant: .clientCredentials, clientID: "books",
///     clientSecret: "secret")
/// configuration.intercept(with: .oauth2(client))
/// ```
///
/// The token is fetched once for all requests, renewed shortly before it expires, and renewed once for a request that
/// was refused with 401. Where the server gives a refresh token, it is used, and replaced when the server gives another
/// one; if the server refuses it as `invalid_grant`, the first grant is used again. Requests for tokens go through the
/// session, and follow no redirects.
public struct OAuth2Authenticator: Authenticator {
    /// How a client says who it is (RFC 6749 section 2.3.1).
    public enum ClientAuthentication: Sendable, Hashable {
        /// With an `Authorization` field; identifier and secret are form-encoded in it as the standard demands.
        case basicHeader
        /// With `client_id` and `client_secret` in the body.
        case body
    }

    /// The token server's URL, absolute or to be resolved against the session's base URL.
    public var tokenURL: String
    /// What the client shows.
    public var grant: OAuth2Grant
    /// The client's identifier.
    public var clientID: String
    private var secret: Secret?
    /// How the client says who it is; without a secret always in the body.
    public var clientAuthentication: ClientAuthentication
    /// What the token is to allow.
    public var scopes: [String]
    /// The service that the token is for, which many servers want beyond the standard.
    public var audience: String?
    /// Further parameters of requests for tokens.
    public var parameters: [(name: String, value: String)]
    /// How long before it expires a token is renewed, at most half of its life.
    public var leeway: Duration

    /// The client's secret.
    public var clientSecret: String? { secret?.value }

    /// Creates an authenticator.
    /// - Parameters:
    ///   - tokenURL: The token server's URL.
    ///   - grant: What the client shows.
    ///   - clientID: The client's identifier.
    ///   - clientSecret: The client's secret; nil for a public client.
    ///   - clientAuthentication: How the client says who it is.
    ///   - scopes: What the token is to allow.
    ///   - audience: The service that the token is for.
    ///   - parameters: Further parameters of requests for tokens.
    ///   - leeway: How long before it expires a token is renewed.
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

    /// Whether the request's `Authorization` field has this token.
    public func isRequest(_ request: Request, authenticatedWith credential: OAuth2Token) -> Bool {
        request.headers["Authorization"] == "Bearer " + credential.accessToken
    }

    /// Gets the first token.
    /// - Throws: ``OAuth2Error`` or ``SessionError``.
    public func obtain(with session: Session) async throws -> OAuth2Token {
        try await token(for: grant, keeping: nil, session)
    }

    /// Gets a new token, for the refresh token if there is one.
    /// - Throws: ``OAuth2Error`` or ``SessionError``.
    public func refresh(_ credential: OAuth2Token, with session: Session) async throws -> OAuth2Token {
        guard let refreshToken = credential.refreshToken else { return try await obtain(with: session) }
        do {
            return try await token(for: .refreshToken(refreshToken), keeping: credential, session)
        } catch OAuth2Error.refused(let code, _, _, _) where code == "invalid_grant" && canBeginAnew(refreshToken) {
            return try await obtain(with: session)
        }
    }

    /// Whether the first grant may give a token after a refresh token has been refused.
    private func canBeginAnew(_ refused: String) -> Bool {
        if case .refreshToken(let first) = grant { return first != refused }
        return true
    }

    // MARK: Requests for tokens

    private func token(
        for grant: OAuth2Grant, keeping earlier: OAuth2Token?, _ session: Session
    ) async throws -> OAuth2Token {
        let response = try await session.send(tokenRequest(for: grant))
        let clock = session.configuration.clock
        return try Self.token(of: response, date: clock.date(), leeway: leeway, keeping: earlier)
    }

    /// The request for a token (RFC 6749 sections 4.3.2, 4.4.2 and 6).
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

    /// The token of a response (RFC 6749 section 5.1), or the error that it has (section 5.2).
    static func token(
        of response: Response, date: Double, leeway: Duration, keeping earlier: OAuth2Token?
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
            accessToken: token, refreshToken: body["refresh_token"]?.stringValue ?? earlier?.refreshToken,
            expires: life.map { date + $0 }, leeway: min(early, (life ?? 0) / 2),
            scopes: body["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? earlier?.scopes)
    }

    /// The seconds of `expires_in`, which some servers write as a text.
    private static func lifetime(_ value: JSONValue?) -> Double? {
        let seconds = value?.numberValue?.double ?? value?.stringValue.flatMap { Double($0) }
        guard let seconds, seconds.isFinite, seconds >= 0 else { return nil }
        return seconds
    }
}

extension RequestInterceptor where Self == AuthenticationInterceptor<OAuth2Authenticator> {
    /// Gets access tokens from a token server, and sends them as bearer tokens.
    /// - Parameters:
    ///   - authenticator: How tokens are had.
    ///   - token: A token to begin with.
    ///   - scope: The servers that the token is for.
    public static func oauth2(
        _ authenticator: OAuth2Authenticator, token: OAuth2Token? = nil, scope: CredentialScope = .everywhere
    ) -> AuthenticationInterceptor<OAuth2Authenticator> {
        AuthenticationInterceptor(authenticator, credential: token, refreshesPerRequest: 1, scope: scope)
    }
}

/// What a client shows to get an access token (RFC 6749 section 1.3).
public enum OAuth2Grant: Sendable, Hashable {
    /// The client's own credentials (section 4.4).
    case clientCredentials
    /// A user's name and password (section 4.3).
    case password(username: String, password: String)
    /// A refresh token (section 6).
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

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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

/// Why there is no access token.
public enum OAuth2Error: Error, Sendable, Hashable, CustomStringConvertible {
    /// The server has refused to give one (RFC 6749 section 5.2).
    case refused(code: String, description: String?, uri: String?, status: Int)
    /// The server's answer is neither a token nor an error of the standard.
    case invalidResponse(String, status: Int)
    /// The token is of a type that this library does not know how to send.
    case unsupportedTokenType(String)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .refused(let code, let description, let uri, let status):
            var text = "the token server refused with status \(status): \(code)"
            if let description { text += " (\(description))" }
            if let uri { text += ", see \(uri)" }
            return text
        case .invalidResponse(let reason, let status):
            return "the token server's answer with status \(status) is no token: \(reason)"
        case .unsupportedTokenType(let type):
            return "the token server gave a token of the type \(type), which is not supported; only bearer tokens are"
        }
    }
}
