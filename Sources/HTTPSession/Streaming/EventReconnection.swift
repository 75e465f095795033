/// Whether and when a lost stream of events is connected to again.
public struct EventReconnection: Sendable, Hashable {
    /// How many times in all; nil for any number.
    public var maximum: Int?
    /// The time before the first reconnection, until the server asks for another.
    public var delay: Duration
    /// The most that the delay grows to; it doubles with each reconnection that fails.
    public var maximumDelay: Duration
    /// Whether the regular end of a stream is followed by a reconnection, as browsers do.
    public var followsEnd: Bool

    /// Creates a rule; without arguments any number of reconnections, the first after 3 seconds.
    public init(
        maximum: Int? = nil, delay: Duration = .seconds(3), maximumDelay: Duration = .seconds(60),
        followsEnd: Bool = true
    ) {
        self.maximum = maximum
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.followsEnd = followsEnd
    }

    /// Any number of reconnections, the first after 3 seconds.
    public static let standard = EventReconnection()

    /// No reconnection: the events end with the response.
    public static let never = EventReconnection(maximum: 0)

    /// The time before a reconnection.
    /// - Parameters:
    ///   - asked: What the server has asked for.
    ///   - failures: How many reconnections have failed since the last one that succeeded.
    func delay(asked: Duration?, failures: Int) -> Duration {
        let base = max(.zero, asked ?? delay)
        // What a server asks for is waited for, even if it is longer than the delay may grow.
        let most = max(base, maximumDelay)
        guard failures > 0, base > .zero else { return base }
        let factor = 1 << min(failures, 20)
        return base > most / factor ? most : base * factor
    }
}
