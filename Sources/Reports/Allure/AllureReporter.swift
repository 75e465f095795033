public import SuiteModel
import Synchronization

/// The results of a run as Allure 2 reads them: a folder with a file for each test, written as tests finish.
///
/// Results of earlier runs in the folder stay.
public final class AllureReporter: Reporter {
    private let document: Mutex<AllureDocument>

    /// Creates a reporter, and makes sure that its folder can be written to.
    ///
    /// - Parameters:
    ///   - path: The folder; it and those above it are created when they do not exist.
    ///   - environment: The process's environment, which says what runs the tests.
    /// - Throws: ``ReportError`` when the folder cannot be written to.
    public convenience init(path: String, environment: [String: String] = [:]) throws(ReportError) {
        try self.init(path: path, executor: AllureExecutor(RunOrigin(environment: environment)))
    }

    /// Creates a reporter for what runs the tests.
    init(path: String, executor: AllureExecutor?) throws(ReportError) {
        document = Mutex(AllureDocument(folder: try ReportFolder(path: path), executor: executor))
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

    /// Writes what concerns the whole run.
    public func finish() throws(ReportError) {
        try document.withLock { document throws(ReportError) in try document.finish() }
    }
}
