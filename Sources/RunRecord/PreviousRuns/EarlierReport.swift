public import Diagnostics
import Output
import RunModel

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

/// A test case of an earlier report: a test, or a step of one.
public struct EarlierCase: Sendable, Hashable {
    /// What became of the case.
    public enum Verdict: Sendable, Hashable {
        /// Everything held, be it only in the end.
        case passed
        /// An expectation did not hold.
        case failed
        /// There was no answer, or something went wrong before it could be checked.
        case errored
        /// It was not run, as a test that it needs did not pass.
        case blocked
        /// It was not run for another reason.
        case skipped

        /// True for what has to be done again: failed, errored and blocked.
        public var needsAnotherRun: Bool {
            switch self {
            case .failed, .errored, .blocked: true
            case .passed, .skipped: false
            }
        }
    }

    /// The case's name.
    public var name: String
    /// The name of the suite that the case is in.
    public var suiteName: String?
    /// The case's class.
    public var className: String?
    /// The suite's file.
    public var file: String?
    /// What became of it.
    public var verdict: Verdict
    /// How long it took, in nanoseconds; nil when the report does not say, or when it was not run.
    public var duration: Int64?
}

/// Makes test cases of the record of an earlier run.
///
/// A test is one case, whatever steps it has. One that had begun when its run was killed counts as an error: it has to be
/// done again.
struct EarlierRecord {
    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    private(set) var cases: [EarlierCase] = []
    private var suites: [(name: String, place: SuitePlace)] = []
    private var running: [TestKey: TestReference] = [:]

    /// Whether a file that begins with some bytes is a record, and no XML.
    static func isOne(_ start: [UInt8]) -> Bool {
        start.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
    }

    /// Reads all cases.
    init(_ reader: inout RecordReader) throws(RecordError) {
        while let line = try reader.next() {
            guard case .event(let event, _, _) = line.content else { continue }
            switch event {
            case .runStarted(let info):
                suites = info.suites.map { suite in
                    (
                        CaseName.shown(suite.name),
                        SuitePlace(
                            path: suite.path, documentIndex: suite.documentIndex, workingFolder: info.workingFolder)
                    )
                }
                running = [:]
            case .testStarted(let test):
                running[TestKey(suite: test.suite, position: test.position)] = test
            case .testCompleted(let result):
                running[TestKey(suite: result.test.suite, position: result.test.position)] = nil
                try add(result.test, Self.verdict(of: result.outcome), duration: result.duration, reader)
            case .suiteStarted, .testFinished, .secretLearned, .notice, .suiteFinished, .interrupted, .runFinished:
                break
            }
        }
        for (_, test) in running.sorted(by: { ($0.key.suite, $0.key.position) < ($1.key.suite, $1.key.position) }) {
            try add(test, .errored, duration: nil, reader)
        }
    }

    private mutating func add(
        _ test: TestReference, _ verdict: EarlierCase.Verdict, duration: Int64?, _ reader: borrowing RecordReader
    ) throws(RecordError) {
        guard suites.indices.contains(test.suite) else { throw reader.problem("there is no suite \(test.suite)") }
        let suite = suites[test.suite]
        let wasRun = verdict != .skipped && verdict != .blocked
        cases.append(
            EarlierCase(
                name: CaseName.shown(test.name), suiteName: suite.name, className: suite.place.className,
                file: suite.place.file, verdict: verdict, duration: wasRun ? duration : nil))
    }

    private static func verdict(of outcome: TestResult.Outcome) -> EarlierCase.Verdict {
        switch outcome {
        case .passed, .flaky, .known: .passed
        case .failed: .failed
        case .errored: .errored
        case .skipped: .skipped
        case .blocked: .blocked
        }
    }
}
