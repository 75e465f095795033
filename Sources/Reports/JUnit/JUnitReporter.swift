public import SuiteModel
import Synchronization

/// The report in JUnit XML, in the one dialect that continuous integration systems read.
///
/// Elements are written as tests finish, and spilled to a file beside the report when they are many, so that memory does
/// not grow with the report. The report takes its place at the end, whole, by renaming.
public final class JUnitReporter: PatientReporter {
    private let document: Mutex<JUnitDocument>

    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameter path: Where the report goes; folders that do not exist are created.
    /// - Throws: ``ReportError`` when the path cannot be written.
    public convenience init(path: String) throws(ReportError) {
        try self.init(path: path, options: JUnitOptions())
    }

    /// Creates a reporter with options.
    convenience init(path: String, options: JUnitOptions) throws(ReportError) {
        try self.init(
            path: path, options: options, hostName: SystemFacts.hostName, workingFolder: SystemFacts.workingFolder)
    }

    /// Creates a reporter for a host and a working folder.
    init(
        path: String, options: JUnitOptions = JUnitOptions(), hostName: String, workingFolder: String
    ) throws(ReportError) {
        // Of a report that is split the first file is always written.
        let first = options.casesPerFile == nil ? path : JUnitOptions.path(path, number: 1)
        document = Mutex(
            JUnitDocument(
                file: try ReportFile(path: first), path: path, options: options, hostName: hostName,
                workingFolder: workingFolder))
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

    /// Puts the report together and into its place.
    public func finish() throws(ReportError) {
        try document.withLock { document throws(ReportError) in try document.finish() }
    }
}
