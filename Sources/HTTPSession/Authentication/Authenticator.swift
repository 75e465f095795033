public import Basics

/// A type that applies credentials to requests, and obtains and refreshes these credentials.
///
/// An ``AuthenticationInterceptor`` calls it. Requests that the authenticator sends through the session to obtain or
/// refresh a credential bypass that interceptor.
public protocol Authenticator<Credential>: Sendable {
    /// The type of the credential.
    associatedtype Credential: AuthenticationCredential

    /// Applies the credential to a request, replacing an existing one.
    ///
    /// If it sets a field other than `Authorization` or `Cookie`, it must add the name to ``Request/credentialFields``.
    /// - Parameters:
    ///   - credential: The credential.
    ///   - request: The request to change.
    func apply(_ credential: Credential, to request: inout Request) throws

    /// Returns the first credential, if the interceptor was created without one.
    /// - Parameter session: The session of the request, for requests to an authorization server.
    /// - Throws: Any error. Every request that waits for the credential fails with it.
    func obtain(with session: Session) async throws -> Credential

    /// Returns a new credential in place of one that has expired or was rejected.
    /// - Parameters:
    ///   - credential: The credential to replace.
    ///   - session: The session of the request, for requests to an authorization server.
    /// - Throws: Any error. Every request that waits for the credential fails with it.
    func refresh(_ credential: Credential, with session: Session) async throws -> Credential

    /// Returns whether a server rejected a request because of its credential.
    func didRequestFailDueToAuthentication(_ failure: FailedAttempt) -> Bool

    /// Returns whether a request was sent with this credential, and not with an earlier one.
    func isRequest(_ request: Request, authenticatedWith credential: Credential) -> Bool

    /// Returns whether the caller has already authenticated the request, which is then left unchanged.
    func isAuthenticated(_ request: Request) -> Bool
}

extension Authenticator {
    /// Throws ``AuthenticationError/missingCredential``.
    public func obtain(with session: Session) async throws -> Credential {
        throw AuthenticationError.missingCredential
    }

    /// Returns whether the status is 401 (RFC 9110, section 15.5.2).
    public func didRequestFailDueToAuthentication(_ failure: FailedAttempt) -> Bool {
        failure.response?.status == 401
    }

    /// Returns whether the request has an `Authorization` field.
    public func isAuthenticated(_ request: Request) -> Bool { request.headers.contains("Authorization") }
}

/// A credential that authenticates requests, such as a token that expires.
public protocol AuthenticationCredential: Sendable {
    /// Returns whether the credential must be refreshed before it is used again.
    /// - Parameter date: The time of the session's clock, in seconds since 1970-01-01T00:00:00Z.
    func requiresRefresh(at date: Double) -> Bool
}

extension AuthenticationCredential {
    /// Returns false: the credential is used until a server rejects it.
    public func requiresRefresh(at date: Double) -> Bool { false }
}

/// An error that prevents the authentication of a request.
public enum AuthenticationError: MessageError, Sendable, Hashable {
    /// The interceptor has no credential and cannot obtain one.
    case missingCredential
    /// The credential was refreshed more often than the interceptor's ``RefreshWindow`` allows.
    case excessiveRefresh
    /// The user name contains a colon or a control character and cannot be sent (RFC 7617, section 2).
    case invalidUserName
    /// The server requires a hash of the body, which a streamed body does not have before it is sent.
    case integrityNeedsWholeBody
    /// The file of the body cannot be read for hashing.
    case unreadableBody(path: String, reason: MessageText)

    /// A description of the error.
    public var wording: MessageText {
        switch self {
        case .missingCredential: "the authenticator has no credential"
        case .excessiveRefresh: "the credential was refreshed too often in a short time"
        case .invalidUserName: "the user name must not contain a colon or a control character"
        case .integrityNeedsWholeBody:
            "the server requires digest qop=auth-int, which does not work with a streamed body"
        case .unreadableBody(let path, let reason): "the file \"\(path)\" cannot be read: \(reason)"
        }
    }
}

/// The servers that a credential is sent to; requests to other servers are sent without it.
///
/// ```swift
/// let scope = CredentialScope.origins("https://api.example.org", "https://files.example.org")
/// let response = try await session.get("me").adapt(with: .bearer("token", scope: scope)).response()
/// ```
public struct CredentialScope: Sendable, Hashable {
    private var origins: [HTTPURL]?

    private init(origins: [HTTPURL]?) {
        self.origins = origins
    }

    /// All servers that requests are sent to, except the targets of redirects.
    public static let everywhere = CredentialScope(origins: nil)

    /// Returns a scope with the origins of the given URLs: their scheme, host and port.
    ///
    /// A string that is not an absolute `http` or `https` URL matches no server.
    public static func origins(_ urls: String...) -> CredentialScope {
        CredentialScope(
            origins: urls.compactMap { text in
                do throws(HTTPURLError) { return try HTTPURL(text) } catch { return nil }
            })
    }

    /// Returns whether the credential is sent to the server of a URL.
    public func includes(_ url: HTTPURL) -> Bool {
        guard let origins else { return true }
        return origins.contains { $0.hasSameOrigin(as: url) }
    }

    /// Returns whether the credential is sent to the server of a request.
    func includes(_ request: Request, _ context: AttemptContext) throws(SessionError) -> Bool {
        guard origins != nil else { return true }
        return try includes(context.url(of: request))
    }
}

/// A protection space: the part of a server that a credential is valid for (RFC 9110, section 11.5).
struct ProtectionSpace: Sendable {
    var origin: HTTPURL
    /// The path prefixes of the space; empty for the whole server.
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

    /// Returns the directory of a path, including its trailing slash (RFC 7617, section 2.2).
    static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(path[...slash])
    }
}
