import Basics
import FileSystem
import Output
import RunModel
import RunRecord

/// A reporter of the Common Test Report Format (CTRF): one JSON document with an object per test.
///
/// Tests are written as they finish and spilled to disk if there are many. At the end of the run, the complete report
/// is renamed to its path.
typealias CTRFReporter = DocumentReporter<CTRFDocument>

extension CTRFReporter {
    /// Creates a reporter and checks that its report can be written.
    ///
    /// - Parameter path: The path of the report. Missing directories are created.
    /// - Throws: ``ReportError`` if the path is not writable.
    convenience init(path: String) throws(ReportError) {
        self.init(CTRFDocument(file: try ReportFile(path: path)))
    }
}

/// The CTRF report of a run.
struct CTRFDocument: ReportDocument, ~Copyable {
    /// The version of the CTRF specification.
    private static let specVersion = "1.0.0"

    private var file: ReportFile
    private var run = RunInfo(suites: [], testCount: 0, seed: 0, jobs: 0, version: "", startTime: 0)
    private var clock = RunClock()
    private var suites = SuiteTable<CTRFSuite>()
    private var infos: [Int: SuiteInfo] = [:]
    private var workingDirectory = SystemInfo.workingDirectory
    private var counts = OutcomeCounts()
    private var tests = SpilledText()
    /// A writer that borrows the bytes of `tests` while a test is appended.
    private var test = JSONText()
    private var notices: [RunNotice] = []
    private var summary: RunSummary?
    private var wasInterrupted = false
    /// Nanoseconds from the start of the run to the end of the last test.
    private var lastEnd: Int64 = 0
    private var failure: ReportError?

    init(file: consuming ReportFile) {
        self.file = file
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            run = info
            clock = RunClock(info)
            if !info.workingDirectory.isEmpty { workingDirectory = info.workingDirectory }
            for suite in info.suites { add(suite) }
        case .suiteStarted(let info):
            add(info)
        case .testFinished(let result):
            add(result, sizes: sizes)
        case .notice(let notice):
            notices.append(notice)
        case .interrupted:
            wasInterrupted = true
        case .runFinished(let summary):
            self.summary = summary
        case .testStarted, .testCompleted, .secretRegistered, .load, .suiteFinished:
            break
        }
    }

    private mutating func add(_ info: SuiteInfo) {
        suites[info.index] = CTRFSuite(info, workingDirectory: workingDirectory)
        infos[info.index] = info
    }

    // MARK: Tests

    /// Writes a test.
    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        add(test.resultForDetails(hidesExchanges: hidesExchanges), sizes: test.sizes)
    }

    private mutating func add(_ result: TestResult, sizes: BodySizes) {
        guard failure == nil, result.isCounted else { return }
        counts.count(result.outcome)
        if result.start + result.duration > lastEnd { lastEnd = result.start + result.duration }
        let suite = suites[result.test.suite]
        let test = CTRFTest(result: result, suite: suite, clock: clock, sizes: sizes)
        append { test.write(into: &$0) }
        do { try tests.spillIfLong(to: &file) } catch { failure = error }
    }

    /// Appends a test that is already counted.
    private mutating func append(_ write: (inout JSONText) -> Void) {
        tests.bytes.append(counts.total == 1 ? "\n    " : ",\n    ")
        swap(&test.buffer, &tests.bytes)
        test.beginElement()
        write(&test)
        swap(&test.buffer, &tests.bytes)
    }

    /// Writes a test for each failure of the run outside its tests.
    private mutating func writeProblems() {
        guard !run.version.isEmpty || summary != nil else { return }
        for problem in RunProblem.all(summary, notices: notices) {
            counts.count(problem.outcome)
            let suite = problem.suite.flatMap { suites[$0] }
            let (name, time) = (problem.name, clock.milliseconds(at: end))
            append { json in
                json.beginObject()
                json.member("name", name)
                json.member("status", CTRFStatus(problem.outcome).rawValue)
                json.member("duration", 0)
                json.member("start", time)
                json.member("stop", time)
                if let suite {
                    json.buffer.append(suite.members)
                } else {
                    json.beginArray("suite")
                    json.string(RunProblem.suiteName)
                    json.endArray()
                }
                json.member("type", "api")
                json.member("rawStatus", OutcomeWord.text(problem.outcome))
                json.member("message", problem.message, limit: FailureSummary.maximumMessageLength)
                json.member("trace", problem.lines.joined(separator: "\n"), limit: FailureSummary.maximumTextLength)
                json.endObject()
            }
        }
    }

    // MARK: The end

    mutating func finish() throws(ReportError) {
        if let failure { throw failure }
        writeProblems()
        let pieces = [.bytes(head)] + tests.pieces + [.bytes(tail)]
        try file.publish(pieces)
    }

    private var head: [UInt8] {
        var json = JSONText()
        json.beginObject()
        json.breakLine()
        json.member("reportFormat", "CTRF")
        json.member("specVersion", Self.specVersion)
        json.member("timestamp", clock.text(at: end))
        json.member("generatedBy", "apitest \(run.version)")
        json.breakLine()
        json.beginObject("results")
        json.breakLine()
        json.beginObject("tool")
        json.member("name", "apitest")
        json.member("version", run.version)
        json.endObject()
        json.breakLine()
        writeSummary(into: &json)
        json.breakLine()
        writeEnvironment(into: &json)
        writeExtra(into: &json)
        json.breakLine()
        json.beginArray("tests")
        return json.bytes
    }

    private var tail: [UInt8] { Array((counts.total == 0 ? "]\n  }\n}\n" : "\n  ]\n  }\n}\n").utf8) }

    /// Nanoseconds from the start of the run to its end, or to the end of the last test if the run did not finish.
    private var end: Int64 { summary?.duration ?? lastEnd }

    private func writeSummary(into json: inout JSONText) {
        json.beginObject("summary")
        json.member("tests", counts.total)
        json.member("passed", counts.passed + counts.flaky)
        json.member("failed", counts.failed + counts.errored)
        json.member("skipped", counts.skipped)
        json.member("pending", 0)
        json.member("other", counts.blocked + counts.known)
        json.member("flaky", counts.flaky)
        json.member("suites", infos.count)
        json.member("start", clock.start)
        json.member("stop", clock.milliseconds(at: end))
        json.member("duration", RunClock.milliseconds(end))
        json.beginObject("extra")
        json.member("errored", counts.errored)
        json.member("blocked", counts.blocked)
        if counts.known > 0 { json.member("known", counts.known) }
        if let summary { json.member("exchanges", summary.exchanges) }
        json.member("complete", isComplete)
        if let missing = summary?.missing {
            json.member("planned", missing.planned)
            json.member("notRun", missing.notRun)
        }
        json.endObject()
        json.endObject()
    }

    /// Whether the report includes every test of the run.
    private var isComplete: Bool { summary != nil && summary?.missing == nil && !isInterrupted }

    private var isInterrupted: Bool { wasInterrupted || summary?.wasInterrupted == true }

    private func writeEnvironment(into json: inout JSONText) {
        json.beginObject("environment")
        let names = Set(infos.values.compactMap(\.environment)).sorted()
        if names.count == 1, let name = names.first { json.member("testEnvironment", name) }
        let origin = run.origin
        json.member("commit", origin.revision?.name)
        json.member("branchName", origin.branch?.name)
        json.member("buildName", origin.job?.name)
        if let build = origin.build { json.member("buildNumber", build) }
        json.member("buildUrl", origin.job?.url)
        json.member("healthy", counts.failed + counts.errored + counts.blocked == 0 && !hasError && isComplete)
        json.beginObject("extra")
        json.member("hostName", run.hostName.isEmpty ? SystemInfo.hostName : run.hostName)
        // A string because many readers lose digits of an integer of this size.
        json.member("seed", String(run.seed))
        json.member("jobs", run.jobs)
        if let shard = run.shard { json.member("shard", shard) }
        json.member("commitUrl", origin.revision?.url)
        json.member("branchUrl", origin.branch?.url)
        json.endObject()
        json.endObject()
    }

    private var hasError: Bool { summary?.hasFailed == true || notices.contains { $0.severity == .error } }

    private func writeExtra(into json: inout JSONText) {
        guard !notices.isEmpty || isInterrupted else { return }
        json.breakLine()
        json.beginObject("extra")
        if isInterrupted { json.member("interrupted", true) }
        if !notices.isEmpty {
            json.beginArray("notices")
            for notice in notices {
                json.beginObject()
                json.member("severity", notice.severity.rawValue)
                if let suite = notice.suite, let name = infos[suite]?.name { json.member("suite", name) }
                if let id = notice.id { json.member("id", id, limit: 1_000) }
                json.member("message", notice.message, limit: FailureSummary.maximumMessageLength)
                json.beginArray("details")
                for detail in notice.details.map(\.text) {
                    json.string(detail, limit: FailureSummary.maximumMessageLength)
                }
                json.endArray()
                json.endObject()
            }
            json.endArray()
        }
        json.endObject()
    }
}

/// The data that all tests of a suite share.
struct CTRFSuite {
    /// The members `suite` and `filePath`, each with a leading comma.
    let members: [UInt8]
    let description: String?

    init(_ info: SuiteInfo, workingDirectory: String) {
        description = info.annotations?.description
        let location = SuiteLocation(
            path: info.path, documentIndex: info.documentIndex, workingDirectory: workingDirectory)
        var members = Array(",\"suite\":[".utf8)
        JSONText.append(info.name, to: &members, limit: FailureSummary.maximumMessageLength)
        members += "],\"filePath\":".utf8
        JSONText.append(location.file, to: &members)
        self.members = members
    }
}
