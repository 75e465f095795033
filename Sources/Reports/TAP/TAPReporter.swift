import Output
import RunModel
import RunRecord

/// The report in the Test Anything Protocol, version 14 or 13: one test point for each test, flat.
///
/// A stream, such as a pipe, gets each test when it ends; a file is in the order of the files and appears at the end, whole.
typealias TAPReporter = DocumentReporter<TAPDocument>

extension TAPReporter {
    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameters:
    ///   - path: Where the report goes; folders that do not exist are created.
    ///   - version: The version of the protocol that the report names, 13 or 14; it is a valid report in both.
    /// - Throws: ``ReportError`` when the path cannot be written.
    convenience init(path: String, version: Int = 14) throws(ReportError) {
        self.init(TAPDocument(file: try ReportFile(path: path), version: version))
    }

    /// Creates the reporter that was asked for.
    ///
    /// - Parameter options: What was said behind the format.
    /// - Throws: ``ReportError`` when the version is not known or the path cannot be written.
    convenience init(path: String, options: [String]) throws(ReportError) {
        var version = 14
        for option in options {
            let value = option.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
            guard let value, let number = Int(value), 13...14 ~= number else {
                throw ReportError(
                    path: path, message: "option \"\(option)\" of tap: the version is 13 or 14, as in version:13")
            }
            version = number
        }
        try self.init(path: path, version: version)
    }
}

/// A TAP report in the making.
///
/// The plan comes last, so that it is right whatever stops the run; what is cut off has none, and is known by that.
struct TAPDocument: ReportDocument, ~Copyable {
    /// Those in file order; for a stream as they happen.
    var testEvents: TestEvents { isStream ? .completed : .finished }
    /// At once for a stream, which is written to as tests finish.
    var delivery: ReportDelivery { isStream ? .atOnce : .batched }

    private var file: ReportFile
    /// What is written to as the run goes, when it is no file.
    private var stream: ReportStream
    private let isStream: Bool
    private var text = SpilledText()
    private var suites = SuiteTable<TAPSuite>()
    private var workingFolder = SystemFacts.workingFolder
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
            if !info.workingFolder.isEmpty { workingFolder = info.workingFolder }
            comment("apitest \(info.version), seed \(info.seed)")
            for suite in info.suites {
                add(suite)
                for line in suite.annotations?.descriptionLines ?? [] { comment("\(suite.name): \(line)") }
            }
            write()
        case .suiteStarted(let info):
            add(info)
        case .testCompleted(let result):
            // Who reads a stream has a result when it is known; a file is in the order of the files.
            if isStream { add(result, sizes: sizes) }
        case .testFinished(let result):
            if !isStream { add(result, sizes: sizes) }
        case .notice(let notice):
            notices.append(notice)
            comment(notice.severity.rawValue + ": " + notice.message)
            for detail in notice.details { comment("  " + detail) }
            write()
        case .interrupted:
            wasInterrupted = true
        case .runFinished(let summary):
            self.summary = summary
            if summary.wasInterrupted { wasInterrupted = true }
        case .testStarted, .secretLearned, .suiteFinished:
            break
        }
    }

    /// Writes a result.
    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        add(test.resultForAccount(hidesExchanges: hidesExchanges), sizes: test.sizes)
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
        let suite = suites[result.test.suite] ?? TAPSuite(nil, workingFolder: workingFolder)
        TAPPoint(result: result, number: count, suite: suite, sizes: sizes).write(into: &text.bytes)
        write()
    }

    private mutating func add(_ info: SuiteInfo) {
        suites[info.index] = TAPSuite(info, workingFolder: workingFolder)
    }

    /// Appends a comment; nothing in it can begin a line.
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

    /// What stands before the names of what went wrong in the run beside its suites.
    private static let runPrefix = Array("\(RunTrouble.suiteName) › ".utf8)

    mutating func finish() throws(ReportError) {
        if hasStarted {
            for trouble in RunTrouble.all(summary, notices: notices) {
                count += 1
                let suite = trouble.suite.flatMap { suites[$0]?.prefix }
                TAPPoint.write(trouble, number: count, prefix: suite ?? Self.runPrefix, into: &text.bytes)
            }
            if let summary, summary.missing != nil { comment(summary.testCountText) }
        }
        text.bytes.append(Array("1..\(count)\n".utf8))
        if wasInterrupted {
            text.bytes.append("Bail out! interrupted by a signal\n")
        } else if summary == nil {
            text.bytes.append("Bail out! the run did not end\n")
        }
        if isStream { write() }
        if let failure { throw failure }
        if !isStream { try file.publish(text.pieces) }
    }
}

/// What stands in all of a suite's test points.
struct TAPSuite {
    /// The suite's name with the separator behind it, escaped.
    let prefix: [UInt8]
    /// The absolute path of the working folder.
    let workingFolder: String

    /// Creates the prefix of a suite; nil for a suite that is not known.
    init(_ info: SuiteInfo?, workingFolder: String) {
        var prefix: [UInt8] = []
        if let info {
            TAPText.append(info.name, to: &prefix)
            prefix += StepSeparator.text.utf8
        }
        self.prefix = prefix
        self.workingFolder = workingFolder
    }
}
