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
