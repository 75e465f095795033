import Output
import RunModel
import RunRecord

/// A reporter of the exchanges of a run as an HTTP Archive 1.2, with a page per test and an entry per exchange.
///
/// Entries are written as tests finish and spilled to disk if there are many. At the end of the run, the complete
/// report is renamed to its path.
typealias HARReporter = DocumentReporter<HARDocument>

extension HARReporter {
    /// Creates a reporter and checks that its report can be written.
    ///
    /// - Parameter path: The path of the report. Missing directories are created.
    /// - Throws: ``ReportError`` if the path is not writable.
    convenience init(path: String) throws(ReportError) {
        self.init(HARDocument(file: try ReportFile(path: path)))
    }
}

/// The HTTP Archive of a run.
struct HARDocument: ReportDocument, ~Copyable {
    /// The requirements of the report, which include the exchanges of passed steps.
    let needs = ReporterNeeds.exchanges
    private var file: ReportFile
    private var version = ""
    private var clock = RunClock()
    private var time = TimeText()
    private var fields = HAREntry.Fields()
    private var suites = SuiteTable<HARSuite>()
    /// The suite of the previous test, and its index.
    private var lastSuite: (index: Int, suite: HARSuite)?
    /// The archive up to the last entry.
    ///
    /// This part is not copied when the report is published.
    private var entries = SpilledText()
    /// The pages, which follow the entries.
    private var pages = SpilledText(isAside: true)
    /// A writer that borrows the bytes of `pages` or `entries` while data is appended to them.
    private var json = JSONText()
    private var hasHead = false
    private var hasEntries = false
    /// The notices and problems of the run outside its exchanges.
    private var comments: [String] = []
    /// Whether a signal interrupted the run.
    ///
    /// It is cleared at the end of the run, because the summary has the same information.
    private var isInterrupted = false
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
            lastSuite = nil
        case .suiteStarted(let info):
            suites[info.index] = HARSuite(info)
            lastSuite = nil
        case .testFinished(let result):
            add(result, sizes: sizes)
        case .notice(let notice):
            comments.append("\(notice.severity.rawValue): \(notice.messageWithID)")
        case .interrupted:
            isInterrupted = true
        case .runFinished(let summary):
            isInterrupted = false
            guard summary.missing != nil || summary.wasInterrupted else { return }
            for problem in RunProblem.all(summary, notices: []) where problem.kind == .incomplete {
                comments.insert("\(problem.title): \(problem.message) (\(summary.testCountText))", at: 0)
            }
        case .testStarted, .testCompleted, .secretRegistered, .load, .suiteFinished:
            break
        }
    }

    // MARK: Entries

    /// Writes the page and the entries of a test.
    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        add(test.result(hidesExchanges: hidesExchanges), sizes: test.sizes)
    }

    private mutating func add(_ result: TestResult, sizes: BodySizes) {
        guard failure == nil else { return }
        let suite = suite(at: result.test.suite)
        let page = HARPage(suite: result.test.suite + 1, test: result.test.position + 1)
        swap(&json.buffer, &entries.bytes)
        if !hasHead { writeHead() }
        let count = addEntries(of: result, sizes: sizes, suite: suite, page: page)
        swap(&json.buffer, &entries.bytes)
        guard count > 0 else { return }
        let isFirst = pages.isEmpty
        swap(&json.buffer, &pages.bytes)
        json.text(upTo: HARPage.maximumLength + TimeText.count + 64, isWhole: false) { text in
            if !isFirst { text.write(",") }
            text.write("\n    {\"startedDateTime\":\"")
            time.write(clock.milliseconds(at: result.start), into: &text)
            text.write("\",\"id\":")
            page.write(into: &text)
            text.write(",\"title\":")
        }
        suite.writeTitle(of: result.test.name, into: &json)
        json.text(upTo: 96, isWhole: false) { text in
            text.write(",\"pageTimings\":{\"onContentLoad\":-1,\"onLoad\":")
            text.write(milliseconds: result.duration)
            text.write("},\"_outcome\":")
        }
        json.string(OutcomeWord.text(result.outcome))
        if let description = result.test.annotations?.description {
            json.member("comment", description, limit: FailureSummary.maximumMessageLength)
        }
        json.endObject()
        swap(&json.buffer, &pages.bytes)
        do throws(ReportError) {
            try pages.spillIfLong(to: &file)
            try entries.spillIfLong(to: &file)
        } catch {
            failure = error
        }
    }

    private mutating func suite(at index: Int) -> HARSuite {
        if let lastSuite, lastSuite.index == index { return lastSuite.suite }
        let suite = suites[index] ?? HARSuite(nil)
        lastSuite = (index, suite)
        return suite
    }

    /// Appends the entries of a test.
    ///
    /// - Returns: The number of entries.
    private mutating func addEntries(
        of result: TestResult, sizes: BodySizes, suite: HARSuite, page: HARPage
    ) -> Int {
        var count = 0
        var context = HAREntry.Context(page: page, suite: suite.member, test: result.test.name)
        let hasSteps = result.test.hasSteps
        for (number, attempt) in result.previousAttempts.enumerated() {
            for step in attempt.steps {
                context.begin(hasSteps ? step.name : nil, attempt: number + 1)
                if !step.previousAttempts.isEmpty || step.polls > 0 { addPrevious(step, &context, &count) }
                context.outcome = step.outcome
                if let exchange = step.exchange { add(exchange, BodySizes.Pair(), context, &count) }
            }
        }
        let attempt = result.previousAttempts.isEmpty ? nil : result.previousAttempts.count + 1
        let steps = result.steps
        for index in steps.indices {
            context.begin(hasSteps ? steps[index].name : nil, attempt: attempt)
            if !steps[index].previousAttempts.isEmpty || steps[index].polls > 0 {
                addPrevious(steps[index], &context, &count)
            }
            context.outcome = steps[index].outcome
            if let exchange = steps[index].exchange { add(exchange, sizes[index], context, &count) }
        }
        return count
    }

    /// Appends the entries of a step's earlier attempts, and sets the context for the final one.
    private mutating func addPrevious(
        _ step: TestResult.Step, _ context: inout HAREntry.Context, _ count: inout Int
    ) {
        for (number, previous) in step.previousAttempts.enumerated() {
            guard let exchange = previous.exchange else { continue }
            context.outcome = previous.outcome
            if step.polls == 0 { context.attempt = number + 1 } else { context.isPoll = true }
            add(exchange, BodySizes.Pair(), context, &count)
        }
        if step.polls > 0 {
            context.isPoll = true
        } else if !step.previousAttempts.isEmpty {
            context.attempt = step.previousAttempts.count + 1
        }
    }

    private mutating func add(
        _ exchange: Exchange, _ sizes: BodySizes.Pair, _ context: HAREntry.Context, _ count: inout Int
    ) {
        // The format describes HTTP exchanges only.
        if exchange.details?.command != nil { return }
        let entry = HAREntry(exchange: exchange, sizes: sizes, clock: clock)
        for hop in exchange.hops {
            begin(&count)
            entry.write(hop, context, into: &json, time: &time)
        }
        begin(&count)
        entry.write(context, into: &json, time: &time, fields: &fields)
    }

    private mutating func begin(_ count: inout Int) {
        count += 1
        json.buffer.append(hasEntries ? ",\n    " : "\n    ")
        hasEntries = true
        json.beginElement()
    }

    // MARK: Start and end

    /// Writes the part before the entries.
    private mutating func writeHead() {
        hasHead = true
        json.literal("{\"log\":{\n\"version\":\"1.2\",\n\"creator\":{\"name\":\"apitest\",\"version\":")
        json.string(version)
        json.literal("},\n\"entries\":[")
    }

    mutating func finish() throws(ReportError) {
        if let failure { throw failure }
        if isInterrupted { comments.insert("the run was interrupted", at: 0) }
        if !hasHead {
            swap(&json.buffer, &entries.bytes)
            writeHead()
            swap(&json.buffer, &entries.bytes)
        }
        var pieces = entries.pieces
        pieces.append(.bytes(Array("],\n\"pages\":[".utf8)))
        pieces += pages.pieces
        var end = JSONText()
        end.endArray()
        if !comments.isEmpty {
            end.breakLine()
            end.member("comment", comments.joined(separator: "; "), limit: FailureSummary.maximumTextLength)
        }
        end.literal("}}\n")
        pieces.append(.bytes(end.bytes))
        try file.publish(pieces)
    }
}

/// The data that all entries of a suite share.
struct HARSuite {
    let name: String
    /// The `_suite` member with a leading comma, and the name of the member that follows it.
    let member: [UInt8]
    /// The escaped part of a title before the name of the test.
    private let titleStart: [UInt8]

    /// Appends the title of a test page as a string.
    func writeTitle(of test: String, into json: inout JSONText) {
        if titleStart.count + test.utf8.count <= FailureSummary.maximumMessageLength {
            json.string(escaped: titleStart, then: test)
        } else {
            json.string(name + StepSeparator.text + test, limit: FailureSummary.maximumMessageLength)
        }
    }

    /// Creates the data of a suite.
    ///
    /// - Parameter info: The suite, or `nil` if it is unknown.
    init(_ info: SuiteInfo?) {
        name = info?.name ?? ""
        var member = Array(",\"_suite\":".utf8)
        JSONText.append(name, to: &member)
        member += Array(",\"_test\":".utf8)
        self.member = member
        var start: [UInt8] = []
        JSONText.append(name + StepSeparator.text, to: &start)
        titleStart = Array(start.dropFirst().dropLast())
    }
}
