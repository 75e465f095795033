import Output
import RunModel
import RunRecord
import Synchronization

/// A report that is filled from events and written to its path at the end of the run.
protocol ReportDocument: ~Copyable {
    /// The test events that the report reads.
    var testEvents: TestEvents { get }
    /// The requirements of the report beyond the data that every run provides.
    var needs: ReporterNeeds { get }
    /// The way in which the report receives results: at once or in batches.
    var delivery: ReportDelivery { get }

    /// Processes an event, with the original sizes of bodies that masking changed.
    mutating func receive(_ event: RunEvent, sizes: BodySizes)

    /// Processes the start of a test.
    mutating func start(_ test: TestReference)

    /// Processes a result.
    ///
    /// - Parameter hidesExchanges: Whether to hide the exchanges of passed steps from this report.
    mutating func add(_ test: FinishedTest, hidesExchanges: Bool)

    /// Assembles the report and writes it to its path.
    mutating func finish() throws(ReportError)
}

extension ReportDocument where Self: ~Copyable {
    /// The results in file order.
    var testEvents: TestEvents { .finished }

    /// No requirements beyond the data that every run provides.
    var needs: ReporterNeeds { [] }

    /// In batches, because nobody reads the report before the end of the run.
    var delivery: ReportDelivery { .batched }

    /// Processes the start of a test as an event.
    mutating func start(_ test: TestReference) { receive(.testStarted(test), sizes: BodySizes()) }
}

/// A reporter that fills a document.
///
/// Each report format is a specialization of it.
final class DocumentReporter<Document: ReportDocument & ~Copyable>: Reporter {
    let needs: ReporterNeeds
    let testEvents: TestEvents
    let delivery: ReportDelivery
    private let document: Mutex<Document>

    /// Creates a reporter of a document.
    init(_ document: consuming sending Document) {
        needs = document.needs
        testEvents = document.testEvents
        delivery = document.delivery
        self.document = Mutex(document)
    }

    func receive(_ event: RunEvent) { receive(event, sizes: BodySizes()) }

    func receive(_ event: RunEvent, sizes: BodySizes) {
        document.withLock { $0.receive(event, sizes: sizes) }
    }

    func testStarted(_ test: TestReference) {
        document.withLock { $0.start(test) }
    }

    func testCompleted(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        testFinished(result, sizes: sizes, hidesExchanges: hidesExchanges)
    }

    func testFinished(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        let test = FinishedTest(result: result, sizes: sizes, hasHidden: hidesExchanges)
        document.withLock { $0.add(test, hidesExchanges: hidesExchanges) }
    }

    func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
        document.withLock { document in
            for index in tests.indices { document.add(tests[index], hidesExchanges: hidesExchanges) }
        }
    }

    func finish() throws(ReportError) {
        try document.withLock { document throws(ReportError) in try document.finish() }
    }
}
