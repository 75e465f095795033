/// What a comparison of two descriptions depends on beside them.
public struct ComparisonOptions: Sendable {
    /// The day of the comparison, which dates of `x-sunset` are held against.
    public var today: CalendarDay
    /// The days that must lie between a deprecation and its sunset; with 0, none need be named.
    public var deprecationDays: Int
    /// The least stability whose changes count: what happens to operations below it is information.
    public var leastStability: Stability

    /// Creates options.
    public init(today: CalendarDay, deprecationDays: Int = 0, leastStability: Stability = .beta) {
        self.today = today
        self.deprecationDays = deprecationDays
        self.leastStability = leastStability
    }
}
