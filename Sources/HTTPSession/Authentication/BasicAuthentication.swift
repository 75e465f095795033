import Basics
import Synchronization

/// Basic authentication with a user name and password (RFC 7617), sent preemptively or after a challenge.
///
/// Both are encoded in UTF-8. A request that has its own `Authorization` field is left unchanged. To send the
/// credentials only after a challenge, add it with ``PendingExchange/intercept(with:)``. Later requests in the
/// directory of the challenged URL then send them preemptively.
///
/// ```swift
/// let response = try await session.get("me").adapt(with: .basic(username: "ada", password: "secret")).response()
/// ```
public final class BasicAuthentication: RequestAdapter, RequestInterceptor {
    /// The time at which the credentials are sent.
    public enum Mode: Sendable, Hashable {
        /// With every request.
        case preemptive
        /// After a 401 response with a `Basic` challenge.
        case challenged
    }

    /// The user name.
    public let username: String
    private let secret: Secret
    /// The time at which the credentials are sent.
    public let mode: Mode
    /// The servers that the credentials are sent to.
    public let scope: CredentialScope
    private let spaces = Mutex<[ProtectionSpace]>([])

    /// The maximum number of protection spaces that are remembered.
    private static let maximumSpaces = 64

    /// The password.
    public var password: String { secret.value }

    /// Creates an interceptor.
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    ///   - mode: The time at which the credentials are sent.
    ///   - scope: The servers that the credentials are sent to.
    public init(
        username: String, password: String, mode: Mode = .preemptive, scope: CredentialScope = .everywhere
    ) {
        self.username = username
        secret = Secret(password)
        self.mode = mode
        self.scope = scope
    }

    /// Returns the value of the `Authorization` field.
    /// - Throws: ``AuthenticationError/invalidUserName``.
    static func field(username: String, password: String) throws(AuthenticationError) -> String {
        guard !username.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 < 32 || $0 == 127 }) else {
            throw .invalidUserName
        }
        return "Basic " + Base64.encode(Array(username.utf8) + [UInt8(ascii: ":")] + Array(password.utf8))
    }

    /// Adds the `Authorization` field.
    public func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        guard !request.headers.contains("Authorization"), try scope.includes(request, context) else {
            return request
        }
        if mode == .challenged {
            let url = try context.url(of: request)
            guard spaces.withLock({ $0.contains { $0.contains(url) } }) else { return request }
        }
        var adapted = request
        adapted.headers.append(name: "Authorization", value: try Self.field(username: username, password: password))
        return adapted
    }

    /// Retries a request that was rejected because it had no credentials.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        guard mode == .challenged, let response = failure.response, response.status == 401,
            !response.request.headers.contains("Authorization"), context.memory.note(of: self).count == 0,
            response.challenges.contains(where: { $0.isScheme("Basic") }), scope.includes(response.url)
        else { return .doNotRetry }
        do throws(SessionError) {
            guard try response.url.hasSameOrigin(as: context.url(of: failure.request)) else { return .doNotRetry }
        } catch {
            return .doNotRetry
        }
        context.memory.change(self) { $0.count += 1 }
        let space = ProtectionSpace(
            origin: response.url.withTarget("/"), prefixes: [ProtectionSpace.directory(of: response.url.path)])
        spaces.withLock { spaces in
            guard !spaces.contains(where: { $0.contains(response.url) }) else { return }
            if spaces.count >= Self.maximumSpaces { spaces.removeFirst() }
            spaces.append(space)
        }
        return .retry
    }
}

extension RequestAdapter where Self == BasicAuthentication {
    /// Returns an adapter that sends a user name and password with each request (RFC 7617).
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    ///   - scope: The servers that the credentials are sent to.
    public static func basic(
        username: String, password: String, scope: CredentialScope = .everywhere
    ) -> BasicAuthentication {
        BasicAuthentication(username: username, password: password, scope: scope)
    }
}

extension RequestInterceptor where Self == BasicAuthentication {
    /// Returns an interceptor that sends a user name and password after a challenge or with each request (RFC 7617).
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    ///   - mode: The time at which the credentials are sent.
    ///   - scope: The servers that the credentials are sent to.
    public static func basic(
        username: String, password: String, mode: BasicAuthentication.Mode = .challenged,
        scope: CredentialScope = .everywhere
    ) -> BasicAuthentication {
        BasicAuthentication(username: username, password: password, mode: mode, scope: scope)
    }
}

/// A request adapter that sends a fixed bearer token with each request (RFC 6750, section 2.1).
///
/// A request that has its own `Authorization` field is left unchanged.
///
/// ```swift
/// let response = try await session.get("me").adapt(with: .bearer("token")).response()
/// ```
public struct BearerAuthentication: RequestAdapter {
    private let secret: Secret
    /// The servers that the token is sent to.
    public var scope: CredentialScope

    /// The bearer token.
    public var token: String { secret.value }

    /// Creates an adapter for a bearer token.
    /// - Parameters:
    ///   - token: The bearer token.
    ///   - scope: The servers that the token is sent to.
    public init(token: String, scope: CredentialScope = .everywhere) {
        secret = Secret(token)
        self.scope = scope
    }

    /// Adds the `Authorization` field.
    public func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        guard !request.headers.contains("Authorization"), try scope.includes(request, context) else {
            return request
        }
        var adapted = request
        adapted.headers.append(name: "Authorization", value: "Bearer " + token)
        return adapted
    }
}

extension RequestAdapter where Self == BearerAuthentication {
    /// Returns an adapter that sends a fixed bearer token with each request (RFC 6750).
    /// - Parameters:
    ///   - token: The bearer token.
    ///   - scope: The servers that the token is sent to.
    public static func bearer(_ token: String, scope: CredentialScope = .everywhere) -> BearerAuthentication {
        BearerAuthentication(token: token, scope: scope)
    }
}
