import Basics
import Diagnostics
import JSON
import Output
import RunModel
import RunRecord

/// The failure details of a test in the HTML report, as a JSON object.
struct HTMLDetail {
    let sizes: BodySizes
    let limits: HTMLBudget.Limits
    /// The base URL of the suite.
    var baseURL: String?

    /// The maximum number of steps of a test to write.
    private static let maximumSteps = 500
    /// The maximum number of findings of a step to write.
    private static let maximumFindings = 100
    /// The maximum number of bytes of a name or location.
    private static let maximumNameLength = 4_096

    /// Writes the details of a test.
    func write(_ result: TestResult, into json: inout JSONText) {
        json.beginObject()
        if let id = result.test.id { json.member("id", id, limit: Self.maximumNameLength) }
        if let annotations = result.test.annotations { write(annotations, into: &json) }
        json.member("place", result.test.range.description, limit: Self.maximumNameLength)
        if result.test.hasSteps { json.member("hasSteps", true) }
        json.key("steps")
        write(result.steps, sizes: sizes, into: &json)
        if !result.variables.isEmpty { writeVariables(result.variables, into: &json) }
        if !result.previousAttempts.isEmpty {
            json.beginArray("attempts")
            for attempt in result.previousAttempts.prefix(limits.attempts) {
                json.beginObject()
                json.member("outcome", HTMLRow.code(of: attempt.outcome))
                json.member("duration", attempt.duration / 1_000)
                json.key("steps")
                write(attempt.steps, sizes: BodySizes(), into: &json)
                json.endObject()
            }
            json.endArray()
            writeOmitted(result.previousAttempts.count - limits.attempts, into: &json)
        }
        json.endObject()
    }

    private func write(_ annotations: Annotations, into json: inout JSONText) {
        if let description = annotations.description {
            json.member("description", description, limit: Self.maximumNameLength)
        }
        if let owner = annotations.owner { json.member("owner", owner, limit: Self.maximumNameLength) }
        guard !annotations.properties.isEmpty else { return }
        json.beginArray("properties")
        for property in annotations.properties {
            json.beginArray()
            json.string(property.name, limit: Self.maximumNameLength)
            json.string(property.value, limit: Self.maximumNameLength)
            json.endArray()
        }
        json.endArray()
    }

    private func writeOmitted(_ count: Int, into json: inout JSONText) {
        guard count > 0 else { return }
        json.member("omittedAttempts", count)
    }

    private func writeVariables(_ variables: [UsedVariable], into json: inout JSONText) {
        json.beginArray("variables")
        for variable in variables {
            json.beginArray()
            json.string(variable.name, limit: Self.maximumNameLength)
            writeValue(variable.value, into: &json)
            json.endArray()
        }
        json.endArray()
    }

    /// Writes a value as its type and JSON text, which preserves each number exactly.
    private func writeValue(_ value: JSONValue, into json: inout JSONText) {
        json.string(value.typeName)
        json.string(value.serialized(), limit: limits.text)
    }

    // MARK: Steps

    private func write(_ steps: [TestResult.Step], sizes: BodySizes, into json: inout JSONText) {
        json.beginArray()
        for (index, step) in steps.prefix(Self.maximumSteps).enumerated() {
            write(step, sizes: sizes[index], into: &json)
        }
        json.endArray()
    }

    private func write(_ step: TestResult.Step, sizes: BodySizes.Pair, into json: inout JSONText) {
        json.beginObject()
        json.member("name", step.name, limit: Self.maximumNameLength)
        json.member("outcome", HTMLRow.code(of: step.outcome))
        switch step.outcome {
        case .skipped(let reason):
            json.member("reason", reason, limit: limits.text)
        case .blocked(let blocker):
            json.member("reason", "blocked by \"\(blocker)\"", limit: limits.text)
        case .known:
            if let reason = step.outcome.expectedFailureText { json.member("reason", reason, limit: limits.text) }
        case .passed, .flaky, .failed, .errored: break
        }
        json.member("start", step.start / 1_000)
        json.member("duration", step.duration / 1_000)
        json.member("place", step.range.description, limit: Self.maximumNameLength)
        if !step.calls.isEmpty {
            json.beginArray("calls")
            for call in step.calls { json.string(call.description, limit: Self.maximumNameLength) }
            json.endArray()
        }
        if !step.printed.isEmpty {
            json.beginArray("printed")
            for printed in step.printed {
                json.beginArray()
                json.string(printed.name, limit: Self.maximumNameLength)
                writeValue(printed.value, into: &json)
                json.endArray()
            }
            json.endArray()
        }
        if step.polls > 0 { json.member("polls", step.polls) }
        write(step.findings, step.exchange, sizes: sizes, into: &json)
        if step.exchange == nil, let outline = step.outline {
            json.member("sent", HTMLRow.text(of: outline, baseURL: baseURL), limit: Self.maximumNameLength)
        }
        if !step.previousAttempts.isEmpty {
            json.beginArray("attempts")
            // Only the last polls are kept, and the latest ones are the most informative.
            for attempt in step.previousAttempts.suffix(limits.attempts) {
                json.beginObject()
                json.member("outcome", HTMLRow.code(of: attempt.outcome))
                json.member("duration", attempt.duration / 1_000)
                write(attempt.findings, attempt.exchange, sizes: BodySizes.Pair(), into: &json)
                json.endObject()
            }
            json.endArray()
            writeOmitted(step.previousAttempts.count - limits.attempts, into: &json)
        }
        json.endObject()
    }

    private func write(
        _ findings: [Finding], _ exchange: Exchange?, sizes: BodySizes.Pair, into json: inout JSONText
    ) {
        if !findings.isEmpty {
            json.beginArray("findings")
            for finding in findings.prefix(Self.maximumFindings) { write(finding, into: &json) }
            json.endArray()
            if findings.count > Self.maximumFindings {
                json.member("omittedFindings", findings.count - Self.maximumFindings)
            }
        }
        if let exchange {
            json.key("exchange")
            HTMLExchange(exchange: exchange, sizes: sizes, limits: limits).write(into: &json)
        }
    }

    // MARK: Findings

    private func write(_ finding: Finding, into json: inout JSONText) {
        json.beginObject()
        json.member("kind", finding.kind.rawValue)
        json.member("subject", finding.subject.description, limit: Self.maximumNameLength)
        json.member("type", finding.type.rawValue, limit: Self.maximumNameLength)
        json.member("message", finding.message, limit: limits.text)
        if let expected = finding.expected {
            json.beginArray("expected")
            writeValue(expected, into: &json)
            json.endArray()
        }
        if let actual = finding.actual {
            json.beginArray("actual")
            writeValue(actual, into: &json)
            json.endArray()
        }
        if let range = finding.range {
            json.member("place", range.description, limit: Self.maximumNameLength)
            if let line = HTMLMarkedLine(range) {
                json.beginArray("line")
                json.integer(line.number)
                json.string(line.before)
                json.string(line.marked)
                json.string(line.behind)
                json.endArray()
            }
        }
        if !finding.details.isEmpty {
            json.beginArray("details")
            var left = limits.text
            for detail in finding.details.map(\.text) {
                if left <= 0 { break }
                json.string(detail, limit: left)
                left -= detail.utf8.count
            }
            json.endArray()
        }
        json.endObject()
    }
}

/// A line of a suite file, split around the marked part.
struct HTMLMarkedLine {
    let number: Int
    let before: String
    let marked: String
    let behind: String

    /// The maximum number of columns of the line.
    private static let width = 160

    /// Creates a line, or returns `nil` if the line of the range does not exist in its file.
    init?(_ range: SourceRange) {
        guard let excerpt = SourceExcerpt(range, width: Self.width) else { return nil }
        number = excerpt.lineNumber
        var parts = ["", "", ""]
        var column = 0
        for character in excerpt.text {
            let part =
                column < excerpt.underlineStart
                ? 0 : column < excerpt.underlineStart + excerpt.underlineWidth ? 1 : 2
            parts[part].append(character)
            column += DisplayWidth.of(character)
        }
        before = parts[0]
        marked = parts[1]
        behind = parts[2]
    }
}

/// A budget for the details of tests, which keeps the page usable if a large number of tests failed.
struct HTMLBudget {
    /// The limits of the details of a test.
    struct Limits: Hashable {
        /// The maximum number of bytes of a request body.
        var requestBody: Int
        /// The maximum number of bytes of a response body.
        var responseBody: Int
        /// The maximum number of bytes of a message, a detail, or a value.
        var text: Int
        /// The maximum number of bytes of a curl command.
        var command: Int
        /// The maximum number of WebSocket messages and of stream events.
        var messages: Int
        /// The maximum number of earlier attempts.
        var attempts: Int
    }

    static let full = Limits(
        requestBody: 16_384, responseBody: 49_152, text: 16_384, command: 16_384, messages: 100, attempts: 20)
    private static let short = Limits(
        requestBody: 1_024, responseBody: 2_048, text: 2_048, command: 2_048, messages: 10, attempts: 2)
    private static let minimum = Limits(
        requestBody: 0, responseBody: 0, text: 500, command: 500, messages: 0, attempts: 0)
    /// The total number of bytes up to which the full limits apply.
    private static let fullBytes = 16 << 20
    /// The total number of bytes above which the minimum limits apply.
    private static let shortBytes = 32 << 20

    /// The maximum total number of bytes of tests that passed.
    private static let passedBytes = 8 << 20

    private var spent = 0
    /// The bytes of tests that passed, which do not count against the budget of tests that did not.
    private var spentOnPassed = 0

    /// The limits of the next test.
    var limits: Limits {
        if spent < Self.fullBytes { return Self.full }
        return spent < Self.shortBytes ? Self.short : Self.minimum
    }

    /// Whether the details of any test were shortened.
    var isShort: Bool { spent >= Self.fullBytes || !hasRoomForPassed }

    /// Whether details of a test that passed can still be written.
    var hasRoomForPassed: Bool { spentOnPassed < Self.passedBytes }

    /// Counts the bytes written for a test.
    mutating func spend(_ bytes: Int, on outcome: TestResult.Outcome) {
        if outcome == .passed { spentOnPassed += bytes } else { spent += bytes }
    }
}
