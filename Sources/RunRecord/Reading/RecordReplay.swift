import Basics
import Output
public import RunModel

/// A replay of a record's events in the order of a run: tests finish in file order, suite by suite.
///
/// Only the finished tests that must wait for a preceding one are kept in memory.
package struct RecordReplay {
    /// The state of a suite.
    private struct SuiteState {
        var info: SuiteInfo
        var hasStarted = false
        var hasEnded = false
        /// The position of the test that finishes next.
        var next = 0
        var waiting: [Int: RecordedEvent] = [:]
        var counts = OutcomeCounts()
        /// The number of tests that ran or were skipped on purpose.
        var done = 0
        /// The number of tests with a result that was cut off.
        var cutOff = 0
        /// The end of its last test.
        var end: Int64 = 0
    }

    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    private let output: (RecordedEvent) -> Void
    private var info: RunInfo?
    private var suites: [SuiteState] = []
    private var running: [TestKey: (test: TestReference, time: Int64)] = [:]
    private var wasInterrupted = false
    private var hasServerError = false
    private var summary: RunSummary?
    private var exchanges = 0
    /// The notices about the record.
    package private(set) var notes: [RunNotice] = []

    /// Creates a replay that passes events to a closure.
    package init(output: @escaping (RecordedEvent) -> Void) { self.output = output }

    /// Processes the event of the next line.
    package mutating func receive(_ recorded: RecordedEvent) throws(RecordProblem) {
        if case .runStarted(let info) = recorded.event {
            guard self.info == nil else {
                throw RecordProblem("a second run starts here: use `apitest report merge` to combine records")
            }
            self.info = info
            suites = info.suites.map { SuiteState(info: $0) }
            output(recorded)
            return
        }
        guard info != nil else { throw RecordProblem("a record must start with a line whose \"event\" is \"run\"") }
        guard summary == nil else { throw RecordProblem("unexpected line after the end of the run") }
        switch recorded.event {
        case .suiteStarted(let info):
            try check(info.index)
            start(info.index, recorded)
        case .testStarted(let test):
            try check(test.suite)
            running[TestKey(suite: test.suite, position: test.position)] = (test, recorded.time ?? 0)
            output(recorded)
        case .testCompleted(let result):
            try check(result.test.suite)
            running[TestKey(suite: result.test.suite, position: result.test.position)] = nil
            completed(result, recorded)
        case .suiteFinished(let summary):
            try check(summary.suite)
            finish(summary.suite, recorded)
        case .notice(let notice):
            if let suite = notice.suite { try check(suite) }
            if notice.severity == .error { hasServerError = true }
            output(recorded)
        case .runFinished(let summary):
            self.summary = summary
            for index in suites.indices where !suites[index].hasEnded { drain(index) }
            output(recorded)
        case .interrupted:
            wasInterrupted = true
            output(recorded)
        case .load(let event):
            if case .finished(let summary) = event { try check(summary.suite) }
            output(recorded)
        case .runStarted, .testFinished, .secretRegistered: break
        }
    }

    private func check(_ suite: Int) throws(RecordProblem) {
        guard suites.indices.contains(suite) else {
            throw RecordProblem("unknown suite \(suite)", member: "suite")
        }
    }

    private mutating func start(_ index: Int, _ recorded: RecordedEvent) {
        guard !suites[index].hasStarted else { return }
        suites[index].hasStarted = true
        output(recorded)
        drainInOrder(index)
    }

    private mutating func completed(_ result: TestResult, _ recorded: RecordedEvent) {
        output(recorded)
        let index = result.test.suite
        suites[index].end = max(suites[index].end, Self.end(of: result))
        suites[index].counts.count(result)
        if result.test.kind == .test {
            if result.isCutOff { suites[index].cutOff += 1 } else { suites[index].done += 1 }
        }
        exchanges += result.steps.count { $0.outcome.isSuccess || $0.outcome.isFailure }
        var finished = recorded
        finished.event = .testFinished(result)
        suites[index].waiting[result.test.position] = finished
        if suites[index].hasStarted { drainInOrder(index) }
    }

    /// Returns the result of a test that was running when its run was killed.
    static func unfinished(_ test: TestReference, start: Int64) -> TestResult {
        var result = TestResult(
            test: test, outcome: .skipped(reason: "not finished: the run was stopped"), start: start)
        result.isCutOff = true
        return result
    }

    /// Returns the end of a test in nanoseconds since the start of the run.
    package static func end(of result: TestResult) -> Int64 {
        let (end, overflow) = result.start.addingReportingOverflow(max(0, result.duration))
        return overflow ? result.start : end
    }

    /// Outputs the finished tests that are next in order.
    private mutating func drainInOrder(_ index: Int) {
        while let recorded = suites[index].waiting.removeValue(forKey: suites[index].next) {
            suites[index].next += 1
            output(recorded)
        }
    }

    /// Outputs all finished tests of a suite, preceded by its start.
    private mutating func drain(_ index: Int) {
        if !suites[index].hasStarted {
            if suites[index].waiting.isEmpty { return }
            start(index, RecordedEvent(event: .suiteStarted(suites[index].info)))
        }
        let rest = suites[index].waiting.sorted { $0.key < $1.key }
        suites[index].waiting = [:]
        for (_, recorded) in rest { output(recorded) }
    }

    private mutating func finish(_ index: Int, _ recorded: RecordedEvent) {
        guard !suites[index].hasEnded else { return }
        suites[index].hasEnded = true
        drain(index)
        output(recorded)
    }

    /// Ends the run, even if its record is truncated.
    ///
    /// Tests that were still running are skipped as not finished.
    ///
    /// - Returns: The summary of the run, or `nil` if there was no run.
    package mutating func end() -> RunSummary? {
        guard let info else { return nil }
        if let summary { return summary }
        let begun = running.values.count { $0.test.kind == .test }
        let notRun = max(0, info.testCount - suites.reduce(0) { $0 + $1.done })
        let notBegun = max(0, notRun - begun - suites.reduce(0) { $0 + $1.cutOff })
        for (_, (test, time)) in running.sorted(by: {
            ($0.key.suite, $0.key.position) < ($1.key.suite, $1.key.position)
        }) {
            let result = Self.unfinished(test, start: time)
            completed(result, RecordedEvent(event: .testCompleted(result)))
        }
        running = [:]
        var counts = OutcomeCounts()
        var end: Int64 = 0
        for index in suites.indices {
            counts.add(suites[index].counts)
            end = max(end, suites[index].end)
            guard !suites[index].hasEnded else { continue }
            drain(index)
            guard suites[index].hasStarted else { continue }
            let suite = suites[index]
            var summary = SuiteSummary(
                suite: index, counts: suite.counts, duration: max(0, suite.end - suite.info.start))
            summary.notRun = max(0, suite.info.testCount - suite.done)
            finish(index, RecordedEvent(event: .suiteFinished(summary)))
        }
        var message: MessageText = "the record ends before the run finished"
        if notBegun > 0 { message += "; \(NumberText.count(notBegun, "test")) had not started" }
        let notice = RunNotice(.truncatedRecord, severity: .warning, message: message)
        notes.append(notice)
        output(RecordedEvent(event: .notice(notice), time: end))
        var summary = RunSummary(
            counts: counts, exchanges: exchanges, duration: end, wasInterrupted: wasInterrupted,
            hasServerError: hasServerError)
        let reason = wasInterrupted ? "interrupted" : notRun == 0 ? "the record ends before the run finished" : nil
        summary.missing = MissingTests(
            notRun: notRun, planned: info.testCount, reasons: reason.map { [$0] } ?? [])
        self.summary = summary
        output(RecordedEvent(event: .runFinished(summary)))
        return summary
    }
}

extension OutcomeCounts {
    /// Adds other counts.
    package mutating func add(_ other: OutcomeCounts) {
        passed += other.passed
        flaky += other.flaky
        known += other.known
        failed += other.failed
        errored += other.errored
        skipped += other.skipped
        blocked += other.blocked
    }
}

/// An event read from a record.
package struct RecordedEvent {
    /// The event.
    package var event: RunEvent
    /// The original sizes of bodies that were masked or truncated.
    package var sizes = BodySizes()
    /// Nanoseconds from the start of the run to the event, if the record states it.
    package var time: Int64?
    /// Whether the record includes the exchanges of passed steps, which only reports that need them show.
    package var hasAllExchanges = false

    /// Creates an event.
    package init(
        event: RunEvent, sizes: BodySizes = BodySizes(), time: Int64? = nil, hasAllExchanges: Bool = false
    ) {
        self.event = event
        self.sizes = sizes
        self.time = time
        self.hasAllExchanges = hasAllExchanges
    }
}

/// The outcome of reading records.
public struct RecordOutcome: Sendable {
    /// The summary of the run.
    public var summary: RunSummary
    /// The notices about the records, such as that one is truncated or that they do not match.
    public var notes: [RunNotice]

    /// Creates an outcome.
    package init(summary: RunSummary, notes: [RunNotice]) {
        self.summary = summary
        self.notes = notes
    }
}

extension Int64 {
    /// Returns the sum, clamped on overflow.
    package func plus(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}

extension TestResult {
    /// Shifts all times by a number of nanoseconds.
    package mutating func move(by offset: Int64) {
        guard offset != 0 else { return }
        start = start.plus(offset)
        for index in steps.indices { steps[index].move(by: offset) }
        for attempt in previousAttempts.indices {
            for index in previousAttempts[attempt].steps.indices {
                previousAttempts[attempt].steps[index].move(by: offset)
            }
        }
    }
}

extension TestResult.Step {
    fileprivate mutating func move(by offset: Int64) {
        start = start.plus(offset)
        if let time = exchange?.start { exchange?.start = time.plus(offset) }
        for index in previousAttempts.indices {
            if let time = previousAttempts[index].exchange?.start {
                previousAttempts[index].exchange?.start = time.plus(offset)
            }
        }
    }
}
