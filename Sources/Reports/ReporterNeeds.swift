/// What only some reporters need, so that a run without them does not pay for it.
public struct ReporterNeeds: OptionSet, Sendable {
    /// A bit for each need.
    public let rawValue: UInt8

    /// Creates a set.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The exchanges of steps that passed too.
    public static let exchanges = ReporterNeeds(rawValue: 1)
    /// These already when a test ends (``RunEvent/testCompleted(_:)``), and not only in file order.
    public static let exchangesAtOnce = ReporterNeeds(rawValue: 4)
    /// To be told when what it holds back must be written (``Reporter/commit()``).
    public static let commits = ReporterNeeds(rawValue: 8)
    /// That a test is in the record of the run already when it comes in file order, as the reporter shows it to people.
    public static let recordAtOnce = ReporterNeeds(rawValue: 16)
    /// The outlines of exchanges that no report keeps.
    public static let outlines = ReporterNeeds(rawValue: 32)
    /// The digests of the suites' files.
    public static let digests = ReporterNeeds(rawValue: 2)
}
