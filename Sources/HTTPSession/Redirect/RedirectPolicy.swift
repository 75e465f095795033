/// Whether and how far redirects are followed (RFC 9110 section 15.4).
///
/// A request has what it sets of a policy, and the session's for the rest: `request.redirects.maximum = 3` keeps the
/// session's decisions.
public struct RedirectPolicy: Sendable {
    /// The parts that were set.
    struct Fields: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let maximum = Fields(rawValue: 1)
        static let decide = Fields(rawValue: 2)
    }

    /// The number of redirects that are followed; the next one is an error. Zero delivers the redirect response.
    public var maximum: Int { didSet { fields.insert(.maximum) } }
    /// Decides about each redirect; nil follows all.
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

    /// The policy of the session, which without one of its own follows up to ten redirects.
    public static let inherited = RedirectPolicy(maximum: 10, fields: [])

    /// Follows up to ten redirects.
    public static let follow = RedirectPolicy(maximum: 10)

    /// Delivers redirect responses as they are.
    public static let never = RedirectPolicy(maximum: 0)

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

    /// Returns this policy with the parts of `base` in place of the ones that are not set.
    public func inheriting(from base: RedirectPolicy) -> RedirectPolicy {
        var merged = base
        if fields.contains(.maximum) { merged.maximum = maximum }
        if fields.contains(.decide) { merged.decide = decide }
        return merged
    }
}

/// A redirect that may be followed.
public struct Redirect: Sendable {
    /// The redirect response.
    public var response: Response
    /// What would be sent: method and body as the status asks, without credentials if the origin is another.
    public var request: SentRequest
    /// How many redirects this makes, from 1.
    public var number: Int
}

/// What is to be done about a redirect.
public enum RedirectDecision: Sendable {
    /// Follow it.
    case follow
    /// Give the redirect response to the caller.
    case stop
    /// Send this request instead; credentials in it are sent as they are.
    case modify(SentRequest)
}
