public import SuiteModel
import Synchronization

/// The exchanges of a run as an HTTP Archive, version 1.2: a page for each test, an entry for each exchange.
///
/// Entries are written as tests finish, and spilled when they are many. The report takes its place at the end, whole, by
/// renaming.
public final class HARReporter: PatientReporter {
    private let document: Mutex<HARDocument>

    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameter path: Where the report goes; folders that do not exist are created.
    /// - Throws: ``ReportError`` when the path cannot be written.
    public init(path: String) throws(ReportError) {
        document = Mutex(HARDocument(file: try ReportFile(path: path)))
    }

    /// The exchanges of steps that passed too.
    public var needs: ReporterNeeds { .exchanges }

    /// Those in file order.
    public var testEvents: TestEvents { .finished }

    /// Writes what an event tells.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Writes what an event tells, with the sizes of bodies before they were masked.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        document.withLock { $0.receive(event, sizes: sizes) }
    }

    /// Writes results.
    func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
        document.withLock { document in
            for index in tests.indices {
                let isBrief = hidesExchanges && tests[index].hasHidden
                document.add(isBrief ? tests[index].result.brief : tests[index].result, sizes: tests[index].sizes)
            }
        }
    }

    /// Puts the report together and into its place.
    public func finish() throws(ReportError) {
        try document.withLock { document throws(ReportError) in try document.finish() }
    }
}
