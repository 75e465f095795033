import Diagnostics
import Output
import RunModel
import RunRecord

/// A test in a CTRF report.
struct CTRFTest {
    let result: TestResult
    let suite: CTRFSuite?
    let clock: RunClock
    let sizes: BodySizes

    func write(into json: inout JSONText) {
        json.literal("{\"name\":")
        // The schema requires a nonempty name.
        if result.test.name.isEmpty {
            json.string(word: "(no name)")
        } else {
            json.string(result.test.name, limit: FailureSummary.maximumMessageLength)
        }
        let suiteMembers = suite?.members ?? []
        json.text(upTo: suiteMembers.count + 160, isWhole: true) { text in
            text.write(",\"status\":\"")
            text.write(CTRFStatus(result.outcome).word)
            text.write("\",\"duration\":")
            text.write(RunClock.milliseconds(result.duration))
            text.write(",\"start\":")
            text.write(clock.milliseconds(at: result.start))
            text.write(",\"stop\":")
            text.write(clock.milliseconds(at: result.start + max(0, result.duration)))
            text.write(suiteMembers)
            text.write(",\"line\":")
            text.write(Int64(result.test.range.start.line))
        }
        if !result.test.tags.isEmpty {
            json.beginArray("tags")
            for index in result.test.tags.indices { json.string(result.test.tags[index]) }
            json.endArray()
        }
        json.literal(whole: ",\"type\":\"api\"")
        if result.test.id != nil || result.test.annotations != nil || suite?.description != nil {
            writeExtra(into: &json)
        }
        switch result.outcome {
        case .passed:
            if result.test.hasSteps { writeSteps(into: &json) }
        case .flaky, .known, .failed, .errored, .skipped, .blocked:
            json.member("rawStatus", OutcomeWord.text(result.outcome))
            writeDetails(into: &json)
        }
        json.endObject()
    }

    /// Writes the data for which CTRF has no member.
    private func writeExtra(into json: inout JSONText) {
        json.beginObject("extra")
        json.member("id", result.test.id)
        if let description = suite?.description { json.member("suiteDescription", description) }
        if let annotations = result.test.annotations {
            json.member("description", annotations.description)
            json.member("owner", annotations.owner)
            for property in annotations.properties {
                json.key(property.name)
                json.string(property.value, limit: maximumLength)
            }
        }
        json.endObject()
    }

    private func writeDetails(into json: inout JSONText) {
        let hasSteps = result.test.hasSteps
        switch result.outcome {
        case .skipped(let reason): if !reason.isEmpty { json.member("message", reason, limit: maximumLength) }
        case .blocked(let blocker): json.member("message", BlockedReason.text(by: blocker), limit: maximumLength)
        case .known, .failed, .errored:
            let summary = FailureSummary(result.steps, hasSteps: hasSteps)
            let reason = result.outcome.expectedFailureText.map { $0 + ": " } ?? ""
            json.member("message", reason + summary.message, limit: maximumLength)
            json.member("trace", summary.text(sizes: sizes), limit: FailureSummary.maximumTextLength)
            if let range = summary.finding?.range, let excerpt = SourceExcerpt(range, width: FailureSummary.width) {
                json.member("snippet", excerpt.text)
            }
        case .passed, .flaky: break
        }
        let attempts = PreviousAttempt.all(of: result)
        json.member("flaky", result.outcome == .flaky)
        if !attempts.isEmpty {
            json.member("retries", attempts.count)
            writeAttempts(attempts, into: &json)
        }
        if hasSteps { writeSteps(into: &json) }
        if !result.variables.isEmpty {
            json.beginObject("parameters")
            for variable in result.variables {
                json.key(variable.name)
                json.value(variable.value)
            }
            json.endObject()
        }
    }

    private func writeAttempts(_ attempts: [PreviousAttempt], into json: inout JSONText) {
        json.beginArray("retryAttempts")
        for (index, attempt) in attempts.enumerated() {
            json.beginObject()
            json.member("attempt", index + 1)
            json.member("status", CTRFStatus(attempt.outcome).rawValue)
            json.member("duration", RunClock.milliseconds(attempt.duration))
            json.member("message", attempt.message(hasSteps: result.test.hasSteps), limit: maximumLength)
            json.member(
                "trace", attempt.text(hasSteps: result.test.hasSteps), limit: FailureSummary.maximumTextLength)
            json.endObject()
        }
        json.endArray()
    }

    private func writeSteps(into json: inout JSONText) {
        json.beginArray("steps")
        for step in result.steps {
            json.beginObject()
            json.member("name", step.name, limit: maximumLength)
            json.member("status", CTRFStatus(step.outcome).rawValue)
            json.beginObject("extra")
            json.member("duration", RunClock.milliseconds(step.duration))
            switch step.outcome {
            case .skipped(let reason), .known(let reason):
                if !reason.isEmpty { json.member("reason", reason, limit: maximumLength) }
            case .passed, .flaky, .failed, .errored, .blocked: break
            }
            json.endObject()
            json.endObject()
        }
        json.endArray()
    }

    private var maximumLength: Int { FailureSummary.maximumMessageLength }
}

/// The status of a test in CTRF.
enum CTRFStatus: String {
    case passed, failed, skipped, other

    /// The status as it is written.
    var word: StaticString {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        case .other: "other"
        }
    }

    init(_ outcome: TestResult.Outcome) {
        switch outcome {
        case .passed, .flaky: self = .passed
        // Errors and failures lead to the same exit code. `rawStatus` distinguishes them.
        case .failed, .errored: self = .failed
        case .skipped: self = .skipped
        // A blocked test was neither skipped on purpose nor is it pending.
        case .blocked: self = .other
        // A known failure did not pass, but does not count as a failure.
        case .known: self = .other
        }
    }
}
