import Output
import RunModel
import RunRecord
import Synchronization

/// A report in the making, which events fill and which is put into its place at the end.
protocol ReportDocument: ~Copyable {
    /// The events of tests that the report reads.
    var testEvents: TestEvents { get }
    /// What the report cannot do without, beside what every run tells.
    var needs: ReporterNeeds { get }
    /// Whether the report gets results at once.
    var delivery: ReportDelivery { get }

    /// Takes an event, with the sizes of bodies before they were masked.
    mutating func receive(_ event: RunEvent, sizes: BodySizes)

    /// Takes a test that begins.
    mutating func start(_ test: TestReference)

    /// Takes a result.
    ///
    /// - Parameter hidesExchanges: Whether the exchanges of steps that passed are not for this report.
    mutating func add(_ test: FinishedTest, hidesExchanges: Bool)

    /// Puts the report together and into its place.
    mutating func finish() throws(ReportError)
}

extension ReportDocument where Self: ~Copyable {
    /// Those in file order.
    var testEvents: TestEvents { .finished }

    /// Nothing beside what every run tells.
    var needs: ReporterNeeds { [] }

    /// Several together, as nobody reads the report before the end.
    var delivery: ReportDelivery { .batched }

    /// Takes the test as an event.
    mutating func start(_ test: TestReference) { receive(.testStarted(test), sizes: BodySizes()) }
}

/// The reporter of a document: each format of reports is one.
final class DocumentReporter<Document: ReportDocument & ~Copyable>: Reporter {
    let needs: ReporterNeeds
    let testEvents: TestEvents
    let delivery: ReportDelivery
    private let document: Mutex<Document>

    /// Creates a reporter.
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
