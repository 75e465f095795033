/// The policy for following redirects (RFC 9110, section 15.4).
///
/// A request uses the parts of a policy that it sets, and the session's values for the others:
/// `request.redirects.maximum = 3` keeps the session's decisions.
///
/// ```swift
/// configuration.redirects = .ask { redirect in redirect.request.url.isSecure ? .follow : .stop }
/// ```
public struct RedirectPolicy: Sendable {
    /// The set of parts that have been assigned.
    struct Fields: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let maximum = Fields(rawValue: 1)
        static let decide = Fields(rawValue: 2)
    }

    /// The maximum number of redirects; exceeding it is an error. Zero returns the redirect response.
    public var maximum: Int { didSet { fields.insert(.maximum) } }
    /// A closure that is called for each redirect and decides what to do; nil follows all redirects.
    public var decide: (@Sendable (Redirect) async -> RedirectDecision)? { didSet { fields.insert(.decide) } }
    private(set) var fields: Fields

    private init(
        maximum: Int, decide: (@Sendable (Redirect) async -> RedirectDecision)? = nil,
        fields: Fields = [.maximum, .decide]
    ) {
        self.maximum = maximum
        self.decide = decide
        self.fields = fields
    }

    /// Inherits the session's policy. Without one, up to ten redirects are followed.
    public static let inherited = RedirectPolicy(maximum: 10, fields: [])

    /// Follows up to ten redirects.
    public static let follow = RedirectPolicy(maximum: 10)

    /// Returns redirect responses to the caller without following them.
    public static let never = RedirectPolicy(maximum: 0)

    /// Returns a policy that follows up to `maximum` redirects.
    public static func follow(maximum: Int) -> RedirectPolicy { RedirectPolicy(maximum: max(0, maximum)) }

    /// Returns a policy that calls a closure for each redirect.
    /// - Parameters:
    ///   - maximum: The maximum number of redirects.
    ///   - decide: A closure that returns the decision.
    public static func ask(
        maximum: Int = 10, _ decide: @escaping @Sendable (Redirect) async -> RedirectDecision
    ) -> RedirectPolicy {
        RedirectPolicy(maximum: max(0, maximum), decide: decide)
    }

    /// Returns this policy, with unset parts inherited from `base`.
    public func inheriting(from base: RedirectPolicy) -> RedirectPolicy {
        var merged = base
        if fields.contains(.maximum) { merged.maximum = maximum }
        if fields.contains(.decide) { merged.decide = decide }
        return merged
    }
}

/// A redirect that is about to be followed.
public struct Redirect: Sendable {
    /// The redirect response.
    public var response: Response
    /// The request that would be sent, with the method and body that the status requires.
    ///
    /// For another origin, it has no credentials.
    public var request: SentRequest
    /// The number of this redirect, starting with 1.
    public var number: Int
}

/// The decision of a redirect policy's closure.
public enum RedirectDecision: Sendable {
    /// Follow the redirect.
    case follow
    /// Return the redirect response to the caller.
    case stop
    /// Send the given request instead, including any credentials that it has.
    case modify(SentRequest)
}
