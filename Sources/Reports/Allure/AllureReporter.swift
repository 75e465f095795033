import Basics
import Diagnostics
import FileSystem
import Output
import RunModel
import RunRecord

/// The results of a run in the format of Allure 2: a directory with a file per test, written as tests finish.
///
/// Results of previous runs in the directory are kept.
typealias AllureReporter = DocumentReporter<AllureDocument>

extension AllureReporter {
    /// Creates a reporter and checks that its directory is writable.
    ///
    /// - Parameters:
    ///   - path: The directory, which is created along with its ancestors if it does not exist.
    ///   - executor: The CI job that runs the tests.
    /// - Throws: ``ReportError`` if the directory is not writable.
    convenience init(path: String, executor: AllureExecutor?) throws(ReportError) {
        self.init(AllureDocument(directory: try ReportDirectory(path: path), executor: executor))
    }
}

/// The Allure results of a run.
struct AllureDocument: ReportDocument, ~Copyable {
    /// Delivered at once, so that readers find results as soon as tests have finished.
    let delivery = ReportDelivery.atOnce

    private var directory: ReportDirectory
    /// The CI job that writes the report, used if the record does not name the job of its run.
    private let executor: AllureExecutor?
    private var run = RunInfo(suites: [], testCount: 0, seed: 0, jobs: 0, version: "", startTime: 0)
    private var clock = RunClock()
    private var identity = AllureHash()
    private var suites: [Int: AllureSuite] = [:]
    private var containers: [Int: AllureContainer] = [:]
    private var infos: [Int: SuiteInfo] = [:]
    private var notices: [RunNotice] = []
    private var wasInterrupted = false
    private var summary: RunSummary?
    private var json = JSONText()
    private var failure: ReportError?

    init(directory: consuming ReportDirectory, executor: AllureExecutor?) {
        self.directory = directory
        self.executor = executor
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            start(info)
        case .suiteStarted(let info):
            add(info)
        case .testFinished(let result):
            add(result, sizes: sizes)
        case .suiteFinished(let summary):
            writeContainer(summary)
        case .notice(let notice):
            notices.append(notice)
        case .interrupted:
            wasInterrupted = true
        case .runFinished(let summary):
            self.summary = summary
        case .testStarted, .testCompleted, .secretRegistered, .load:
            break
        }
    }

    private mutating func start(_ info: RunInfo) {
        run = info
        if run.hostName.isEmpty { run.hostName = SystemInfo.hostName }
        if run.workingDirectory.isEmpty { run.workingDirectory = SystemInfo.workingDirectory }
        clock = RunClock(info)
        // Values that distinguish this run from others whose results may be written to the same directory.
        identity.add(run.hostName)
        identity.add(clock.start)
        identity.add(Int64(bitPattern: info.seed))
        identity.add(info.shard ?? "")
        for suite in info.suites { add(suite) }
    }

    private mutating func add(_ info: SuiteInfo) {
        infos[info.index] = info
        suites[info.index] = AllureSuite(
            info, run: identity, workingDirectory: run.workingDirectory, hostName: run.hostName)
    }

    // MARK: Results

    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        add(test.result(hidesExchanges: hidesExchanges), sizes: test.sizes)
    }

    private mutating func add(_ result: TestResult, sizes: BodySizes) {
        guard failure == nil, let suite = suites[result.test.suite] else { return }
        let item = AllureResult(result: result, suite: suite, clock: clock)
        if result.previousAttempts.isEmpty, result.steps.allSatisfy(\.previousAttempts.isEmpty) {
            write(
                item,
                AllureResult.Execution(
                    attempt: 0, outcome: result.outcome, steps: result.steps, start: result.start,
                    stop: result.start + max(0, result.duration), sizes: sizes))
        } else {
            for execution in AllureResult.executions(of: result, sizes: sizes) { write(item, execution) }
        }
    }

    private mutating func write(_ item: AllureResult, _ execution: AllureResult.Execution) {
        let identity = item.identity(execution)
        var attached: [(name: String, attachment: AllureAttachment)] = []
        json.restart()
        item.write(execution, identity, into: &json) { attachment in
            var hash = identity
            hash.add("attachment")
            hash.add(Int64(attached.count))
            let name = "\(hash.uuid)-attachment.\(attachment.suffix)"
            attached.append((name, attachment))
            return name
        }
        // Attachments are written first, so that every file that a result refers to exists while the run is in
        // progress.
        for (name, attachment) in attached { write(attachment.bytes, as: name) }
        let test = item.result.test
        // A setup or teardown is a fixture of the tests of its suite, and a result only if it failed.
        if item.result.isCounted { write(json.bytes, as: identity.uuid + "-result.json") }
        guard execution.attempt == 0 else { return }
        if item.result.isCounted { containers[test.suite, default: AllureContainer()].children.append(identity) }
        guard test.kind != .test else { return }
        var next = 0
        json.restart()
        item.writeFixture(execution, into: &json) { _ in
            next += 1
            return next <= attached.count ? attached[next - 1].name : ""
        }
        if test.kind == .setup {
            containers[test.suite, default: AllureContainer()].befores.append(json.bytes)
        } else {
            containers[test.suite, default: AllureContainer()].afters.append(json.bytes)
        }
    }

    private mutating func write(_ bytes: [UInt8], as name: String) {
        guard failure == nil else { return }
        do { try directory.write(bytes, as: name) } catch { failure = error }
    }

    // MARK: Suites and the run

    /// Writes the container of a suite that has fixtures, and discards the data that only the container needs.
    private mutating func writeContainer(_ summary: SuiteSummary) {
        guard let container = containers.removeValue(forKey: summary.suite), let suite = suites[summary.suite],
            !container.befores.isEmpty || !container.afters.isEmpty
        else { return }
        var hash = suite.identity
        hash.add("container")
        let uuid = hash.uuid
        json.restart()
        json.beginObject()
        json.member("uuid", uuid)
        json.member("name", suite.info.name, limit: FailureSummary.maximumMessageLength)
        json.beginArray("children")
        for child in container.children { json.string(child.uuid) }
        json.endArray()
        for (name, fixtures) in [("befores", container.befores), ("afters", container.afters)]
            as [(StaticString, [[UInt8]])]
        {
            json.beginArray(name)
            for fixture in fixtures { json.raw(fixture) }
            json.endArray()
        }
        json.member("start", clock.milliseconds(at: suite.info.start))
        json.member("stop", clock.milliseconds(at: suite.info.start + max(0, summary.duration)))
        json.endObject()
        write(json.bytes, as: uuid + "-container.json")
    }

    /// Writes results for failures of the run outside its tests.
    private mutating func writeProblems() {
        guard !infos.isEmpty || summary != nil else { return }
        let index = (infos.keys.max() ?? -1) + 1
        add(SuiteInfo(index: index, name: RunProblem.suiteName, path: RunProblem.suiteName, testCount: 0))
        let start = SourcePosition(line: 1, column: 1)
        let range = SourceRange(file: SourceFile(name: RunProblem.suiteName, text: ""), start: start, end: start)
        for (position, problem) in RunProblem.all(summary, notices: notices).enumerated() {
            let finding = Finding(
                kind: problem.outcome == .errored ? .error : .failure, subject: Finding.Subject(problem.name),
                type: .init(problem.type),
                message: MessageText(problem.message), details: problem.details.map { MessageText($0) })
            let test = TestReference(
                suite: problem.suite ?? index, position: .max - position, name: problem.name, range: range)
            let step = TestResult.Step(name: problem.name, outcome: problem.outcome, findings: [finding], range: range)
            add(
                TestResult(
                    test: test, outcome: problem.outcome, steps: [step], start: summary?.duration ?? 0, duration: 0),
                sizes: BodySizes())
        }
        infos[index] = nil
    }

    mutating func finish() throws(ReportError) {
        writeProblems()
        let environment = AllureEnvironment.bytes(
            run: run, suites: infos, notices: notices, missing: summary?.missing, wasInterrupted: wasInterrupted)
        write(environment, as: "environment.properties")
        if let executor = AllureExecutor(run.origin) ?? executor { write(executor.bytes, as: "executor.json") }
        if let failure { throw failure }
    }
}
