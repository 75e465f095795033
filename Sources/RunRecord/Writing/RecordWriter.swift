import Basics
import Diagnostics
import JSON
import Output
package import RunModel

/// A writer of the events of a run as JSON Lines, as described in `Documentation/events.md`.
package struct RecordWriter: ~Copyable {
    /// The version of the schema of the lines.
    package static let schema: Int64 = 1

    var line = JSONText(.record)
    /// The location of the previous test, with its serialized members.
    private var location: RecordLocation?
    /// Whether the record includes the exchanges of passed steps, which only reports that need them show.
    package var marksExchanges = false

    /// Creates a writer that has no lines yet.
    package init() {}

    /// The number of bytes of the lines since they were last removed.
    package var count: Int { line.buffer.count }

    /// Swaps the lines with an empty buffer for the lines that follow.
    mutating func exchangeLines(_ other: inout ByteBuffer) {
        swap(&line.buffer, &other)
    }

    /// Appends the line of an event.
    ///
    /// An event that repeats the result of a test in file order has no line.
    ///
    /// - Parameters:
    ///   - sizes: The original sizes of bodies that were masked or truncated.
    ///   - time: Nanoseconds from the start of the run to the event.
    package mutating func write(_ event: RunEvent, sizes: BodySizes, time: Int64) {
        switch event {
        case .testFinished, .secretRegistered, .load(.progress): return
        case .testStarted(let test): return write(started: test, time: time)
        case .testCompleted(let result): return write(result, sizes: sizes, hidesExchanges: false)
        default: line.beginObject()
        }
        switch event {
        case .testStarted, .testCompleted, .testFinished, .secretRegistered, .load(.progress):
            break
        case .runStarted(let info):
            line.member("event", word: "run")
            write(info)
        case .suiteStarted(let info):
            line.member("event", word: "suiteStart")
            line.member("suite", info.index)
            write(info)
        case .load(.second(let second)):
            line.member("event", word: "loadSecond")
            write(second)
        case .load(.finished(let summary)):
            line.member("event", word: "load")
            write(summary)
        case .notice(let notice):
            line.member("event", word: "notice")
            line.member("severity", notice.severity.rawValue)
            if let id = notice.id { line.member("id", id) }
            if let suite = notice.suite { line.member("suite", suite) }
            line.member("message", notice.message)
            line.member("details", notice.details.map(\.text))
            line.member("time", time)
        case .suiteFinished(let summary):
            line.member("event", word: "suiteEnd")
            line.member("suite", summary.suite)
            write(summary.counts)
            line.member("duration", summary.duration)
            if summary.notRun > 0 { line.member("notRun", summary.notRun) }
            if summary.hasServerError { line.member("serverError", true) }
        case .interrupted:
            line.member("event", word: "interruption")
            line.member("time", time)
        case .runFinished(let summary):
            line.member("event", word: "runEnd")
            write(summary.counts)
            line.member("exchanges", summary.exchanges)
            line.member("duration", summary.duration)
            line.member("interrupted", summary.wasInterrupted)
            line.member("serverError", summary.hasServerError)
            if summary.hasSnapshotError { line.member("snapshotError", true) }
            if summary.hasLowCoverage { line.member("lowCoverage", true) }
            if let missing = summary.missing { write(missing) }
            if !summary.coverages.isEmpty { write(summary.coverages) }
        }
        line.endObject()
        line.endLine()
    }

    /// Appends the line of a test that starts.
    ///
    /// - Parameter time: Nanoseconds from the start of the run to the start of the test.
    package mutating func write(started test: TestReference, time: Int64) {
        line.literal("{\"event\":\"testStart\"")
        write(test)
        writeEnd(startedAt: time)
        line.endLine()
    }

    private mutating func writeEnd(startedAt time: Int64) {
        line.text(upTo: 32, isWhole: true) { text in
            text.write(",\"time\":")
            text.write(time)
            text.write("}")
        }
    }

    /// Appends the line of a test that has ended.
    ///
    /// - Parameters:
    ///   - sizes: The original sizes of bodies that were masked or truncated.
    ///   - hidesExchanges: Whether to omit the exchanges of passed steps.
    package mutating func write(_ result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        line.literal("{\"event\":\"test\"")
        writeParts(of: result, sizes: sizes, hidesExchanges: hidesExchanges)
        line.endObject()
        line.endLine()
    }

    private mutating func write(_ info: RunInfo) {
        line.member("schema", Self.schema)
        line.member("version", info.version)
        line.member("startTime", JSONNumber(info.startTime) ?? 0)
        line.member("seed", JSONNumber(info.seed))
        line.member("jobs", info.jobs)
        if !info.hostName.isEmpty { line.member("hostName", info.hostName) }
        if !info.workingDirectory.isEmpty { line.member("workingFolder", info.workingDirectory) }
        line.member("shard", info.shard)
        write(info.origin)
        line.member("testCountOfShards", info.testCountOfShards.map(Int64.init))
        if marksExchanges { line.member("allExchanges", true) }
        line.member("testCount", info.testCount)
        line.beginArray("suites")
        for suite in info.suites {
            line.beginObject()
            write(suite)
            line.endObject()
        }
        line.endArray()
    }

    private mutating func write(_ origin: RunOrigin) {
        if origin.isEmpty { return }
        line.beginObject("origin")
        line.member("system", origin.system)
        if let build = origin.build { line.member("build", build) }
        write("revision", origin.revision)
        write("branch", origin.branch)
        write("job", origin.job)
        line.endObject()
    }

    private mutating func write(_ name: StaticString, _ link: RunOrigin.Link?) {
        guard let link else { return }
        line.beginObject(name)
        line.member("name", link.name)
        line.member("url", link.url)
        line.endObject()
    }

    private mutating func write(_ info: SuiteInfo) {
        line.member("name", info.name)
        line.member("path", info.path)
        if info.documentIndex != 0 { line.member("documentIndex", info.documentIndex) }
        if let annotations = info.annotations { write(annotations) }
        line.member("baseURL", info.baseURL)
        line.member("environment", info.environment)
        line.member("testCount", info.testCount)
        if info.start != 0 { line.member("start", info.start) }
        line.member("digest", info.digest)
    }

    private mutating func write(_ coverages: [ContractCoverage]) {
        line.beginArray("contracts")
        for coverage in coverages {
            line.beginObject()
            line.member("description", coverage.description)
            line.beginArray("items")
            for item in coverage.items {
                line.beginObject()
                line.member("kind", item.kind.rawValue)
                line.member("operation", item.operation)
                if !item.name.isEmpty { line.member("name", item.name) }
                line.member("covered", item.isCovered)
                line.endObject()
            }
            line.endArray()
            if !coverage.undocumented.isEmpty { line.member("undocumented", coverage.undocumented) }
            line.endObject()
        }
        line.endArray()
    }

    private mutating func write(_ counts: OutcomeCounts) {
        line.beginObject("counts")
        line.member("passed", counts.passed)
        line.member("flaky", counts.flaky)
        line.member("failed", counts.failed)
        line.member("errored", counts.errored)
        line.member("skipped", counts.skipped)
        line.member("blocked", counts.blocked)
        if counts.known > 0 { line.member("known", counts.known) }
        line.endObject()
    }

    private mutating func write(_ annotations: Annotations) {
        line.member("description", annotations.description)
        line.member("owner", annotations.owner)
        if annotations.properties.isEmpty { return }
        line.beginArray("properties")
        for property in annotations.properties { line.pair(property.name, property.value) }
        line.endArray()
    }

    private mutating func write(_ missing: MissingTests) {
        line.beginObject("missing")
        line.member("notRun", missing.notRun)
        line.member("planned", missing.planned)
        line.member("reasons", missing.reasons)
        line.endObject()
    }

    /// Appends the members that identify a test.
    ///
    /// Another member must precede them.
    private mutating func write(_ test: TestReference) {
        line.text(upTo: 128, isWhole: false) { text in
            text.write(",\"suite\":")
            text.write(test.suite)
            text.write(",\"position\":")
            text.write(test.position)
            if test.ordinal != test.position {
                text.write(",\"ordinal\":")
                text.write(test.ordinal)
            }
            text.write(",\"name\":")
        }
        line.string(test.name)
        if let id = test.id { line.member("id", id) }
        if let location, location.isOf(test) { return line.buffer.append(location.members) }
        let start = line.buffer.count
        line.member("tags", test.tags)
        switch test.kind {
        case .test: break
        case .setup: line.member("kind", word: "setup")
        case .teardown: line.member("kind", word: "teardown")
        }
        if let annotations = test.annotations { write(annotations) }
        if test.hasSteps { line.member("hasSteps", true) }
        if test.isVerbose { line.member("isVerbose", true) }
        line.member("file", test.range.file.name)
        line.member("line", Int64(test.range.start.line))
        line.member("column", Int64(test.range.start.column))
        location = RecordLocation(test, members: line.buffer.array(from: start))
    }

    // MARK: Results

    private mutating func writeParts(of result: TestResult, sizes: BodySizes, hidesExchanges: Bool) {
        write(result.test)
        write(result.outcome)
        if result.isCutOff { line.member("cutOff", true) }
        writeTime(result.start, result.duration)
        let file = result.test.range.file
        if !result.steps.isEmpty {
            write(result.steps, file: file, sizes: sizes, hidesExchanges: hidesExchanges)
        }
        if !result.previousAttempts.isEmpty {
            line.beginArray("attempts")
            for attempt in result.previousAttempts {
                line.beginObject()
                write(attempt.outcome)
                line.member("duration", attempt.duration)
                write(attempt.steps, file: file, sizes: BodySizes(), hidesExchanges: false)
                line.endObject()
            }
            line.endArray()
        }
        if !result.variables.isEmpty {
            line.beginArray("variables")
            for variable in result.variables { write(variable) }
            line.endArray()
        }
    }

    private mutating func write(_ variable: UsedVariable) {
        line.beginObject()
        line.member("name", variable.name)
        if line.member("value", variable.value) { line.member("isCut", true) }
        line.endObject()
    }

    /// Appends the start and the duration.
    ///
    /// Another member must precede them.
    private mutating func writeTime(_ start: Int64, _ duration: Int64) {
        line.text(upTo: 64, isWhole: true) { text in
            text.write(",\"start\":")
            text.write(start)
            text.write(",\"duration\":")
            text.write(duration)
        }
    }

    private mutating func write(_ outcome: TestResult.Outcome) {
        switch outcome {
        case .passed: line.member("outcome", word: "passed")
        case .flaky: line.member("outcome", word: "flaky")
        case .known(let reason):
            line.member("outcome", word: "known")
            if !reason.isEmpty { line.member("reason", reason) }
        case .failed: line.member("outcome", word: "failed")
        case .errored: line.member("outcome", word: "errored")
        case .skipped(let reason):
            line.member("outcome", word: "skipped")
            if !reason.isEmpty { line.member("reason", reason) }
        case .blocked(let blocker):
            line.member("outcome", word: "blocked")
            line.member("blockedBy", blocker)
        }
    }

    /// Appends steps.
    ///
    /// The file of a step is stated only if it differs from the file of the test.
    private mutating func write(
        _ steps: [TestResult.Step], file: SourceFile, sizes: BodySizes, hidesExchanges: Bool
    ) {
        line.beginArray("steps")
        for index in steps.indices {
            line.beginObject()
            line.literal("\"name\":")
            line.string(steps[index].name)
            write(steps[index].outcome)
            writeTime(steps[index].start, steps[index].duration)
            let location = steps[index].range
            if location.file !== file, location.file.name != file.name { line.member("file", location.file.name) }
            line.text(upTo: 64, isWhole: true) { text in
                text.write(",\"line\":")
                text.write(Int64(location.start.line))
                text.write(",\"column\":")
                text.write(Int64(location.start.column))
            }
            if !steps[index].calls.isEmpty {
                line.beginArray("calls")
                for call in steps[index].calls {
                    line.beginObject()
                    line.member("file", call.file.name)
                    line.member("line", Int64(call.start.line))
                    line.member("column", Int64(call.start.column))
                    line.endObject()
                }
                line.endArray()
            }
            if !steps[index].printed.isEmpty {
                line.beginArray("printed")
                for printed in steps[index].printed { write(printed) }
                line.endArray()
            }
            if steps[index].polls != 0 { line.member("polls", steps[index].polls) }
            if !steps[index].findings.isEmpty { line.write(steps[index].findings) }
            if let exchange = steps[index].exchange, !hidesExchanges || !steps[index].findings.isEmpty {
                line.write(exchange, sizes: sizes[index])
            } else if let sent = steps[index].sent {
                write(sent)
            }
            if !steps[index].previousAttempts.isEmpty { write(steps[index].previousAttempts) }
            line.endObject()
        }
        line.endArray()
    }

    private mutating func write(_ outline: ExchangeOutline) {
        line.beginObject("sent")
        line.member("method", outline.method)
        line.member("url", outline.url)
        if let status = outline.status { line.member("status", status) }
        line.endObject()
    }

    private mutating func write(_ attempts: [TestResult.StepAttempt]) {
        line.beginArray("attempts")
        for attempt in attempts {
            line.beginObject()
            write(attempt.outcome)
            line.member("duration", attempt.duration)
            if !attempt.findings.isEmpty { line.write(attempt.findings) }
            if let exchange = attempt.exchange { line.write(exchange, sizes: BodySizes.Pair()) }
            line.endObject()
        }
        line.endArray()
    }
}

/// The members that the lines of tests at the same location share, such as the rows of a table test.
///
/// These are the tags, the annotations, and the location. It is a class, which makes the check for each line inexpensive.
final class RecordLocation: Sendable {
    private let tags: [String]
    private let annotations: Annotations?
    private let kind: TestKind
    private let hasSteps: Bool
    private let file: SourceFile
    private let start: SourcePosition
    /// The members, each with a leading comma.
    let members: [UInt8]

    init(_ test: TestReference, members: [UInt8]) {
        tags = test.tags
        annotations = test.annotations
        kind = test.kind
        hasSteps = test.hasSteps
        file = test.range.file
        start = test.range.start
        self.members = members
    }

    /// Returns whether a test has the same members.
    func isOf(_ test: TestReference) -> Bool {
        file === test.range.file && start == test.range.start && hasSteps == test.hasSteps && tags == test.tags
            && annotations === test.annotations && kind == test.kind
    }
}
