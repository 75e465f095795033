/// Whether and how far redirects are followed (RFC 9110 section 15.4).
public struct RedirectPolicy: Sendable, Hashable {
    /// The number of redirects that are followed; the next one is an error. Zero delivers the redirect response.
    public var maximum: Int

    /// Follows up to ten redirects.
    public static let follow = RedirectPolicy(maximum: 10)

    /// Delivers redirect responses as they are.
    public static let none = RedirectPolicy(maximum: 0)

    /// Follows up to `maximum` redirects.
    public static func follow(maximum: Int) -> RedirectPolicy { RedirectPolicy(maximum: max(0, maximum)) }
}
