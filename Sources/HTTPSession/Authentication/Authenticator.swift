/// Knows how requests are authenticated with a credential, and how the credential is refreshed.
///
/// An ``AuthenticationInterceptor`` calls it; requests that it makes through the session while it obtains or refreshes
/// a credential pass that interceptor untouched.
public protocol Authenticator<Credential>: Sendable {
    /// What requests are authenticated with.
    associatedtype Credential: AuthenticationCredential

    /// Puts the credential into a request, in place of one that is there.
    ///
    /// A field other than `Authorization` and `Cookie` must be named in ``Request/credentialFields``.
    func apply(_ credential: Credential, to request: inout Request) throws

    /// Gives the first credential, where the interceptor was given none.
    /// - Throws: Any error; every request that waits for the credential fails with it.
    func obtain(with session: Session) async throws -> Credential

    /// Gives a new credential in place of one that has expired or was refused.
    /// - Throws: Any error; every request that waits for the credential fails with it.
    func refresh(_ credential: Credential, with session: Session) async throws -> Credential

    /// Whether a server has refused a request because of its credential.
    func didRequestFailDueToAuthentication(_ failure: FailedAttempt) -> Bool

    /// Whether a request, as it was sent, carries this credential and not an earlier one.
    func isRequest(_ request: Request, authenticatedWith credential: Credential) -> Bool

    /// Whether the caller has authenticated the request otherwise; it then is left alone.
    func isAuthenticated(_ request: Request) -> Bool
}

extension Authenticator {
    /// Throws ``AuthenticationError/missingCredential``.
    public func obtain(with session: Session) async throws -> Credential {
        throw AuthenticationError.missingCredential
    }

    /// Whether the status is 401 (RFC 9110 section 15.5.2).
    public func didRequestFailDueToAuthentication(_ failure: FailedAttempt) -> Bool {
        failure.response?.status == 401
    }

    /// Whether the request has an `Authorization` field.
    public func isAuthenticated(_ request: Request) -> Bool { request.headers.contains("Authorization") }
}
