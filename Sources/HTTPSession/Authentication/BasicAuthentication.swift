import Basics
import Synchronization

/// Sends a user name and a password (RFC 7617), at once or when the server asks for them.
///
/// Both are encoded in UTF-8. A request that has an `Authorization` field of its own keeps it. To send them only on demand,
/// give it with ``PendingExchange/intercept(with:)``; the directory of a URL that asked then gets them at once.
public final class BasicAuthentication: RequestAdapter, RequestInterceptor {
    /// When user name and password are sent.
    public enum Mode: Sendable, Hashable {
        /// With each request.
        case preemptive
        /// After a server has answered 401 with a `Basic` challenge.
        case challenged
    }

    /// The user name.
    public let username: String
    private let secret: Secret
    /// When they are sent.
    public let mode: Mode
    /// The servers that they are for.
    public let scope: CredentialScope
    private let spaces = Mutex<[ProtectionSpace]>([])

    /// The most protection spaces that are remembered.
    private static let maximumSpaces = 64

    /// The password.
    public var password: String { secret.value }

    /// Creates an interceptor.
    public init(
        username: String, password: String, mode: Mode = .preemptive, scope: CredentialScope = .everywhere
    ) {
        self.username = username
        secret = Secret(password)
        self.mode = mode
        self.scope = scope
    }

    /// The value of the `Authorization` field.
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

    /// Sends a request again that was refused without user name and password.
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
            origin: response.url.withTarget("/"), prefixes: [ProtectionSpace.folder(of: response.url.path)])
        spaces.withLock { spaces in
            guard !spaces.contains(where: { $0.contains(response.url) }) else { return }
            if spaces.count >= Self.maximumSpaces { spaces.removeFirst() }
            spaces.append(space)
        }
        return .retry
    }
}

extension RequestAdapter where Self == BasicAuthentication {
    /// Sends a user name and a password with each request (RFC 7617).
    public static func basic(
        username: String, password: String, scope: CredentialScope = .everywhere
    ) -> BasicAuthentication {
        BasicAuthentication(username: username, password: password, scope: scope)
    }
}

extension RequestInterceptor where Self == BasicAuthentication {
    /// Sends a user name and a password when a server asks for them, or with each request (RFC 7617).
    public static func basic(
        username: String, password: String, mode: BasicAuthentication.Mode = .challenged,
        scope: CredentialScope = .everywhere
    ) -> BasicAuthentication {
        BasicAuthentication(username: username, password: password, mode: mode, scope: scope)
    }
}

/// Sends a token that does not change with each request (RFC 6750 section 2.1).
///
/// A request that has an `Authorization` field of its own keeps it.
public struct BearerAuthentication: RequestAdapter {
    private let secret: Secret
    /// The servers that the token is for.
    public var scope: CredentialScope

    /// The token.
    public var token: String { secret.value }

    /// Creates an adapter of a token.
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
    /// Sends a token that does not change with each request (RFC 6750).
    public static func bearer(_ token: String, scope: CredentialScope = .everywhere) -> BearerAuthentication {
        BearerAuthentication(token: token, scope: scope)
    }
}
