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

/// What a request is authenticated with, such as a token that expires.
public protocol AuthenticationCredential: Sendable {
    /// Whether the credential is to be refreshed before it is used again.
    /// - Parameter date: The time by the session's clock, in seconds since 1970-01-01T00:00:00Z.
    func requiresRefresh(at date: Double) -> Bool
}

extension AuthenticationCredential {
    /// Never: the credential is used until a server refuses it.
    public func requiresRefresh(at date: Double) -> Bool { false }
}

/// Why a request could not be authenticated.
public enum AuthenticationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no credential, and none can be obtained.
    case missingCredential
    /// The credential was refreshed more often than the interceptor's ``RefreshWindow`` allows.
    case excessiveRefresh
    /// A user name cannot be sent: it has a colon or a control character (RFC 7617 section 2).
    case invalidUserName
    /// The server asks for the body's hash before it is sent, which a streamed body does not have.
    case integrityNeedsWholeBody
    /// The body's file cannot be read to be hashed.
    case unreadableBody(path: String, reason: String)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .missingCredential: "there is no credential to authenticate with"
        case .excessiveRefresh: "the credential was refreshed too often in a short time"
        case .invalidUserName: "the user name has a colon or a control character"
        case .integrityNeedsWholeBody: "the server asks for digest qop=auth-int, which a streamed body cannot give"
        case .unreadableBody(let path, let reason): "the file \(path) cannot be read: \(reason)"
        }
    }
}

/// Which servers a credential is for; requests to others are sent without it.
public struct CredentialScope: Sendable, Hashable {
    private var origins: [HTTPURL]?

    private init(origins: [HTTPURL]?) {
        self.origins = origins
    }

    /// Every server that a request is sent to; not those that a redirect leads to.
    public static let everywhere = CredentialScope(origins: nil)

    /// The servers of some URLs: scheme, host and port count, the rest does not.
    ///
    /// A text that is no absolute `http` or `https` URL stands for no server.
    public static func origins(_ urls: String...) -> CredentialScope {
        CredentialScope(
            origins: urls.compactMap { text in
                do throws(HTTPURLError) { return try HTTPURL(text) } catch { return nil }
            })
    }

    /// Whether the credential is for the server of a URL.
    public func includes(_ url: HTTPURL) -> Bool {
        guard let origins else { return true }
        return origins.contains { $0.hasSameOrigin(as: url) }
    }

    /// Whether the credential is for the server that a request is for.
    func includes(_ request: Request, _ context: AttemptContext) throws(SessionError) -> Bool {
        guard origins != nil else { return true }
        return try includes(context.url(of: request))
    }
}

/// A part of a server that one credential is for (RFC 9110 section 11.5).
struct ProtectionSpace: Sendable {
    var origin: HTTPURL
    /// What the paths begin with; none for the whole server.
    var prefixes: [String]

    func contains(_ url: HTTPURL) -> Bool {
        guard url.hasSameOrigin(as: origin) else { return false }
        guard !prefixes.isEmpty else { return true }
        let path = url.path
        return prefixes.contains { Self.covers($0, path) }
    }

    private static func covers(_ prefix: String, _ path: String) -> Bool {
        guard path.utf8.starts(with: prefix.utf8) else { return false }
        return prefix.utf8.last == UInt8(ascii: "/") || path.utf8.count == prefix.utf8.count
            || path.utf8.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
    }

    /// The folder that a path is in (RFC 7617 section 2.2).
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(path[...slash])
    }
}
