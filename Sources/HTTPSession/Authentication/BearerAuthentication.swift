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
