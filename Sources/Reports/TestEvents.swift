import SuiteModel

/// The events of tests, of which each reporter says which it reads, so that the others cost nothing.
public struct TestEvents: OptionSet, Sendable {
    /// A bit for each event.
    public let rawValue: UInt8

    /// Creates a set.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// ``RunEvent/testStarted(_:)``.
    public static let started = TestEvents(rawValue: 1)
    /// ``RunEvent/testCompleted(_:)``.
    public static let completed = TestEvents(rawValue: 2)
    /// ``RunEvent/testCompleted(_:)`` of tests that failed or errored alone.
    public static let failed = TestEvents(rawValue: 8)
    /// ``RunEvent/testFinished(_:)``.
    public static let finished = TestEvents(rawValue: 4)

    /// The kind of an event; nil for one that is no test's.
    init?(_ event: RunEvent) {
        switch event {
        case .testStarted: self = .started
        case .testCompleted: self = .completed
        case .testFinished: self = .finished
        case .runStarted, .suiteStarted, .secretLearned, .notice, .suiteFinished, .interrupted, .runFinished: return nil
        }
    }
}
