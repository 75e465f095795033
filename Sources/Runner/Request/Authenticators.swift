import HTTPSession
import Synchronization

/// What authenticates the requests of a run.
///
/// What keeps something between requests (a token, a server's nonce) is made once for equal credentials and shared by all
/// requests of the run that have them.
final class Authenticators: Sendable {
    /// The stage that authenticates a request.
    enum Interceptor: Sendable {
        /// A stage that changes the request alone.
        case adapter(any RequestAdapter)
        /// A stage that decides whether the request is sent again, too.
        case interceptor(any RequestInterceptor)
    }

    private let kept = Mutex<[RequestAuthentication: Interceptor]>([:])
    private let learn: @Sendable (String) -> Void

    /// Creates a run's authenticators.
    ///
    /// - Parameter learn: takes tokens that servers gave, which every output must mask.
    init(learn: @escaping @Sendable (String) -> Void) {
        self.learn = learn
    }

    /// What authenticates with some credentials.
    func interceptor(for authentication: RequestAuthentication) -> Interceptor {
        switch authentication {
        case .basic(let username, let password):
            return .adapter(BasicAuthentication(username: username, password: password))
        case .bearer(let token):
            return .adapter(BearerAuthentication(token: token))
        case .apiKey(let place, let value):
            return .adapter(APIKeyAuthentication(place, value: value))
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
                    LearningAuthenticator(base: authenticator, learn: learn), refreshesPerRequest: 1))
        case .basic, .bearer, .apiKey, .awsSigV4:
            return interceptor(for: authentication)
        }
    }
}

/// Fetches tokens, and tells each to whom it may concern before a request is sent with it.
private struct LearningAuthenticator: Authenticator {
    let base: OAuth2Authenticator
    let learn: @Sendable (String) -> Void

    func apply(_ credential: OAuth2Token, to request: inout Request) {
        base.apply(credential, to: &request)
    }

    func obtain(with session: Session) async throws -> OAuth2Token {
        learned(try await base.obtain(with: session))
    }

    func refresh(_ credential: OAuth2Token, with session: Session) async throws -> OAuth2Token {
        learned(try await base.refresh(credential, with: session))
    }

    func isRequest(_ request: Request, authenticatedWith credential: OAuth2Token) -> Bool {
        base.isRequest(request, authenticatedWith: credential)
    }

    private func learned(_ token: OAuth2Token) -> OAuth2Token {
        learn(token.accessToken)
        if let refreshToken = token.refreshToken { learn(refreshToken) }
        return token
    }
}
