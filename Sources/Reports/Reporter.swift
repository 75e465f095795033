public import SuiteModel

/// A consumer of a run's events: a report on the console, in a file, or somewhere else.
public protocol Reporter: AnyObject, Sendable {
    /// What the reporter cannot do without, beside what every run tells.
    var needs: ReporterNeeds { get }

    /// The events of tests that the reporter reads; it gets no others.
    var testEvents: TestEvents { get }

    /// Takes an event; events come in order and never at the same time, with secrets already masked.
    func receive(_ event: RunEvent)

    /// Takes an event as ``receive(_:)`` does, with the sizes of bodies that masking changed.
    func receive(_ event: RunEvent, sizes: BodySizes)

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

    /// Takes an event without the sizes, for reporters that show none.
    public func receive(_ event: RunEvent, sizes: BodySizes) { receive(event) }
}
