import Basics
import Output
import RunModel
import RunRecord

/// The HTML report of a run.
struct HTMLDocument: ReportDocument, ~Copyable {
    /// The maximum number of recent outcomes per test that the page shows.
    static let stripLength = 20

    /// The requirements of the report: the outlines of exchanges and, if requested, the exchanges of passed steps.
    let needs: ReporterNeeds
    /// The test events of the report: starts, for the tests that do not finish, and results in file order.
    let testEvents: TestEvents = [.started, .finished]

    /// The maximum number of bytes kept in memory.
    ///
    /// It is small so that this and other reports' buffers stay in a CPU cache.
    private static let maximumBufferedBytes = 1 << 15

    private var file: ReportFile
    private var hostName: String
    private var workingDirectory: String
    private var run = RunInfo(suites: [], testCount: 0, seed: 0, jobs: 0, version: "", startTime: 0)
    private var suites = SuiteTable<HTMLSuite>()
    /// The suite that was looked up last.
    private var lastSuite: (index: Int, info: SuiteInfo?)?
    private var running = RunningTests()
    private var notices: [RunNotice] = []
    private var summary: RunSummary?
    private var wasInterrupted = false
    private var counts = OutcomeCounts()
    private var tags = HTMLTagTable()
    /// The rows of all tests, and the details of the tests that have more than a row.
    private var rows = HTMLSpill()
    private var details = HTMLSpill()
    private var budget = HTMLBudget()
    private var fallback = HTMLFallback()
    private var causes = HTMLCauses()
    private var load = HTMLLoad()
    private var rowCount = 0
    /// The rows of setups and teardowns, which count only if they fail.
    private var uncounted: [Int] = []
    private let trends: @Sendable () -> HTMLTrends?
    private var failure: ReportError?

    init(
        file: consuming ReportFile, keepsExchanges: Bool, hostName: String, workingDirectory: String,
        trends: @escaping @Sendable () -> HTMLTrends?
    ) {
        self.file = file
        needs = keepsExchanges ? [.outlines, .exchanges] : .outlines
        self.hostName = hostName
        self.workingDirectory = workingDirectory
        self.trends = trends
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            run = info
            if !info.hostName.isEmpty { hostName = info.hostName }
            if !info.workingDirectory.isEmpty { workingDirectory = info.workingDirectory }
            for suite in info.suites { add(suite) }
        case .suiteStarted(let info):
            add(info)
        case .testStarted(let test):
            start(test)
        case .testFinished(let result):
            finish(result, sizes: sizes, hidesExchanges: false)
        case .load(let event):
            load.receive(event)
        case .testCompleted, .secretRegistered:
            break
        case .interrupted:
            wasInterrupted = true
        case .notice(let notice):
            notices.append(notice)
        case .suiteFinished(let summary):
            suites[summary.suite]?.duration = summary.duration
            suites[summary.suite]?.notRun = summary.notRun
        case .runFinished(let summary):
            self.summary = summary
        }
    }

    /// Records the start of a test.
    mutating func start(_ test: TestReference) { running.start(test) }

    /// Writes the result of a test.
    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        finish(test.result, sizes: test.sizes, hidesExchanges: hidesExchanges && test.hasHidden)
    }

    /// Writes the result of a test that has started.
    ///
    /// - Parameter hidesExchanges: Whether to omit the exchanges of passed steps.
    private mutating func finish(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        if !running.isEmpty { running.finish(result.test) }
        add(hidesExchanges && !HTMLRow.isRow(result) ? result.brief : result, sizes: sizes, isRow: hidesExchanges)
    }

    private mutating func info(ofSuite suite: Int) -> SuiteInfo? {
        if let lastSuite, lastSuite.index == suite { return lastSuite.info }
        let info = suites[suite]?.info
        lastSuite = (suite, info)
        return info
    }

    private mutating func add(_ info: SuiteInfo) {
        lastSuite = nil
        if suites[info.index] != nil {
            suites[info.index]?.info = info
            return
        }
        let location = SuiteLocation(
            path: info.path, documentIndex: info.documentIndex, workingDirectory: workingDirectory)
        suites[info.index] = HTMLSuite(info: info, file: location.file)
    }

    /// Writes the row of a result, and its details if it has any.
    ///
    /// - Parameter isRow: Whether a test that passed has no details other than exchanges.
    private mutating func add(_ result: TestResult, sizes: BodySizes = BodySizes(), isRow: Bool = false) {
        guard failure == nil else { return }
        counts.count(result)
        if !result.isCounted { uncounted.append(rowCount) }
        let row = HTMLRow(
            result: result, suite: info(ofSuite: result.test.suite),
            hasRoomForPassed: budget.hasRoomForPassed && !(isRow && HTMLRow.isRow(result))
        )
        row.write(tags: tags.index(of: result.test.tags), isFirst: rowCount == 0, into: &rows.buffer)
        if row.hasDetail {
            var json = JSONText(.embedded)
            HTMLDetail(sizes: sizes, limits: budget.limits, baseURL: row.suite?.baseURL).write(result, into: &json)
            budget.spend(json.buffer.count, on: result.outcome)
            details.buffer.append("<script type=\"application/json\" id=\"t")
            DecimalText.append(Int64(rowCount), to: &details.buffer)
            details.buffer.append("\">")
            details.buffer.append(json.buffer)
            details.buffer.append("</script>\n")
        }
        if result.outcome.isFailure { fallback.add(result, suite: suites[result.test.suite]) }
        if result.outcome.isFailure { causes.add(result) }
        rowCount += 1
        do throws(ReportError) {
            if rows.buffer.count > Self.maximumBufferedBytes { try rows.spill(to: &file) }
            if details.buffer.count > Self.maximumBufferedBytes { try details.spill(to: &file) }
        } catch {
            failure = error
            rows.buffer.removeAll()
            details.buffer.removeAll()
        }
    }

    // MARK: The end

    mutating func finish() throws(ReportError) {
        let trends = trends()
        if let failure { throw failure }
        for test in running.takeAll() {
            add(TestResult(test: test, outcome: .skipped(reason: "not finished: the run was stopped")))
        }
        if let failure { throw failure }
        noteIncompleteness()

        var head = JSONText(.embedded)
        head.beginObject()
        writeRun(into: &head)
        writeSuites(into: &head)
        head.breakLineBeforeComma()
        head.beginArray("tags")
        for list in tags.lists {
            head.beginArray()
            for tag in list { head.string(tag, limit: 1_000) }
            head.endArray()
        }
        head.endArray()
        head.breakLineBeforeComma()
        head.beginArray("uncounted")
        for row in uncounted { head.integer(row) }
        head.endArray()
        causes.write(into: &head)
        writeNotices(into: &head)
        writeCoverages(into: &head)
        writeTrends(trends, into: &head)
        if let table = trends?.table { HTMLStrips(table: table).write(suites: suites(of: table), into: &head) }
        head.breakLineBeforeComma()
        head.beginArray("tests")

        let page = HTMLPage(
            title: title,
            fallback: fallback.markup(counts: counts, title: title, notices: fallbackNotices) + load.markup)
        var pieces: [ReportFile.Piece] = [.bytes(page.head), .bytes(head.bytes)]
        pieces += rows.pieces
        pieces.append(.bytes(Array("\n]}</script>\n".utf8)))
        pieces += details.pieces
        pieces += load.elements.map { .bytes($0) }
        pieces.append(.bytes(page.tail))
        try file.publish(pieces)
    }

    /// Adds an error notice if tests are missing.
    private mutating func noteIncompleteness() {
        guard !run.version.isEmpty || summary != nil else { return }
        for problem in RunProblem.all(summary, notices: notices) where problem.kind == .incomplete {
            let message: MessageText = "\(problem.title): \(problem.message)"
            notices.insert(RunNotice(.incomplete, severity: .error, message: message), at: 0)
        }
    }

    /// The notices with the names of their suites.
    private var fallbackNotices: [(suite: String?, notice: RunNotice)] {
        notices.map { notice in (notice.suite.flatMap { suites[$0]?.info.name }, notice) }
    }

    /// A short summary of the outcome.
    private var title: String {
        var parts: [String] = []
        if counts.failed > 0 { parts.append("\(counts.failed) failed") }
        if counts.errored > 0 { parts.append(NumberText.count(counts.errored, "error")) }
        if parts.isEmpty { parts.append("\(counts.passed + counts.flaky) passed") }
        if counts.known > 0 { parts.append("\(counts.known) known to fail") }
        var problems = summary?.problems ?? []
        if summary?.wasInterrupted == true { problems.append("interrupted") }
        if let summary, summary.missing != nil {
            return (problems + parts + [summary.testCountText]).joined(separator: ", ")
        }
        let tests = parts.joined(separator: ", ") + " of " + NumberText.count(counts.total, "test")
        return (problems + [tests]).joined(separator: ", ")
    }

    private func writeRun(into json: inout JSONText) {
        json.member("format", 1)
        json.beginObject("run")
        json.member("version", run.version)
        json.member("start", Self.milliseconds(run.startTime))
        json.key("duration")
        json.integer(summary.map { $0.duration / 1_000 })
        json.key("exchanges")
        json.integer(summary?.exchanges)
        // A string, because JavaScript numbers cannot represent all 64-bit integers.
        json.member("seed", String(run.seed))
        json.member("jobs", run.jobs)
        json.member("host", hostName)
        json.key("shard")
        json.string(run.shard)
        json.member("selected", run.testCount)
        json.member("interrupted", wasInterrupted || summary?.wasInterrupted == true)
        json.member("serverError", summary?.hasServerError == true)
        json.member("snapshotError", summary?.hasSnapshotError == true)
        json.member("lowCoverage", summary?.hasLowCoverage == true)
        json.beginArray("origin")
        for (title, link) in run.origin.links {
            json.beginArray()
            json.string(title)
            json.string(link.shortName)
            json.string(link.url)
            json.endArray()
        }
        json.endArray()
        json.key("missing")
        json.string(summary?.missing.map { $0.message })
        json.key("testCount")
        json.string(summary?.testCountText)
        json.member("shortened", budget.isShort)
        json.endObject()
    }

    /// Converts a point in time to milliseconds, which a `Double` represents exactly.
    private static func milliseconds(_ seconds: Double) -> Int64 {
        seconds.isFinite && abs(seconds) < 1e12 ? Int64((seconds * 1_000).rounded()) : 0
    }

    private func writeSuites(into json: inout JSONText) {
        json.breakLineBeforeComma()
        json.beginObject("suites")
        for (index, suite) in suites.sorted {
            json.breakLineBeforeComma()
            json.key(index)
            json.beginArray()
            json.string(suite.info.name, limit: 4_096)
            json.string(suite.file, limit: 4_096)
            json.string(suite.info.environment, limit: 1_000)
            json.string(suite.info.baseURL, limit: 4_096)
            json.integer(suite.info.start / 1_000)
            json.integer(suite.duration.map { $0 / 1_000 })
            json.string(suite.info.annotations?.description, limit: 4_096)
            json.integer(suite.notRun)
            json.endArray()
        }
        json.endObject()
    }

    private func writeNotices(into json: inout JSONText) {
        json.breakLineBeforeComma()
        json.beginArray("notices")
        for notice in notices {
            json.beginArray()
            json.string(notice.severity.rawValue)
            json.integer(notice.suite)
            json.string(notice.messageWithID, limit: 8_192)
            json.beginArray()
            for detail in notice.details.map(\.text) { json.string(detail, limit: 8_192) }
            json.endArray()
            json.endArray()
        }
        json.endArray()
    }

    private func writeCoverages(into json: inout JSONText) {
        guard let coverages = summary?.coverages, !coverages.isEmpty else { return }
        json.breakLineBeforeComma()
        json.beginArray("contracts")
        for coverage in coverages {
            let words = CoverageText(coverage)
            json.beginArray()
            json.string(coverage.description, limit: 4_096)
            json.string(coverage.total.percentText)
            json.beginArray()
            for (kind, share) in words.shares {
                json.beginArray()
                json.string(kind.plural)
                json.integer(share.covered)
                json.integer(share.total)
                json.endArray()
            }
            json.endArray()
            for list in [words.missed, words.undocumented] {
                json.beginArray()
                for text in list.prefix(2_000) { json.string(text, limit: 1_000) }
                json.endArray()
            }
            json.endArray()
        }
        json.endArray()
    }

    /// Returns the indices of suites on the page by their indices in a trend table.
    private func suites(of table: TrendTable) -> [Int: Int] {
        var indices: [Int: Int] = [:]
        for (index, suite) in suites.sorted {
            let file = ProjectPath.file(suite.info.path, workingDirectory: workingDirectory, root: "")
            let known = table.suite(
                file: file, document: suite.info.documentIndex, environment: suite.info.environment)
            if let known { indices[known] = index }
        }
        return indices
    }

    private func writeTrends(_ trends: HTMLTrends?, into json: inout JSONText) {
        guard let trends else { return }
        json.breakLineBeforeComma()
        json.beginArray("trends")
        for entry in trends.entries {
            json.beginArray()
            json.string(entry.kind.rawValue)
            json.string(entry.suite, limit: 4_096)
            json.string(entry.test, limit: 4_096)
            json.string(entry.text, limit: 4_096)
            json.endArray()
        }
        json.endArray()
    }
}

/// A part of the page that grows during the run and keeps only its last bytes in memory.
struct HTMLSpill: ~Copyable {
    /// The bytes that are not spilled yet.
    var buffer = ByteBuffer()
    private var parts: [ReportFile.Part] = []

    /// Moves the bytes in memory to the spill file of the report.
    mutating func spill(to file: inout ReportFile) throws(ReportError) {
        let part = try file.spill(buffer)
        buffer.removeAll()
        if let last = parts.last, last.upperBound == part.lowerBound {
            parts[parts.count - 1] = last.lowerBound..<part.upperBound
        } else {
            parts.append(part)
        }
    }

    /// All pieces, in order.
    var pieces: [ReportFile.Piece] { parts.map { .part($0) } + [.bytes(buffer.array)] }
}

/// The data of a suite on the page.
struct HTMLSuite {
    var info: SuiteInfo
    /// The path relative to the working directory.
    let file: String
    /// The duration of the suite in nanoseconds, or `nil` if it did not finish.
    var duration: Int64?
    /// The number of tests that were selected but did not run.
    var notRun = 0

    init(info: SuiteInfo, file: String) {
        self.info = info
        self.file = file
    }
}
