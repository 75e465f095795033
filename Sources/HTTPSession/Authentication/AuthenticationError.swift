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
