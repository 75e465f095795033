import SuiteModel

/// A JUnit report in the making.
struct JUnitDocument: ~Copyable {
    /// Which test is running.
    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    /// Bytes of elements that are kept in memory at most.
    private static let mostBuffered = 1 << 20

    private var file: ReportFile
    private var hostName: String
    private var workingFolder: String
    private var run = RunInfo(suites: [], testCount: 0, seed: 0, jobs: 0, version: "", startTime: 0)
    private var suites: [Int: JUnitSuite] = [:]
    private var classNames: Set<String> = []
    private var running: [TestKey: TestReference] = [:]
    private var buffered = 0
    private var notices: [String] = []
    private var summary: RunSummary?
    private var failure: ReportError?

    init(file: consuming ReportFile, hostName: String, workingFolder: String) {
        self.file = file
        self.hostName = hostName
        self.workingFolder = workingFolder
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            run = info
            if !info.hostName.isEmpty { hostName = info.hostName }
            if !info.workingFolder.isEmpty { workingFolder = info.workingFolder }
            for suite in info.suites { add(suite) }
        case .suiteStarted(let info):
            if suites[info.index] == nil { add(info) }
            suites[info.index]?.info = info
        case .testStarted(let test):
            running[TestKey(suite: test.suite, position: test.position)] = test
        case .testFinished(let result):
            running[TestKey(suite: result.test.suite, position: result.test.position)] = nil
            add(result, sizes: sizes)
        case .testCompleted, .secretLearned, .interrupted:
            break
        case .notice(let notice):
            let text = ([notice.severity.rawValue + ": " + notice.message] + notice.details).joined(separator: "\n  ")
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

    private mutating func add(_ info: SuiteInfo) {
        let place = SuitePlace(path: info.path, documentIndex: info.documentIndex, workingFolder: workingFolder)
        var name = place.className
        var count = 1
        while !classNames.insert(name).inserted {
            count += 1
            name = "\(place.className)_\(count)"
        }
        suites[info.index] = JUnitSuite(info: info, place: place, className: name)
    }

    private mutating func add(_ result: TestResult, sizes: BodySizes = BodySizes()) {
        guard var suite = suites.removeValue(forKey: result.test.suite) else { return }
        let before = suite.buffer.count
        suite.add(result, sizes: sizes)
        buffered += suite.buffer.count - before
        suites[result.test.suite] = suite
        if buffered > Self.mostBuffered { spillAll() }
    }

    private mutating func spillAll() {
        buffered = 0
        for index in suites.keys {
            guard let buffer = suites[index]?.buffer, !buffer.isEmpty else { continue }
            suites[index]?.buffer = []
            guard failure == nil else { continue }
            do { suites[index]?.parts.append(try file.spill(buffer)) } catch { failure = error }
        }
    }

    // MARK: The end

    mutating func finish() throws(ReportError) {
        if let failure { throw failure }
        let unfinished = running.values.sorted { ($0.suite, $0.position) < ($1.suite, $1.position) }
        running = [:]
        for test in unfinished {
            add(TestResult(test: test, outcome: .skipped(reason: "not finished: the run was stopped")))
        }
        if let failure { throw failure }

        var pieces: [ReportFile.Piece] = []
        var counts = JUnitSuite.Counts()
        var time: Int64 = 0
        for (_, suite) in suites.sorted(by: { $0.key < $1.key }) where suite.counts.tests > 0 || !suite.notices.isEmpty
        {
            counts.add(suite.counts)
            time += suite.duration ?? suite.caseTime
            pieces.append(.bytes(suite.head(run: run, hostName: hostName)))
            for part in suite.parts { pieces.append(.part(part)) }
            pieces.append(.bytes(suite.buffer))
            pieces.append(.bytes(suite.tail))
        }
        var head = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites".utf8)
        XMLText.appendAttribute("name", "apitest", to: &head)
        counts.writeAttributes(into: &head)
        XMLText.appendAttribute("time", DurationText.seconds(summary?.duration ?? time), to: &head)
        XMLText.appendAttribute("timestamp", Timestamp.text(run.startTime), to: &head)
        XMLText.appendAttribute("hostname", hostName, to: &head)
        head.append(contentsOf: ">\n".utf8)
        pieces.insert(.bytes(head), at: 0)
        pieces.append(.bytes(Array("</testsuites>\n".utf8)))
        try file.publish(pieces)
    }
}
