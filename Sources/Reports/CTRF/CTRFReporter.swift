public import SuiteModel
import Synchronization

/// The report in the Common Test Report Format: one JSON document with a test for each test.
///
/// Tests are written as they finish, and spilled when they are many. The report takes its place at the end, whole, by
/// renaming.
public final class CTRFReporter: PatientReporter {
    private let document: Mutex<CTRFDocument>

    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameter path: Where the report goes; folders that do not exist are created.
    /// - Throws: ``ReportError`` when the path cannot be written.
    public init(path: String) throws(ReportError) {
        document = Mutex(CTRFDocument(file: try ReportFile(path: path)))
    }

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
                document.add(
                    tests[index].resultForAccount(hidesExchanges: hidesExchanges), sizes: tests[index].sizes)
            }
        }
    }

    /// Puts the report together and into its place.
    public func finish() throws(ReportError) {
        try document.withLock { document throws(ReportError) in try document.finish() }
    }
}
