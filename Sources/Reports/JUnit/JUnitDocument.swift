import Basics
import Output
import RunModel
import RunRecord

/// The JUnit report of a run.
struct JUnitDocument: ReportDocument, ~Copyable {
    /// The test events of the report: starts, for the tests that do not finish, and results in file order.
    let testEvents: TestEvents = [.started, .finished]

    /// The maximum number of bytes of elements to keep in memory.
    ///
    /// It is small so that this and other reports' buffers stay in a CPU cache.
    private static let maximumBufferedBytes = 1 << 16

    private var file: ReportFile
    /// The requested path.
    private let path: String
    private let options: JUnitOptions
    private var hostName: String
    private var workingDirectory: String
    private var run = RunInfo(suites: [], testCount: 0, seed: 0, jobs: 0, version: "", startTime: 0)
    private var suites = SuiteTable<JUnitSuite>()
    private var classNames: Set<String> = []
    private var running = RunningTests()
    private var buffered = 0
    /// The suites written to since the last spill, preceded by the last one before it.
    ///
    /// May contain duplicates.
    private var written: [Int] = []
    private var notices: [String] = []
    private var runNotices: [RunNotice] = []
    private var summary: RunSummary?
    private var failure: ReportError?

    init(
        file: consuming ReportFile, path: String, options: JUnitOptions, hostName: String, workingDirectory: String
    ) {
        self.file = file
        self.path = path
        self.options = options
        self.hostName = hostName
        self.workingDirectory = workingDirectory
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            run = info
            if !info.hostName.isEmpty { hostName = info.hostName }
            if !info.workingDirectory.isEmpty { workingDirectory = info.workingDirectory }
            for suite in info.suites { add(suite) }
        case .suiteStarted(let info):
            if suites[info.index] == nil { add(info) }
            suites[info.index]?.info = info
        case .testStarted(let test):
            start(test)
        case .testFinished(let result):
            finish(result, sizes: sizes, hidesExchanges: false)
        case .testCompleted, .secretRegistered, .load, .interrupted:
            break
        case .notice(let notice):
            runNotices.append(notice)
            let text = ([notice.severity.rawValue + ": " + notice.messageWithID] + notice.details.map(\.text)).joined(
                separator: "\n  ")
            if let suite = notice.suite, suites[suite] != nil {
                suites[suite]?.notices.append(text)
            } else {
                notices.append(text)
            }
        case .suiteFinished(let summary):
            suites[summary.suite]?.duration = summary.duration
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
        if hidesExchanges { add(result.brief, sizes: BodySizes()) } else { add(result, sizes: sizes) }
    }

    private mutating func add(_ info: SuiteInfo) {
        let location = SuiteLocation(
            path: info.path, documentIndex: info.documentIndex, workingDirectory: workingDirectory, root: options.root)
        var name = location.className
        var count = 1
        while !classNames.insert(name).inserted {
            count += 1
            name = "\(location.className)_\(count)"
        }
        suites[info.index] = JUnitSuite(
            info: info, location: JUnitLocation(suite: location, className: name), options: options)
    }

    private mutating func add(_ result: TestResult, sizes: BodySizes = BodySizes()) {
        let suite = result.test.suite
        note(suites[suite]?.add(result, sizes: sizes) ?? 0, of: suite)
    }

    /// Counts the bytes kept for a suite, and spills them to disk if the total is too large.
    private mutating func note(_ bytes: Int, of suite: Int) {
        buffered += bytes
        if written.last != suite { written.append(suite) }
        if buffered > Self.maximumBufferedBytes { spillAll() }
    }

    private mutating func spillAll() {
        buffered = 0
        let last = written.last
        for index in written {
            // Removed from the table to avoid copying its bytes.
            guard var suite = suites[index] else { continue }
            suites[index] = nil
            for chunk in suite.spilled..<suite.chunks.count {
                if failure == nil, !suite.chunks[chunk].buffer.isEmpty {
                    do { suite.chunks[chunk].add(try file.spill(suite.chunks[chunk].buffer)) } catch { failure = error }
                }
                // Only the current chunk reuses its memory.
                let isCurrent = index == last && chunk == suite.chunks.count - 1
                suite.chunks[chunk].buffer.removeAll(keepingCapacity: isCurrent)
            }
            suite.spilled = suite.chunks.count - 1
            suites[index] = suite
        }
        written = last.map { [$0] } ?? []
    }

    // MARK: The end

    mutating func finish() throws(ReportError) {
        if let failure { throw failure }
        for test in running.takeAll() {
            add(TestResult(test: test, outcome: .skipped(reason: "not finished: the run was stopped")))
        }
        if let failure { throw failure }

        // A run that did not start is not incomplete.
        let hasBegun = !run.version.isEmpty || summary != nil
        let problems = hasBegun ? RunProblem.all(summary, notices: runNotices) : []
        var problemsOfRun: [RunProblem] = []
        for problem in problems {
            if let suite = problem.suite, suites[suite] != nil {
                suites[suite]?.add(problem)
            } else {
                problemsOfRun.append(problem)
            }
        }
        let shown = suites.sorted.map(\.value).filter(\.isShown)
        // The first suite also has the notices that belong to no suite.
        var all = shown
        if !notices.isEmpty, !all.isEmpty { all[0].notices += notices }
        var files: [OutputFile] = [OutputFile()]
        for suite in all {
            for index in suite.chunks.indices {
                let count = suite.chunks[index].counts.tests
                if let maximum = options.casesPerFile, let last = files.last, last.counts.tests > 0,
                    last.counts.tests + count > maximum
                {
                    files.append(OutputFile())
                }
                files[files.count - 1].add(suite, chunk: index, run: run, hostName: hostName)
            }
        }
        let ofRun = JUnitProblems(problems: problemsOfRun, isStrict: options.isStrict)
        if !ofRun.isEmpty { files[files.count - 1].add(ofRun, run: run, hostName: hostName) }
        for (index, sheet) in files.enumerated() {
            let time = files.count == 1 ? summary?.duration ?? sheet.time : sheet.time
            let pieces = [.bytes(head(sheet, time: time))] + sheet.pieces + [.bytes(Array("</testsuites>\n".utf8))]
            if index == 0 {
                try file.publish(pieces)
            } else {
                try file.publish(pieces, as: ReportFile.path(path, number: index + 1))
            }
        }
        if options.casesPerFile != nil {
            ReportFile.removeAll(from: files.count + 1) { ReportFile.path(path, number: $0) }
        }
    }

    /// An output file of the report.
    private struct OutputFile {
        var pieces: [ReportFile.Piece] = []
        var counts = JUnitSuite.Counts()
        var time: Int64 = 0
        private var suites = 0

        mutating func add(_ suite: JUnitSuite, chunk index: Int, run: RunInfo, hostName: String) {
            let chunk = suite.chunks[index]
            counts.add(chunk.counts)
            time = time.plus(suite.time(of: index))
            pieces.append(.bytes(suite.head(index, position: suites, run: run, hostName: hostName)))
            for part in chunk.parts { pieces.append(.part(part)) }
            pieces.append(.bytes(chunk.buffer))
            pieces.append(.bytes(suite.tail(index)))
            suites += 1
        }

        mutating func add(_ problems: JUnitProblems, run: RunInfo, hostName: String) {
            counts.add(problems.counts)
            pieces.append(.bytes(problems.element(position: suites, run: run, hostName: hostName)))
        }
    }

    /// Returns the start of a file up to its first suite.
    private borrowing func head(_ sheet: OutputFile, time: Int64) -> [UInt8] {
        var head = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites".utf8)
        if !options.isStrict {
            XMLText.appendAttribute("name", "apitest", to: &head)
            sheet.counts.writeAttributes(into: &head)
            XMLText.appendAttribute("time", DurationText.seconds(time), to: &head)
            XMLText.appendAttribute("timestamp", Timestamp.text(run.startTime), to: &head)
            XMLText.appendAttribute("hostname", hostName, to: &head)
        }
        head.append(contentsOf: ">\n".utf8)
        return head
    }
}

/// The location of a suite's test cases, and the attributes that they share.
struct JUnitLocation {
    let suite: SuiteLocation
    /// The class name of all test cases of the suite, which is unique in the report.
    let className: String
    /// The `classname` attribute with a leading space.
    let classAttribute: [UInt8]
    /// The `file` attribute with a leading space.
    let fileAttribute: [UInt8]

    init(suite: SuiteLocation, className: String) {
        self.suite = suite
        self.className = className
        var attribute: [UInt8] = []
        XMLText.appendAttribute("classname", className, to: &attribute)
        classAttribute = attribute
        attribute = []
        XMLText.appendAttribute("file", suite.file, to: &attribute)
        fileAttribute = attribute
    }
}
