/// What a comparison of two descriptions depends on beside them.
public struct ComparisonOptions: Sendable {
    /// The day of the comparison, which dates of `x-sunset` are held against.
    public var today: CalendarDay
    /// The days that must lie between a deprecation and its sunset; with 0, none need be named.
    public var deprecationDays: Int

    /// Creates options.
    public init(today: CalendarDay, deprecationDays: Int = 0) {
        self.today = today
        self.deprecationDays = deprecationDays
    }
}
