public import SuiteModel
import Synchronization

/// The report in the Test Anything Protocol, version 14: one test point for each test, flat.
///
/// What is no regular file, such as a pipe, is written to as tests finish; a file appears at the end, whole, by renaming.
public final class TAPReporter: Reporter {
    private let document: Mutex<TAPDocument>

    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameter path: Where the report goes; folders that do not exist are created.
    /// - Throws: ``ReportError`` when the path cannot be written.
    public init(path: String) throws(ReportError) {
        document = Mutex(TAPDocument(file: try ReportFile(path: path)))
    }

    /// Writes what an event tells.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Writes what an event tells, with the sizes of bodies before they were masked.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        document.withLock { $0.receive(event, sizes: sizes) }
    }

    /// Writes the plan, and puts a file into its place.
    public func finish() throws(ReportError) {
        try document.withLock { document throws(ReportError) in try document.finish() }
    }
}
