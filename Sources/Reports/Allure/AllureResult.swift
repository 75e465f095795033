import Basics
import JSON
import Output
import RunModel
import RunRecord

/// The contents of a result file: a test, or one of its earlier attempts.
struct AllureResult {
    /// An execution of a test: the final one or an earlier attempt.
    struct Execution {
        /// The number of the attempt, starting at 1, or 0 for the final execution.
        var attempt: Int
        var outcome: TestResult.Outcome
        var steps: [TestResult.Step]
        /// Nanoseconds since the start of the run.
        var start: Int64
        /// Nanoseconds since the start of the run.
        var stop: Int64
        var sizes = BodySizes()
    }

    let result: TestResult
    let suite: AllureSuite
    let clock: RunClock

    /// Returns the executions of a test, with the final one last.
    ///
    /// Each starts after the previous one has ended because Allure treats the latest one as final.
    static func executions(of result: TestResult, sizes: BodySizes) -> [Execution] {
        var executions: [Execution] = []
        var end = result.start
        func add(_ outcome: TestResult.Outcome, _ steps: [TestResult.Step], start: Int64?, duration: Int64) {
            let start = max(start ?? end, end)
            end = start + max(1_000_000, duration)
            executions.append(
                Execution(
                    attempt: executions.count + 1, outcome: outcome, steps: steps, start: start,
                    stop: start + max(0, duration)))
        }
        for attempt in result.previousAttempts {
            add(attempt.outcome, attempt.steps, start: attempt.steps.first?.start, duration: attempt.duration)
        }
        // If the test has no `steps`, the attempts of its single step are the attempts of the test.
        if !result.test.hasSteps, result.steps.count == 1, let step = result.steps.first, step.polls == 0 {
            for attempt in step.previousAttempts {
                var previous = step
                previous.outcome = attempt.outcome
                previous.findings = attempt.findings
                previous.exchange = attempt.exchange
                previous.previousAttempts = []
                previous.duration = attempt.duration
                add(attempt.outcome, [previous], start: attempt.exchange?.start, duration: attempt.duration)
            }
        }
        let stop = max(result.start + max(0, result.duration), end)
        executions.append(
            Execution(
                attempt: 0, outcome: result.outcome, steps: result.steps,
                start: executions.isEmpty ? result.start : end, stop: stop, sizes: sizes))
        return executions
    }

    /// Returns the identity of an execution, from which its file name is derived.
    func identity(_ execution: Execution) -> AllureHash {
        var hash = suite.identity
        hash.add(Int64(result.test.position))
        hash.add(Int64(execution.attempt))
        hash.add(result.test.name)
        return hash
    }

    /// Writes the result of an execution.
    ///
    /// - Parameter attach: Writes an attachment and returns its file name.
    func write(
        _ execution: Execution, _ identity: AllureHash, into json: inout JSONText,
        attach: (AllureAttachment) -> String
    ) {
        let test = result.test
        var history = suite.history
        history.add(test.name)
        let identifier = history.hexadecimal
        json.beginObject()
        json.member("uuid", identity.uuid)
        json.member("historyId", identifier)
        json.member("testCaseId", identifier)
        json.member("fullName", suite.location + "#" + test.name, limit: FailureSummary.maximumMessageLength)
        json.member("name", test.name, limit: FailureSummary.maximumMessageLength)
        let descriptions = [test.annotations?.description, suite.info.annotations?.description].compactMap(\.self)
        if !descriptions.isEmpty { json.member("description", descriptions.joined(separator: "\n\n")) }
        writeExecution(execution, into: &json, attach: attach)
        json.buffer.append(suite.labels)
        if let owner = test.annotations?.owner { writeLabel("owner", owner, into: &json) }
        if let id = test.id { writeLabel("id", id, into: &json) }
        for property in test.annotations?.properties ?? [] { writeLabel(property.name, property.value, into: &json) }
        for tag in test.tags { writeLabel("tag", tag, into: &json) }
        json.endArray()
        json.beginArray("parameters")
        if execution.attempt == 0 {
            for variable in result.variables {
                json.beginObject()
                json.member("name", variable.name)
                json.member("value", variable.value.plainText, limit: FailureSummary.maximumMessageLength)
                // Variables are known only for tests that did not pass. If they counted, the test history would break
                // at each failure.
                json.member("excluded", true)
                json.endObject()
            }
        }
        json.endArray()
        json.beginArray("links")
        json.endArray()
        json.endObject()
    }

    private func writeLabel(_ name: String, _ value: String, into json: inout JSONText) {
        json.beginObject()
        json.member("name", name)
        json.member("value", value, limit: FailureSummary.maximumMessageLength)
        json.endObject()
    }

    /// Writes the object of a fixture, which has the members of a result except for identifiers.
    func writeFixture(
        _ execution: Execution, into json: inout JSONText, attach: (AllureAttachment) -> String
    ) {
        json.beginObject()
        json.member("name", result.test.name)
        writeExecution(execution, into: &json, attach: attach)
        json.endObject()
    }

    private func writeExecution(
        _ execution: Execution, into json: inout JSONText, attach: (AllureAttachment) -> String
    ) {
        let hasSteps = result.test.hasSteps
        json.member("status", AllureStatus(execution.outcome).rawValue)
        writeDetails(execution, into: &json)
        json.member("stage", "finished")
        json.member("start", clock.milliseconds(at: execution.start))
        json.member("stop", clock.milliseconds(at: execution.stop))
        json.beginArray("steps")
        if hasSteps {
            for (index, step) in execution.steps.enumerated() {
                write(step, sizes: execution.sizes[index], into: &json, attach: attach)
            }
        }
        json.endArray()
        json.beginArray("attachments")
        if !hasSteps {
            for (index, step) in execution.steps.enumerated() {
                writeAttachments(step.exchange, execution.sizes[index], into: &json, attach: attach)
            }
        }
        json.endArray()
    }

    private func writeDetails(_ execution: Execution, into json: inout JSONText) {
        switch execution.outcome {
        case .passed: break
        case .flaky:
            json.beginObject("statusDetails")
            json.member("flaky", true)
            json.endObject()
        case .known, .failed, .errored:
            let summary = FailureSummary(execution.steps, hasSteps: result.test.hasSteps)
            json.beginObject("statusDetails")
            if execution.outcome.isKnown { json.member("known", true) }
            let reason = execution.outcome.expectedFailureText.map { $0 + ": " } ?? ""
            json.member("message", reason + summary.message, limit: FailureSummary.maximumMessageLength)
            json.member("trace", summary.text(sizes: execution.sizes), limit: FailureSummary.maximumTextLength)
            json.endObject()
        case .skipped(let reason): writeReason(reason, into: &json)
        case .blocked(let blocker): writeReason(BlockedReason.text(by: blocker), into: &json)
        }
    }

    private func writeReason(_ reason: String, into json: inout JSONText) {
        guard !reason.isEmpty else { return }
        json.beginObject("statusDetails")
        json.member("message", reason, limit: FailureSummary.maximumMessageLength)
        json.endObject()
    }

    private func write(
        _ step: TestResult.Step, sizes: BodySizes.Pair, into json: inout JSONText,
        attach: (AllureAttachment) -> String
    ) {
        let start = max(step.start, result.start)
        json.beginObject()
        json.member("name", step.name, limit: FailureSummary.maximumMessageLength)
        json.member("status", AllureStatus(step.outcome).rawValue)
        switch step.outcome {
        case .known, .failed, .errored:
            json.beginObject("statusDetails")
            if step.outcome.isKnown { json.member("known", true) }
            let reason = step.outcome.expectedFailureText.map { $0 + ": " } ?? ""
            json.member(
                "message", reason + FailureSummary([step], hasSteps: false).message,
                limit: FailureSummary.maximumMessageLength)
            json.endObject()
        case .skipped(let reason): writeReason(reason, into: &json)
        case .blocked(let blocker): writeReason(BlockedReason.text(by: blocker), into: &json)
        case .passed, .flaky: break
        }
        json.member("stage", "finished")
        json.member("start", clock.milliseconds(at: start))
        json.member("stop", clock.milliseconds(at: start + max(0, step.duration)))
        json.beginArray("steps")
        if step.polls == 0 { writeAttempts(of: step, start: start, into: &json, attach: attach) }
        json.endArray()
        json.beginArray("attachments")
        writeAttachments(step.exchange, sizes, into: &json, attach: attach)
        json.endArray()
        json.endObject()
    }

    private func writeAttempts(
        of step: TestResult.Step, start: Int64, into json: inout JSONText, attach: (AllureAttachment) -> String
    ) {
        var start = start
        for (index, attempt) in step.previousAttempts.enumerated() {
            start = max(start, attempt.exchange?.start ?? start)
            json.beginObject()
            json.member("name", "attempt \(index + 1)")
            json.member("status", AllureStatus(attempt.outcome).rawValue)
            json.beginObject("statusDetails")
            json.member("message", FailureSummary.message(of: attempt), limit: FailureSummary.maximumMessageLength)
            json.endObject()
            json.member("stage", "finished")
            json.member("start", clock.milliseconds(at: start))
            start += max(0, attempt.duration)
            json.member("stop", clock.milliseconds(at: start))
            json.beginArray("attachments")
            writeAttachments(attempt.exchange, BodySizes.Pair(), into: &json, attach: attach)
            json.endArray()
            json.endObject()
        }
    }

    private func writeAttachments(
        _ exchange: Exchange?, _ sizes: BodySizes.Pair, into json: inout JSONText,
        attach: (AllureAttachment) -> String
    ) {
        guard let exchange else { return }
        for attachment in AllureAttachment.all(of: exchange, sizes: sizes) {
            json.beginObject()
            json.member("name", attachment.name)
            json.member("source", attach(attachment))
            json.member("type", attachment.type)
            json.endObject()
        }
    }
}

extension JSONValue {
    /// The string itself, or the JSON text of any other value.
    fileprivate var plainText: String {
        if case .string(let text) = self { return text }
        return serialized()
    }
}

/// The status of a test or step in Allure.
enum AllureStatus: String {
    case passed, failed, broken, skipped

    init(_ outcome: TestResult.Outcome) {
        switch outcome {
        // Like Allure's own adapters, which count an expected failure as skipped.
        case .known where outcome.expectedFailureText != nil: self = .skipped
        case .passed, .flaky, .known: self = .passed
        case .failed: self = .failed
        case .errored: self = .broken
        case .skipped, .blocked: self = .skipped
        }
    }
}

/// A 128-bit hash, in two lanes of FNV-1a, for names that are stable across runs.
struct AllureHash: Hashable {
    private var left: UInt64 = 0xCBF2_9CE4_8422_2325
    private var right: UInt64 = 0x6C62_272E_07BB_0142

    private static let prime: UInt64 = 0x100_0000_01B3

    /// Adds a string and a terminator, which keeps `ab`, `c` distinct from `a`, `bc`.
    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            for byte in bytes { add(byte: byte) }
        }
        // UTF-8 never contains this byte.
        add(byte: 0xFF)
    }

    /// Adds a number.
    mutating func add(_ number: Int64) {
        let number = UInt64(bitPattern: number)
        left = (left ^ number) &* Self.prime
        right = (right &+ number) &* 0x9E37_79B9_7F4A_7C15
        right ^= right >> 29
    }

    @inline(__always)
    private mutating func add(byte: UInt8) {
        left = (left ^ UInt64(byte)) &* Self.prime
        right = (right &+ UInt64(byte) ^ right >> 23) &* Self.prime
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// The hash as 32 hexadecimal digits.
    var hexadecimal: String {
        String(unsafeUninitializedCapacity: 32) { text in
            var count = 0
            Self.append(Self.mixed(left), to: text, &count)
            Self.append(Self.mixed(right), to: text, &count)
            return count
        }
    }

    /// The hash as a version 8 UUID (RFC 9562, section 5.8).
    var uuid: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var count = 0
            Self.append(Self.mixed(left) & ~0xF000 | 0x8000, to: text, &count, isHyphenBefore: 0x1100)
            Self.append(Self.mixed(right) & ~(3 << 62) | 1 << 63, to: text, &count, isHyphenBefore: 0x11)
            return count
        }
    }

    /// Appends 16 hexadecimal digits.
    ///
    /// - Parameter isHyphenBefore: A bit mask of the digits that a hyphen precedes. The lowest bit is for the first
    ///   digit.
    private static func append(
        _ value: UInt64, to text: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int, isHyphenBefore: UInt16 = 0
    ) {
        func write(_ byte: UInt8) {
            text.initializeElement(at: count, to: byte)
            count += 1
        }
        for index in 0..<16 {
            if isHyphenBefore >> UInt16(index) & 1 != 0 { write(UInt8(ascii: "-")) }
            write(Hexadecimal.digit(UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * index) & 0xF)))
        }
    }
}
