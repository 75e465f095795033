/// Whether and how far redirects are followed (RFC 9110 section 15.4).
public struct RedirectPolicy: Sendable {
    /// The number of redirects that are followed; the next one is an error. Zero delivers the redirect response.
    public var maximum: Int
    /// Decides about each redirect; nil follows all.
    public var decide: (@Sendable (Redirect) async -> RedirectDecision)?

    /// Follows up to ten redirects.
    public static let follow = RedirectPolicy(maximum: 10)

    /// Delivers redirect responses as they are.
    public static let none = RedirectPolicy(maximum: 0)

    /// Follows up to `maximum` redirects.
    public static func follow(maximum: Int) -> RedirectPolicy { RedirectPolicy(maximum: max(0, maximum)) }

    /// Asks about each redirect.
    /// - Parameters:
    ///   - maximum: The number of redirects that are followed at most.
    ///   - decide: Gives the decision.
    public static func ask(
        maximum: Int = 10, _ decide: @escaping @Sendable (Redirect) async -> RedirectDecision
    ) -> RedirectPolicy {
        RedirectPolicy(maximum: max(0, maximum), decide: decide)
    }
}
