import Basics
import HTTPSession
import SuiteModel
import Synchronization

extension RequestBuilder {
    /// Renders the authentication of the request.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL for a relative URL of a token server.
    ///   - register: Registers a secret.
    func authentication(
        _ authentication: Authentication, baseURL: String?, register: (String) -> Void
    ) throws(TemplateError) -> RequestAuthentication {
        func secret(_ template: Template) throws(TemplateError) -> String {
            let text = try text(template)
            register(text)
            return text
        }
        switch authentication.method {
        case .basic(let credentials):
            return .basic(username: try text(credentials.username), password: try secret(credentials.password))
        case .digest(let credentials):
            return .digest(username: try text(credentials.username), password: try secret(credentials.password))
        case .bearer(let token):
            return .bearer(try secret(token))
        case .apiKey(let key):
            let name = try text(key.name)
            let location: APIKeyAuthentication.Location =
                switch key.location {
                case .header: .header(name)
                case .query: .query(name)
                case .cookie: .cookie(name)
                }
            return .apiKey(location: location, value: try secret(key.value))
        case .oauth2(let settings):
            return .oauth2(try render(settings, baseURL: baseURL, secret: secret))
        case .awsSigV4(let signature):
            let credentials = AWSCredentials(
                accessKey: try text(signature.accessKey), secretKey: try secret(signature.secretKey),
                sessionToken: try signature.sessionToken.map(secret))
            return .awsSigV4(credentials, region: try text(signature.region), service: try text(signature.service))
        }
    }

    private func render(
        _ settings: Authentication.OAuth2, baseURL: String?, secret: (Template) throws(TemplateError) -> String
    ) throws(TemplateError) -> RequestAuthentication.OAuth2 {
        let url = try text(settings.tokenURL)
        guard Self.isAbsolute(url) || baseURL != nil else {
            throw TemplateError(
                message: "the URL \"\(url)\" is relative, but the suite has no baseURL",
                range: settings.tokenURLRange, expression: url)
        }
        let grant: OAuth2Grant
        switch settings.grant {
        case .clientCredentials: grant = .clientCredentials
        case .password:
            grant = .password(
                username: try settings.username.map(text) ?? "", password: try settings.password.map(secret) ?? "")
        case .refreshToken: grant = .refreshToken(try settings.refreshToken.map(secret) ?? "")
        }
        var scopes: [String] = []
        for scope in settings.scopes { scopes += try text(scope).split(separator: " ").map(String.init) }
        return RequestAuthentication.OAuth2(
            tokenURL: Self.joined(url, to: baseURL ?? ""), grant: grant,
            clientID: try settings.clientID.map(text) ?? "", clientSecret: try settings.clientSecret.map(secret),
            scopes: scopes, audience: try settings.audience.map(text))
    }
}

/// The authentication of a request, with all expressions evaluated.
enum RequestAuthentication: Sendable, Hashable {
    case basic(username: String, password: String)
    case digest(username: String, password: String)
    case bearer(String)
    case apiKey(location: APIKeyAuthentication.Location, value: String)
    case oauth2(OAuth2)
    case awsSigV4(AWSCredentials, region: String, service: String)

    /// The parameters of a token request.
    struct OAuth2: Sendable, Hashable {
        /// The absolute URL of the token endpoint.
        var tokenURL: String
        var grant: OAuth2Grant
        var clientID: String
        var clientSecret: String?
        var scopes: [String]
        var audience: String?
    }
}

/// The authenticators of a run.
///
/// An authenticator with state, such as a token or a server's nonce, is created once per set of credentials and shared
/// by all requests of the run that use them.
final class Authenticators: Sendable {
    /// The interceptor that authenticates a request.
    enum Interceptor: Sendable {
        /// An adapter that only modifies the request.
        case adapter(any RequestAdapter)
        /// An interceptor that also decides whether the request is retried.
        case interceptor(any RequestInterceptor)
    }

    private let kept = Mutex<[RequestAuthentication: Interceptor]>([:])
    private let register: @Sendable (String) -> Void

    /// Creates a run's authenticators.
    ///
    /// - Parameter register: Registers tokens issued by servers as secrets that every output must mask.
    init(register: @escaping @Sendable (String) -> Void) {
        self.register = register
    }

    /// Returns the interceptor that authenticates with the given credentials.
    func interceptor(for authentication: RequestAuthentication) -> Interceptor {
        switch authentication {
        case .basic(let username, let password):
            return .adapter(BasicAuthentication(username: username, password: password))
        case .bearer(let token):
            return .adapter(BearerAuthentication(token: token))
        case .apiKey(let location, let value):
            return .adapter(APIKeyAuthentication(location, value: value))
        case .awsSigV4(let credentials, let region, let service):
            return .adapter(AWSSignatureV4(credentials: credentials, region: region, service: service))
        case .digest, .oauth2:
            break
        }
        return kept.withLock { kept in
            if let known = kept[authentication] { return known }
            let made = make(authentication)
            kept[authentication] = made
            return made
        }
    }

    private func make(_ authentication: RequestAuthentication) -> Interceptor {
        switch authentication {
        case .digest(let username, let password):
            return .interceptor(DigestAuthentication(username: username, password: password))
        case .oauth2(let settings):
            let authenticator = OAuth2Authenticator(
                tokenURL: settings.tokenURL, grant: settings.grant, clientID: settings.clientID,
                clientSecret: settings.clientSecret, scopes: settings.scopes, audience: settings.audience)
            return .interceptor(
                AuthenticationInterceptor(
                    SecretRegisteringAuthenticator(base: authenticator, register: register), refreshesPerRequest: 1))
        case .basic, .bearer, .apiKey, .awsSigV4:
            return interceptor(for: authentication)
        }
    }
}

/// The failure of a token request, with the URL of the token endpoint.
struct TokenRequestFailure: MessageError {
    let url: String
    let reason: MessageText

    var wording: MessageText { "the token request to \"\(url)\" failed: \(reason)" }
}

/// An authenticator that registers each token as a secret before a request uses it.
private struct SecretRegisteringAuthenticator: Authenticator {
    let base: OAuth2Authenticator
    let register: @Sendable (String) -> Void

    func apply(_ credential: OAuth2Token, to request: inout Request) {
        base.apply(credential, to: &request)
    }

    func obtain(with session: Session) async throws -> OAuth2Token {
        try await registered { try await base.obtain(with: session) }
    }

    func refresh(_ credential: OAuth2Token, with session: Session) async throws -> OAuth2Token {
        try await registered { try await base.refresh(credential, with: session) }
    }

    func isRequest(_ request: Request, authenticatedWith credential: OAuth2Token) -> Bool {
        base.isRequest(request, authenticatedWith: credential)
    }

    private func registered(_ request: () async throws -> OAuth2Token) async throws -> OAuth2Token {
        let token: OAuth2Token
        do {
            token = try await request()
        } catch let error as OAuth2Error {
            throw TokenRequestFailure(url: base.tokenURL, reason: error.wording)
        } catch var error as SessionError where error.reason != .cancelled {
            // The error keeps its exchange, which is the token request.
            let failure = TokenRequestFailure(url: base.tokenURL, reason: error.wording)
            error.wording = failure.wording
            error.underlying = failure
            throw error
        }
        register(token.accessToken)
        if let refreshToken = token.refreshToken { register(refreshToken) }
        return token
    }
}
