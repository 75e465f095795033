public import Output
public import RunModel
public import RunRecord

/// A consumer of the events of a run, such as the console report or a report file.
public protocol Reporter: AnyObject, Sendable {
    /// The requirements of the reporter beyond the data that every run provides.
    var needs: ReporterNeeds { get }

    /// The test events that the reporter reads.
    ///
    /// It receives no others.
    var testEvents: TestEvents { get }

    /// The way in which the reporter receives results: at once or in batches.
    var delivery: ReportDelivery { get }

    /// Processes an event.
    ///
    /// Events arrive in order and never concurrently. Secrets in them are already masked.
    func receive(_ event: RunEvent)

    /// Processes an event like ``receive(_:)``, with the original sizes of bodies that masking changed.
    func receive(_ event: RunEvent, sizes: BodySizes)

    /// Processes the start of a test.
    ///
    /// Equivalent to ``RunEvent/testStarted(_:)`` without the cost of an event.
    func testStarted(_ test: TestReference)

    /// Processes the result of a test that has ended.
    ///
    /// Equivalent to ``RunEvent/testCompleted(_:)`` without the cost of an event.
    ///
    /// - Parameters:
    ///   - sizes: The original sizes of bodies that masking changed.
    ///   - hidesExchanges: Whether to hide the exchanges of passed steps from this reporter.
    func testCompleted(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool)

    /// Processes the result of a test in file order.
    ///
    /// Equivalent to ``RunEvent/testFinished(_:)`` without the cost of an event.
    ///
    /// - Parameters:
    ///   - sizes: The original sizes of bodies that masking changed.
    ///   - hidesExchanges: Whether to hide the exchanges of passed steps from this reporter.
    func testFinished(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool)

    /// Processes a batch of results in file order, if ``delivery`` is ``ReportDelivery/batched``.
    ///
    /// Equivalent to a call of ``testFinished(_:sizes:hidesExchanges:)`` for each result.
    ///
    /// - Parameter hidesExchanges: Whether to hide the exchanges of passed steps from this reporter.
    func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool)

    /// Announces that ``commit()`` will be called, so that the reporter may delay writing passed tests until then.
    func expectCommits()

    /// Writes delayed data.
    ///
    /// Called before any action that had to wait for the tests that have ended.
    func commit()

    /// Writes the remaining data.
    ///
    /// Called once after the last event, even if the run was interrupted.
    ///
    /// - Throws: ``ReportError`` if the report could not be written.
    func finish() throws(ReportError)
}

extension Reporter {
    /// No requirements beyond the data that every run provides.
    public var needs: ReporterNeeds { [] }

    /// All test events.
    public var testEvents: TestEvents { [.started, .completed, .finished] }

    /// Delivery at once.
    public var delivery: ReportDelivery { .atOnce }

    /// Processes an event without the sizes, for reporters that do not show them.
    public func receive(_ event: RunEvent, sizes: BodySizes) { receive(event) }

    /// Processes the start of a test as an event.
    public func testStarted(_ test: TestReference) { receive(.testStarted(test), sizes: BodySizes()) }

    /// Processes the result as an event.
    public func testCompleted(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        receive(.testCompleted(hidesExchanges ? result.brief : result), sizes: sizes)
    }

    /// Processes the result as an event.
    public func testFinished(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        receive(.testFinished(hidesExchanges ? result.brief : result), sizes: sizes)
    }

    /// Processes each result individually.
    public func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
        for test in tests {
            testFinished(test.result, sizes: test.sizes, hidesExchanges: hidesExchanges && test.hasHidden)
        }
    }

    /// Does nothing, because most reporters do not delay writes.
    public func expectCommits() {}

    /// Does nothing, because most reporters do not delay writes.
    public func commit() {}
}

/// The way in which a reporter receives results.
public enum ReportDelivery: Sendable {
    /// Each result as soon as it is available.
    case atOnce
    /// Several results at a time, for a reporter whose output is not read before the end of the run.
    ///
    /// Processing many results at once is faster. Such a reporter receives test starts only at the end, and only those
    /// of tests that did not finish.
    case batched
}

/// The optional requirements of reporters, so that a run without them does not bear their cost.
public struct ReporterNeeds: OptionSet, Sendable {
    /// The bit mask of the requirements.
    public let rawValue: UInt8

    /// Creates a set.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The exchanges of passed steps.
    public static let exchanges = ReporterNeeds(rawValue: 1)
    /// The exchanges of passed steps when a test ends (``RunEvent/testCompleted(_:)``), not only in file order.
    public static let exchangesAtOnce = ReporterNeeds(rawValue: 4)
    /// A call of ``Reporter/commit()`` when delayed data must be written.
    public static let commits = ReporterNeeds(rawValue: 8)
    /// The guarantee that a test is in the run record before its result arrives in file order, to be shown to people.
    public static let recordAtOnce = ReporterNeeds(rawValue: 16)
    /// The outlines of exchanges that no report keeps.
    public static let outlines = ReporterNeeds(rawValue: 32)
    /// The digests of the suite files.
    public static let digests = ReporterNeeds(rawValue: 2)
}

/// The kinds of test events that a reporter reads.
///
/// Events that no reporter reads cost nothing.
public struct TestEvents: OptionSet, Sendable {
    /// The bit mask of the events.
    public let rawValue: UInt8

    /// Creates a set.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// ``RunEvent/testStarted(_:)``.
    public static let started = TestEvents(rawValue: 1)
    /// ``RunEvent/testCompleted(_:)``.
    public static let completed = TestEvents(rawValue: 2)
    /// ``RunEvent/testCompleted(_:)``, only for tests that failed or errored.
    public static let failed = TestEvents(rawValue: 8)
    /// ``RunEvent/testFinished(_:)``.
    public static let finished = TestEvents(rawValue: 4)

    /// Creates the set with the kind of an event, or returns `nil` if the event does not belong to a test.
    init?(_ event: RunEvent) {
        switch event {
        case .testStarted: self = .started
        case .testCompleted: self = .completed
        case .testFinished: self = .finished
        case .runStarted, .suiteStarted, .secretRegistered, .load, .notice, .suiteFinished, .interrupted, .runFinished:
            return nil
        }
    }
}
