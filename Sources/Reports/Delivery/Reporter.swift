public import Output
public import RunModel
public import RunRecord

/// A consumer of a run's events: a report on the console, in a file, or somewhere else.
public protocol Reporter: AnyObject, Sendable {
    /// What the reporter cannot do without, beside what every run tells.
    var needs: ReporterNeeds { get }

    /// The events of tests that the reporter reads; it gets no others.
    var testEvents: TestEvents { get }

    /// Whether the reporter gets results at once.
    var delivery: ReportDelivery { get }

    /// Takes an event; events come in order and never at the same time, with secrets already masked.
    func receive(_ event: RunEvent)

    /// Takes an event as ``receive(_:)`` does, with the sizes of bodies that masking changed.
    func receive(_ event: RunEvent, sizes: BodySizes)

    /// Takes a test that begins: what ``RunEvent/testStarted(_:)`` tells, without an event.
    func testStarted(_ test: TestReference)

    /// Takes the result of a test that has ended: what ``RunEvent/testCompleted(_:)`` tells, without an event.
    ///
    /// - Parameters:
    ///   - sizes: The sizes of bodies that masking changed.
    ///   - hidesExchanges: Whether the exchanges of steps that passed are not for this reporter.
    func testCompleted(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool)

    /// Takes the result of a test in file order: what ``RunEvent/testFinished(_:)`` tells, without an event.
    ///
    /// - Parameters:
    ///   - sizes: The sizes of bodies that masking changed.
    ///   - hidesExchanges: Whether the exchanges of steps that passed are not for this reporter.
    func testFinished(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool)

    /// Takes results in file order, as a reporter does whose ``delivery`` is ``ReportDelivery/batched``: what
    /// ``testFinished(_:sizes:hidesExchanges:)`` tells of each.
    ///
    /// - Parameter hidesExchanges: Whether the exchanges of steps that passed are not for this reporter.
    func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool)

    /// Says that ``commit()`` will be called, so that the reporter may hold back until then what it writes of tests that
    /// passed.
    func expectCommits()

    /// Writes what is held back; called before anything happens that tests that have ended were waited for with.
    func commit()

    /// Writes what is left; called once, after the last event, also when the run was interrupted.
    ///
    /// - Throws: ``ReportError`` when the report could not be written.
    func finish() throws(ReportError)
}

extension Reporter {
    /// Nothing beside what every run tells.
    public var needs: ReporterNeeds { [] }

    /// All of them.
    public var testEvents: TestEvents { [.started, .completed, .finished] }

    /// At once.
    public var delivery: ReportDelivery { .atOnce }

    /// Takes an event without the sizes, for reporters that show none.
    public func receive(_ event: RunEvent, sizes: BodySizes) { receive(event) }

    /// Takes the test as an event.
    public func testStarted(_ test: TestReference) { receive(.testStarted(test), sizes: BodySizes()) }

    /// Takes the result as an event.
    public func testCompleted(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        receive(.testCompleted(hidesExchanges ? result.brief : result), sizes: sizes)
    }

    /// Takes the result as an event.
    public func testFinished(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        receive(.testFinished(hidesExchanges ? result.brief : result), sizes: sizes)
    }

    /// Takes each result.
    public func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
        for test in tests {
            testFinished(test.result, sizes: test.sizes, hidesExchanges: hidesExchanges && test.hasHidden)
        }
    }

    /// Nothing: most reporters hold nothing back.
    public func expectCommits() {}

    /// Nothing: most reporters hold nothing back.
    public func commit() {}
}

/// When a reporter gets results.
public enum ReportDelivery: Sendable {
    /// As they come.
    case atOnce
    /// Several together, for a reporter that writes nothing that anybody reads before the end: one that works through many
    /// at a time is done sooner. Of the tests that start it is told at the end, and only of those that did not finish.
    case batched
}

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
