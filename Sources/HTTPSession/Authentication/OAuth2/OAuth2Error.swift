/// Why there is no access token.
public enum OAuth2Error: Error, Sendable, Hashable, CustomStringConvertible {
    /// The server has refused to give one (RFC 6749 section 5.2).
    case refused(code: String, description: String?, uri: String?, status: Int)
    /// The server's answer is neither a token nor an error of the standard.
    case invalidResponse(String, status: Int)
    /// The token is of a type that this library does not know how to send.
    case unsupportedTokenType(String)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .refused(let code, let description, let uri, let status):
            var text = "the token server refused with status \(status): \(code)"
            if let description { text += " (\(description))" }
            if let uri { text += ", see \(uri)" }
            return text
        case .invalidResponse(let reason, let status):
            return "the token server's answer with status \(status) is no token: \(reason)"
        case .unsupportedTokenType(let type):
            return "the token server gave a token of the type \(type), which is not supported; only bearer tokens are"
        }
    }
}
