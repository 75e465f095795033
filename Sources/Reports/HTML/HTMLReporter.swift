public import SuiteModel
import Synchronization

/// The report as one page that needs no network: an overview, all tests, and everything that is known of failures.
///
/// Tests are written as they finish, and spilled to a file beside the report when they are many. The report takes its
/// place at the end, whole, by renaming.
public final class HTMLReporter: PatientReporter {
    /// The last verdicts of each test that the page shows.
    static let stripLength = 20

    /// The outlines of exchanges and, when they are asked for, the exchanges of steps that passed.
    public let needs: ReporterNeeds
    private let document: Mutex<HTMLDocument>
    private let trends: @Sendable () -> HTMLTrends?

    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameters:
    ///   - path: Where the report goes; folders that do not exist are created.
    ///   - keepsExchanges: Whether the exchanges of steps that passed are shown too.
    ///   - trends: Says at the end what earlier runs tell about this one; nil when nothing is known of any.
    /// - Throws: ``ReportError`` when the path cannot be written.
    public convenience init(
        path: String, keepsExchanges: Bool = false, trends: @escaping @Sendable () -> HTMLTrends? = { nil }
    ) throws(ReportError) {
        try self.init(
            path: path, keepsExchanges: keepsExchanges, hostName: SystemFacts.hostName,
            workingFolder: SystemFacts.workingFolder, trends: trends)
    }

    /// Creates a reporter for a host and a working folder.
    init(
        path: String, keepsExchanges: Bool = false, hostName: String, workingFolder: String,
        trends: @escaping @Sendable () -> HTMLTrends? = { nil }
    ) throws(ReportError) {
        self.trends = trends
        needs = keepsExchanges ? [.outlines, .exchanges] : .outlines
        document = Mutex(
            HTMLDocument(file: try ReportFile(path: path), hostName: hostName, workingFolder: workingFolder))
    }

    /// The starts, as tests that did not finish are told too, and the ends in file order.
    public var testEvents: TestEvents { [.started, .finished] }

    /// Writes what an event tells.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Writes what an event tells, with the sizes of bodies before they were masked.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        document.withLock { $0.receive(event, sizes: sizes) }
    }

    /// Notes a test that begins.
    public func testStarted(_ test: TestReference) {
        document.withLock { $0.start(test) }
    }

    /// Writes results.
    func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
        document.withLock { document in
            for index in tests.indices {
                document.finish(
                    tests[index].result, sizes: tests[index].sizes,
                    hidesExchanges: hidesExchanges && tests[index].hasHidden)
            }
        }
    }

    /// Puts the page together and into its place.
    public func finish() throws(ReportError) {
        let trends = trends()
        try document.withLock { document throws(ReportError) in try document.finish(trends: trends) }
    }
}
