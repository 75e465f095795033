import SuiteModel

/// An HTTP Archive in the making.
struct HARDocument: ~Copyable {
    private var file: ReportFile
    private var version = ""
    private var clock = RunClock(RunInfo(suites: [], testCount: 0, seed: 0, jobs: 0, version: "", startTime: 0))
    private var time = TimeText()
    private var fields = HARFieldList()
    private var suites: [Int: HARSuite] = [:]
    private var pages = SpilledText()
    private var entries = SpilledText()
    /// Takes the bytes of the pages or of the entries while something is appended to them.
    private var json = JSONText()
    private var hasEntries = false
    /// What happened beside the exchanges.
    private var comments: [String] = []
    private var failure: ReportError?

    init(file: consuming ReportFile) {
        self.file = file
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            version = info.version
            clock = RunClock(info)
            for suite in info.suites { suites[suite.index] = HARSuite(suite) }
        case .suiteStarted(let info):
            suites[info.index] = HARSuite(info)
        case .testFinished(let result):
            add(result, sizes: sizes)
        case .interrupted:
            comments.append("the run was interrupted")
        case .notice(let notice):
            comments.append("\(notice.severity.rawValue): \(notice.message)")
        case .testStarted, .testCompleted, .secretLearned, .suiteFinished, .runFinished:
            break
        }
    }

    // MARK: Entries

    /// Writes the page and the entries of a test.
    mutating func add(_ result: TestResult, sizes: BodySizes) {
        guard failure == nil else { return }
        let suite = suites[result.test.suite] ?? HARSuite(nil)
        let page = HARPage(suite: result.test.suite + 1, test: result.test.position + 1)
        swap(&json.buffer, &entries.bytes)
        let count = addEntries(of: result, sizes: sizes, suite: suite, page: page)
        swap(&json.buffer, &entries.bytes)
        guard count > 0 else { return }
        let isFirst = pages.isEmpty
        swap(&json.buffer, &pages.bytes)
        json.buffer.append(isFirst ? "\n    " : ",\n    ")
        json.beginElement()
        json.beginObject()
        json.member("startedDateTime", &time, at: clock.milliseconds(at: result.start))
        json.key("id")
        page.write(into: &json)
        json.key("title")
        suite.writeTitle(of: result.test.name, into: &json)
        json.beginObject("pageTimings")
        json.member("onContentLoad", -1)
        json.member("onLoad", milliseconds: result.duration)
        json.endObject()
        json.member("_outcome", OutcomeWord.text(result.outcome))
        json.endObject()
        swap(&json.buffer, &pages.bytes)
        do throws(ReportError) {
            try pages.spillIfLong(to: &file)
            try entries.spillIfLong(to: &file)
        } catch {
            failure = error
        }
    }

    /// Appends the entries of a test.
    ///
    /// - Returns: How many there are.
    private mutating func addEntries(
        of result: TestResult, sizes: BodySizes, suite: HARSuite, page: HARPage
    ) -> Int {
        var count = 0
        for (number, attempt) in result.earlierAttempts.enumerated() {
            for step in attempt.steps {
                add(step, of: result, attempt: number + 1, suite: suite, page: page, count: &count)
            }
        }
        let attempt = result.earlierAttempts.isEmpty ? nil : result.earlierAttempts.count + 1
        for (index, step) in result.steps.enumerated() {
            add(step, of: result, attempt: attempt, suite: suite, page: page, sizes: sizes[index], count: &count)
        }
        return count
    }

    private mutating func add(
        _ step: TestResult.Step, of result: TestResult, attempt: Int?, suite: HARSuite, page: HARPage,
        sizes: BodySizes.Pair = BodySizes.Pair(), count: inout Int
    ) {
        var context = HAREntry.Context(
            page: page, suite: suite, test: result.test.name, step: result.test.hasSteps ? step.name : nil,
            attempt: attempt)
        for (number, earlier) in step.earlierAttempts.enumerated() {
            guard let exchange = earlier.exchange else { continue }
            context.outcome = earlier.outcome
            if step.polls == 0 { context.attempt = number + 1 } else { context.isPoll = true }
            add(exchange, BodySizes.Pair(), context, &count)
        }
        guard let exchange = step.exchange else { return }
        if step.polls > 0 {
            context.isPoll = true
        } else if !step.earlierAttempts.isEmpty {
            context.attempt = step.earlierAttempts.count + 1
        }
        context.outcome = step.outcome
        add(exchange, sizes, context, &count)
    }

    private mutating func add(
        _ exchange: Exchange, _ sizes: BodySizes.Pair, _ context: HAREntry.Context, _ count: inout Int
    ) {
        let entry = HAREntry(exchange: exchange, sizes: sizes, context: context, clock: clock)
        for hop in exchange.hops {
            begin(&count)
            entry.write(hop, into: &json, time: &time)
        }
        begin(&count)
        entry.write(into: &json, time: &time, fields: &fields)
    }

    private mutating func begin(_ count: inout Int) {
        count += 1
        json.buffer.append(hasEntries ? ",\n    " : "\n    ")
        hasEntries = true
        json.beginElement()
    }

    // MARK: The end

    mutating func finish() throws(ReportError) {
        if let failure { throw failure }
        var head = JSONText()
        head.beginObject()
        head.beginObject("log")
        head.breakLine()
        head.member("version", "1.2")
        head.breakLine()
        head.beginObject("creator")
        head.member("name", "apitest")
        head.member("version", version)
        head.endObject()
        head.breakLine()
        if !comments.isEmpty {
            head.member("comment", comments.joined(separator: "; "), limit: FailureSummary.longestText)
            head.breakLine()
        }
        head.beginArray("pages")
        var pieces = [ReportFile.Piece.bytes(head.bytes)]
        pieces += pages.pieces
        pieces.append(.bytes(Array("],\n\"entries\":[".utf8)))
        pieces += entries.pieces
        pieces.append(.bytes(Array("]}}\n".utf8)))
        try file.publish(pieces)
    }
}
