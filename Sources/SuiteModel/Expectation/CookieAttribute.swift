/// What a cookie has besides its name and value (RFC 6265, section 4.1.2), by its key in a suite.
public enum CookieAttribute: String, Sendable, CaseIterable {
    /// The path at and below which it is sent, text.
    case path
    /// The domain whose hosts get it, text.
    case domain
    /// Whether it is sent over https only.
    case secure
    /// Whether scripts do not see it.
    case httpOnly
    /// `Strict`, `Lax` or `None`.
    case sameSite
    /// For how many seconds it is kept, a number.
    case maxAge
    /// Until when it is kept, a date of HTTP.
    case expires
}
