public import SuiteModel
import Synchronization

/// The report in the Test Anything Protocol, version 14 or 13: one test point for each test, flat.
///
/// A stream, such as a pipe, gets each test when it ends; a file is in the order of the files and appears at the end, whole.
public final class TAPReporter: PatientReporter {
    /// Those in file order; for a stream as they happen, where a start is an occasion to write what waits.
    public let testEvents: TestEvents
    private let document: Mutex<TAPDocument>

    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameters:
    ///   - path: Where the report goes; folders that do not exist are created.
    ///   - version: The version of the protocol that the report names, 13 or 14; it is a valid report in both.
    /// - Throws: ``ReportError`` when the path cannot be written.
    public init(path: String, version: Int = 14) throws(ReportError) {
        let file = try ReportFile(path: path)
        testEvents = file.isStream ? [.started, .completed] : .finished
        document = Mutex(TAPDocument(file: file, version: version))
    }

    /// Creates the reporter that was asked for.
    ///
    /// - Throws: ``ReportError`` when the version is not known or the path cannot be written.
    convenience init(_ request: ReportRequest, path: String) throws(ReportError) {
        var version = 14
        for option in request.options {
            let value = option.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
            guard let value, let number = Int(value), 13...14 ~= number else {
                throw ReportError(
                    path: path, message: "option \"\(option)\" of tap: the version is 13 or 14, as in version:13")
            }
            version = number
        }
        try self.init(path: path, version: version)
    }

    /// Writes what an event tells.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Writes what an event tells, with the sizes of bodies before they were masked.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        document.withLock { $0.receive(event, sizes: sizes) }
    }

    /// Writes a result to a stream.
    public func testCompleted(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        testFinished(result, sizes: sizes, hidesExchanges: hidesExchanges)
    }

    /// Writes a result.
    public func testFinished(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        // Those of a test that passed are not written in any case.
        let result = hidesExchanges && result.outcome != .passed ? result.brief : result
        document.withLock { $0.add(result, sizes: sizes) }
    }

    /// Not for a stream, which is written to as tests finish.
    var isPatient: Bool { testEvents == .finished }

    /// Writes results.
    func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
        document.withLock { document in
            for index in tests.indices {
                document.add(
                    tests[index].resultForAccount(hidesExchanges: hidesExchanges), sizes: tests[index].sizes)
            }
        }
    }

    /// Writes the plan, and puts a file into its place.
    public func finish() throws(ReportError) {
        try document.withLock { document throws(ReportError) in try document.finish() }
    }
}
