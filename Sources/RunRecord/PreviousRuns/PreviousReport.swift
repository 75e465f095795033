import Basics
public import Diagnostics
import FileSystem
import Output
import RunModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The test cases of a previous report, read from JUnit XML or a run record.
///
/// The reader accepts any nesting of `testsuites` and `testsuite`, and all common dialects. The file may be an
/// attribute of the test case or of its suite, times may have thousands separators, and unknown content is ignored.
public struct PreviousReport: Sendable {
    /// The reason why a report cannot be read.
    public struct Failure: Error, Sendable {
        /// The problem, with its location in the report.
        public var diagnostic: Diagnostic
    }

    /// The path of the report as given by the user.
    public let path: String
    /// The test cases, in the order of the report.
    public let cases: [PreviousCase]

    /// Reads a file.
    ///
    /// - Throws: ``Failure`` if the report cannot be read.
    public init(path: String) throws(Failure) {
        switch try Self.contents(of: path) {
        case .record(let cases):
            self.init(cases: cases, path: path)
        case .text(let bytes):
            try self.init(parsing: bytes, path: path)
        }
    }

    private init(cases: [PreviousCase], path: String) {
        self.path = path
        self.cases = cases
    }

    /// The contents of a file.
    private enum Contents {
        case record([PreviousCase])
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
                    message: "cannot read the report \"\(path)\": \(SystemInfo.message(of: error.number))"))
        }
        switch result {
        case .success(let contents): return contents
        case .failure(let error):
            throw Failure(diagnostic: Diagnostic(id: "invalid-report", message: MessageText(error.text)))
        }
    }

    /// The maximum size in bytes of an XML report, which is read as a whole: for a file, and for a pipe or device.
    private static let maximumSize = (file: 4 << 30, stream: 64 << 20)

    private static func read(_ path: String) throws(FileHandle.Failure) -> Result<Contents, RecordError> {
        let file = try FileHandle(path: path, flags: O_RDONLY)
        let limit = file.isRegular ? maximumSize.file : maximumSize.stream
        var bytes = try file.readSome()
        if PreviousRecord.isOne(bytes) {
            var reader = RecordReader(path: path, file: file, beginning: bytes)
            do { return .success(.record(try PreviousRecord(&reader).cases)) } catch { return .failure(error) }
        }
        while true {
            let more = try file.readSome()
            if more.isEmpty { return .success(.text(bytes)) }
            bytes += more
            if bytes.count > limit { throw FileHandle.Failure(number: EFBIG) }
        }
    }

    /// Parses the contents of a report.
    ///
    /// - Throws: ``Failure`` if the report cannot be read.
    public init(parsing bytes: [UInt8], path: String) throws(Failure) {
        self.path = path
        var reader = PreviousReportReader(bytes)
        do {
            cases = try reader.read()
        } catch {
            let file = SourceFile(name: path, text: bytes)
            let end = min(bytes.count, error.offset + 1)
            throw Failure(
                diagnostic: Diagnostic(
                    id: "invalid-report", message: "the report is not valid JUnit XML: \(error.message)",
                    range: SourceRange(file: file, bytes: min(error.offset, end)..<end)))
        }
    }
}

/// A test case of a previous report: a test or one of its steps.
public struct PreviousCase: Sendable, Hashable {
    /// The outcome of a test case.
    public enum Verdict: Sendable, Hashable {
        /// All expectations were met, possibly only after a retry.
        case passed
        /// An expectation was not met.
        case failed
        /// There was no response, or an error occurred before it could be checked.
        case errored
        /// The test did not run because a test that it depends on did not pass.
        case blocked
        /// The test did not run for another reason.
        case skipped

        /// Whether the test must be rerun because it failed, errored, or was blocked.
        public var needsAnotherRun: Bool {
            switch self {
            case .failed, .errored, .blocked: true
            case .passed, .skipped: false
            }
        }
    }

    /// The name of the test case.
    public var name: String
    /// The name of the suite that contains the test case.
    public var suiteName: String?
    /// The class name of the test case.
    public var className: String?
    /// The path of the suite file.
    public var file: String?
    /// The outcome of the test case.
    public var verdict: Verdict
    /// The duration in nanoseconds, or `nil` if the report does not state it or the test did not run.
    public var duration: Int64?
}

/// A converter of the run record of a previous run to test cases.
///
/// A test is a single test case, even if it has steps. A test that was running when its run was killed counts as
/// errored, because it must be rerun.
struct PreviousRecord {
    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    private(set) var cases: [PreviousCase] = []
    private var suites: [(name: String, location: SuiteLocation)] = []
    private var running: [TestKey: TestReference] = [:]

    /// Returns whether a file with the given first bytes is a record rather than XML.
    static func isOne(_ start: [UInt8]) -> Bool {
        start.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
    }

    /// Reads all test cases.
    init(_ reader: inout RecordReader) throws(RecordError) {
        while let line = try reader.next() {
            guard case .event(let event, _, _) = line.content else { continue }
            switch event {
            case .runStarted(let info):
                suites = info.suites.map { suite in
                    (
                        CaseName.shown(suite.name),
                        SuiteLocation(
                            path: suite.path, documentIndex: suite.documentIndex,
                            workingDirectory: info.workingDirectory)
                    )
                }
                running = [:]
            case .testStarted(let test):
                running[TestKey(suite: test.suite, position: test.position)] = test
            case .testCompleted(let result):
                running[TestKey(suite: result.test.suite, position: result.test.position)] = nil
                try add(result.test, Self.verdict(of: result.outcome), duration: result.duration, reader)
            case .suiteStarted, .testFinished, .secretRegistered, .load, .notice, .suiteFinished, .interrupted,
                .runFinished:
                break
            }
        }
        for (_, test) in running.sorted(by: { ($0.key.suite, $0.key.position) < ($1.key.suite, $1.key.position) }) {
            try add(test, .errored, duration: nil, reader)
        }
    }

    private mutating func add(
        _ test: TestReference, _ verdict: PreviousCase.Verdict, duration: Int64?, _ reader: borrowing RecordReader
    ) throws(RecordError) {
        guard suites.indices.contains(test.suite) else { throw reader.problem("unknown suite \(test.suite)") }
        let suite = suites[test.suite]
        let wasRun = verdict != .skipped && verdict != .blocked
        cases.append(
            PreviousCase(
                name: CaseName.shown(test.name), suiteName: suite.name, className: suite.location.className,
                file: suite.location.file, verdict: verdict, duration: wasRun ? duration : nil))
    }

    private static func verdict(of outcome: TestResult.Outcome) -> PreviousCase.Verdict {
        switch outcome {
        case .passed, .flaky, .known: .passed
        case .failed: .failed
        case .errored: .errored
        case .skipped: .skipped
        case .blocked: .blocked
        }
    }
}
