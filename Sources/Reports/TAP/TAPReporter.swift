import Basics
import Diagnostics
import FileSystem
import Output
import RunModel
import RunRecord

/// A reporter of the Test Anything Protocol, version 14 or 13, with one test point per test and no subtests.
///
/// A stream, such as a pipe, receives each test as soon as it ends. A file has the tests in file order and appears
/// complete at the end of the run.
typealias TAPReporter = DocumentReporter<TAPDocument>

extension TAPReporter {
    /// Creates a reporter and checks that its report can be written.
    ///
    /// - Parameters:
    ///   - path: The path of the report. Missing directories are created.
    ///   - version: The protocol version stated in the report, 13 or 14. The report is valid in both.
    /// - Throws: ``ReportError`` if the path is not writable.
    convenience init(path: String, version: Int = 14) throws(ReportError) {
        self.init(TAPDocument(file: try ReportFile(path: path), version: version))
    }

    /// Creates a reporter from the options of a report request.
    ///
    /// - Parameter options: The options after the format.
    /// - Throws: ``ReportError`` if the version is unknown or the path is not writable.
    convenience init(path: String, options: [String]) throws(ReportError) {
        var version = 14
        for option in options {
            let value = option.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
            guard let value, let number = Int(value), 13...14 ~= number else {
                throw ReportError(
                    id: .invalidOption, path: path,
                    message: "report \"tap\": expected \"version:13\" or \"version:14\", got \"\(option)\"")
            }
            version = number
        }
        try self.init(path: path, version: version)
    }
}

/// The TAP report of a run.
///
/// The plan comes last, so that it is correct even if the run is interrupted. A truncated report can be recognized by
/// its missing plan.
struct TAPDocument: ReportDocument, ~Copyable {
    /// The results in file order or, for a stream, as tests end.
    var testEvents: TestEvents { isStream ? .completed : .finished }
    /// At once for a stream, which is written as tests finish.
    var delivery: ReportDelivery { isStream ? .atOnce : .batched }

    private var file: ReportFile
    /// The output stream, if the path is not a regular file.
    private var stream: ReportStream
    private let isStream: Bool
    private var text = SpilledText()
    private var suites = SuiteTable<TAPSuite>()
    private var workingDirectory = SystemInfo.workingDirectory
    private var count = 0
    private var wasInterrupted = false
    private var hasStarted = false
    private var summary: RunSummary?
    private var notices: [RunNotice] = []
    private var failure: ReportError?

    init(file: consuming ReportFile, version: Int) {
        stream = ReportStream(path: file.path)
        isStream = file.isStream
        self.file = file
        text.bytes.append(Array("TAP version \(version)\n".utf8))
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            hasStarted = true
            if !info.workingDirectory.isEmpty { workingDirectory = info.workingDirectory }
            comment("apitest \(info.version), seed \(info.seed)")
            for suite in info.suites {
                add(suite)
                for line in suite.annotations?.descriptionLines ?? [] { comment("\(suite.name): \(line)") }
            }
            write()
        case .suiteStarted(let info):
            add(info)
        case .testCompleted(let result):
            // Readers of a stream want each result as soon as it is known. A file is in file order.
            if isStream { add(result, sizes: sizes) }
        case .testFinished(let result):
            if !isStream { add(result, sizes: sizes) }
        case .notice(let notice):
            notices.append(notice)
            comment(notice.severity.rawValue + ": " + notice.messageWithID)
            for detail in notice.details.map(\.text) { comment("  " + detail) }
            write()
        case .interrupted:
            wasInterrupted = true
        case .runFinished(let summary):
            self.summary = summary
            if summary.wasInterrupted { wasInterrupted = true }
        case .testStarted, .secretRegistered, .load, .suiteFinished:
            break
        }
    }

    /// Writes a result.
    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        add(test.resultForDetails(hidesExchanges: hidesExchanges), sizes: test.sizes)
    }

    private mutating func add(_ result: TestResult, sizes: BodySizes) {
        guard result.isCounted else { return }
        count += 1
        if result.outcome == .passed, result.test.annotations?.description == nil {
            TAPPoint.writePassed(
                result, number: count, prefix: suites[result.test.suite]?.prefix ?? [], into: &text.bytes)
            write()
            return
        }
        let suite = suites[result.test.suite] ?? TAPSuite(nil, workingDirectory: workingDirectory)
        TAPPoint(result: result, number: count, suite: suite, sizes: sizes).write(into: &text.bytes)
        write()
    }

    private mutating func add(_ info: SuiteInfo) {
        suites[info.index] = TAPSuite(info, workingDirectory: workingDirectory)
    }

    /// Appends a comment, with a prefix on each line.
    private mutating func comment(_ words: String) {
        for line in words.split(separator: "\n", omittingEmptySubsequences: false) {
            text.bytes.append("# ")
            TAPText.append(String(line), to: &text.bytes, escapes: false)
            text.bytes.append(0x0A)
        }
    }

    private mutating func write() {
        guard failure == nil else {
            text.bytes.removeAll()
            return
        }
        do throws(ReportError) {
            guard isStream else { return try text.spillIfLong(to: &file) }
            guard !text.bytes.isEmpty else { return }
            try stream.write(text.bytes)
            text.bytes.removeAll()
        } catch {
            failure = error
        }
    }

    /// The prefix of the names of failures that belong to no suite.
    private static let runPrefix = Array("\(RunProblem.suiteName) › ".utf8)

    mutating func finish() throws(ReportError) {
        if hasStarted {
            for problem in RunProblem.all(summary, notices: notices) {
                count += 1
                let suite = problem.suite.flatMap { suites[$0]?.prefix }
                TAPPoint.write(problem, number: count, prefix: suite ?? Self.runPrefix, into: &text.bytes)
            }
            if let summary, summary.missing != nil { comment(summary.testCountText) }
        }
        text.bytes.append(Array("1..\(count)\n".utf8))
        if wasInterrupted {
            text.bytes.append("Bail out! interrupted by a signal\n")
        } else if summary == nil {
            text.bytes.append("Bail out! the run did not finish\n")
        }
        if isStream { write() }
        if let failure { throw failure }
        if !isStream { try file.publish(text.pieces) }
    }
}

/// The data that all test points of a suite share.
struct TAPSuite {
    /// The escaped name of the suite, followed by the separator.
    let prefix: [UInt8]
    /// The absolute path of the working directory.
    let workingDirectory: String

    /// Creates the data of a suite, with an empty prefix if the suite is unknown.
    init(_ info: SuiteInfo?, workingDirectory: String) {
        var prefix: [UInt8] = []
        if let info {
            TAPText.append(info.name, to: &prefix)
            prefix += StepSeparator.text.utf8
        }
        self.prefix = prefix
        self.workingDirectory = workingDirectory
    }
}
