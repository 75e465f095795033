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
