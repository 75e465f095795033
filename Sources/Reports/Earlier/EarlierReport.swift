public import Diagnostics

/// The test cases of an earlier report, read from JUnit XML.
///
/// Any nesting of `testsuites` and `testsuite` is read, and any of the usual dialects: a case's file may stand on the case
/// or on its suite, times may have thousands' separators, and what is not known is passed over.
public struct EarlierReport: Sendable {
    /// Why a report cannot be read.
    public struct Failure: Error, Sendable {
        /// The problem, with its place in the report.
        public var diagnostic: Diagnostic
    }

    /// The report's path as the user gave it.
    public let path: String
    /// The cases, in the report's order.
    public let cases: [EarlierCase]

    /// Reads a file.
    ///
    /// - Throws: why it cannot be read.
    public init(path: String) throws(Failure) {
        let bytes: [UInt8]
        do {
            bytes = try FileHandle.bytes(ofFile: path)
        } catch {
            throw Failure(
                diagnostic: Diagnostic(
                    id: "unreadable-report",
                    message: "the report \"\(path)\" cannot be read: \(SystemFacts.message(of: error.number))"))
        }
        try self.init(parsing: bytes, path: path)
    }

    /// Reads a report's text.
    ///
    /// - Throws: why it cannot be read.
    public init(parsing bytes: [UInt8], path: String) throws(Failure) {
        self.path = path
        var reader = EarlierReportReader(bytes)
        do {
            cases = try reader.read()
        } catch {
            let file = SourceFile(name: path, text: bytes)
            let end = min(bytes.count, error.offset + 1)
            throw Failure(
                diagnostic: Diagnostic(
                    id: "invalid-report", message: "the report is no JUnit XML: \(error.message)",
                    range: SourceRange(file: file, bytes: min(error.offset, end)..<end)))
        }
    }
}
