public import Diagnostics

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The test cases of an earlier report, read from JUnit XML or from the record of a run.
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
        switch try Self.contents(of: path) {
        case .record(let cases):
            self.init(cases: cases, path: path)
        case .text(let bytes):
            try self.init(parsing: bytes, path: path)
        }
    }

    private init(cases: [EarlierCase], path: String) {
        self.path = path
        self.cases = cases
    }

    /// What a file holds.
    private enum Contents {
        case record([EarlierCase])
        case text([UInt8])
    }

    private static func contents(of path: String) throws(Failure) -> Contents {
        let result: Result<Contents, RecordError>
        do {
            result = try read(path)
        } catch {
            throw Failure(
                diagnostic: Diagnostic(
                    id: "unreadable-report",
                    message: "the report \"\(path)\" cannot be read: \(SystemFacts.message(of: error.number))"))
        }
        switch result {
        case .success(let contents): return contents
        case .failure(let error):
            throw Failure(diagnostic: Diagnostic(id: "invalid-report", message: error.text))
        }
    }

    /// The maximum size of a report in XML, which is read as a whole: of a file, and of a pipe or device.
    private static let maximumSize = (file: 4 << 30, stream: 64 << 20)

    private static func read(_ path: String) throws(FileHandle.Failure) -> Result<Contents, RecordError> {
        let file = try FileHandle(path: path, flags: O_RDONLY)
        let limit = file.isRegular ? maximumSize.file : maximumSize.stream
        var bytes = try file.readSome()
        if EarlierRecord.isOne(bytes) {
            var reader = RecordReader(path: path, file: file, beginning: bytes)
            do { return .success(.record(try EarlierRecord(&reader).cases)) } catch { return .failure(error) }
        }
        while true {
            let more = try file.readSome()
            if more.isEmpty { return .success(.text(bytes)) }
            bytes += more
            if bytes.count > limit { throw FileHandle.Failure(number: EFBIG) }
        }
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
